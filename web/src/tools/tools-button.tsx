import { Menu } from '@base-ui/react/menu';
import { useQuery } from '@tanstack/react-query';
import type { ToolServer } from '#contract/tools';
import type { Conversation } from '../chat/conversation.ts';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { classes } from '../design/classes.ts';
import { Icon } from '../design/icon.tsx';
import { MenuPlate } from '../design/menu.tsx';
import { useToolsWords } from '../language/tools-words.ts';

/** Which servers the model may ask for tools in this chat. Not there where no server is. */
export function ToolsButton({ conversation }: { readonly conversation: Conversation }) {
  const toolWords = useToolsWords();
  const client = useClient();
  const { data } = useQuery({
    queryKey: queryKeys.tools,
    queryFn: () => client.call('GET /console/tools', {}),
    staleTime: 60_000,
  });
  const { parameters } = conversation.settings;
  const servers = data?.servers ?? [];
  const on = new Set(parameters.toolServers ?? []);
  const count = servers.filter(({ name }) => on.has(name)).length;
  if (servers.length === 0) return null;
  const turn = (name: string, isOn: boolean) => {
    const { toolServers: before = [], ...rest } = parameters;
    const others = before.filter((other) => other !== name);
    const toolServers = isOn ? [...others, name] : others;
    conversation.changeSettings({ parameters: toolServers.length === 0 ? rest : { ...rest, toolServers } });
  };
  return (
    <Menu.Root>
      <Menu.Trigger
        aria-label={count === 0 ? toolWords.choose : toolWords.chosen(count)}
        title={toolWords.choose}
        className={classes(
          'flex h-9 items-center justify-center gap-1 rounded-lg px-2.5 text-sm tabular-nums transition-colors duration-150 hover:bg-pressed hover:text-ink data-popup-open:bg-pressed',
          count === 0 ? 'text-ink-soft' : 'bg-accent-wash text-accent',
        )}
      >
        <Icon name="tool" />
        {count > 0 && <span aria-hidden="true">{count}</span>}
      </Menu.Trigger>
      <MenuPlate side="top" className="w-80 max-w-[calc(100vw-1.5rem)]">
        <p className="px-2.5 pt-1.5 pb-2 text-sm text-ink-soft">{toolWords.explained}</p>
        {servers.map((server) => (
          <ServerEntry
            key={server.name}
            server={server}
            isOn={on.has(server.name)}
            turn={(isOn) => turn(server.name, isOn)}
          />
        ))}
      </MenuPlate>
    </Menu.Root>
  );
}

interface ServerEntryProps {
  readonly server: ToolServer;
  readonly isOn: boolean;
  readonly turn: (isOn: boolean) => void;
}

function ServerEntry({ server, isOn, turn }: ServerEntryProps) {
  const toolWords = useToolsWords();
  return (
    <Menu.CheckboxItem
      checked={isOn}
      onCheckedChange={turn}
      className="flex cursor-pointer items-start gap-3 rounded-md px-2.5 py-2 outline-none select-none data-highlighted:bg-sunken"
    >
      <span className="min-w-0 flex-1">
        <span className="block truncate text-[0.9375rem] font-[550]">{server.label}</span>
        {server.description !== '' && (
          <span dir="auto" className="text-match block text-sm text-ink-soft">
            {server.description}
          </span>
        )}
        <span className={classes('block text-sm', server.tools === null ? 'text-wait' : 'text-ink-faint')}>
          {server.tools === null ? toolWords.unreachable : toolWords.count(server.tools.length)}
        </span>
      </span>
      <span className="mt-0.5 w-4 text-accent">
        <Menu.CheckboxItemIndicator>
          <Icon name="check" size={16} />
        </Menu.CheckboxItemIndicator>
      </span>
    </Menu.CheckboxItem>
  );
}
