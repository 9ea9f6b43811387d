import { Menu } from '@base-ui/react/menu';
import type { Message } from '#contract/messages';
import type { Model } from '#contract/models';
import type { Conversation } from '../chat/conversation.ts';
import { IconButton } from '../design/icon-button.tsx';
import { MenuEntry, MenuPlate } from '../design/menu.tsx';
import { useWords } from '../language/language.tsx';

interface RegenerateMenuProps {
  readonly message: Message;
  readonly conversation: Conversation;
  readonly models: readonly Model[];
}

/** Another answer by the same model or by a different one; the old answer stays as a branch. */
export function RegenerateMenu({ message, conversation, models }: RegenerateMenuProps) {
  const words = useWords();
  const same = conversation.settings.model;
  const others = models.filter((model) => model.id !== same);
  return (
    <Menu.Root>
      <Menu.Trigger
        render={
          <IconButton
            icon="refresh"
            size="small"
            label={words.chat.regenerate}
            disabled={conversation.running !== undefined}
          />
        }
      />
      <MenuPlate>
        <MenuEntry icon="refresh" onClick={() => void conversation.regenerate(message)}>
          {words.chat.regenerateWith(same)}
        </MenuEntry>
        {others.map((model) => (
          <MenuEntry key={model.id} onClick={() => void conversation.regenerate(message, model.id)}>
            {words.chat.regenerateWith(model.id)}
          </MenuEntry>
        ))}
      </MenuPlate>
    </Menu.Root>
  );
}
