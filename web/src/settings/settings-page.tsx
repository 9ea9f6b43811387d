import { Link, Redirect, Route, Switch, useLocation } from 'wouter';
import { PageFrame } from '../app/page-frame.tsx';
import { classes } from '../design/classes.ts';
import { KeysSection } from '../keys/keys-section.tsx';
import { usePagesWords } from '../language/pages-words.ts';
import { usePresetsWords } from '../language/presets-words.ts';
import { useToolsWords } from '../language/tools-words.ts';
import { PresetsSection } from '../presets/presets-section.tsx';
import { ActivitySection } from './activity-section.tsx';
import { AppearanceSection } from './appearance-section.tsx';
import { ChattingSection } from './chatting-section.tsx';
import { DataSection } from './data-section.tsx';
import { DevicesSection } from './devices-section.tsx';
import { LinksSection } from './links-section.tsx';
import { ProfileSection } from './profile-section.tsx';
import { ToolsSection } from './tools-section.tsx';

/** Settings → Account → API keys: the path every handbook describes. */
export function SettingsPage() {
  const words = usePagesWords();
  return (
    <PageFrame title={words.settings.title} width="wide">
      <div className="flex flex-col gap-8 md:flex-row md:gap-12">
        <SettingsNavigation />
        <div className="min-w-0 flex-1">
          <Switch>
            <Route path="/settings">
              <AppearanceSection />
            </Route>
            <Route path="/settings/chatting">
              <ChattingSection />
            </Route>
            <Route path="/settings/account">
              <ProfileSection />
            </Route>
            <Route path="/settings/account/devices">
              <DevicesSection />
            </Route>
            <Route path="/settings/account/activity">
              <ActivitySection />
            </Route>
            <Route path="/settings/account/keys">
              <KeysSection />
            </Route>
            <Route path="/settings/presets">
              <PresetsSection />
            </Route>
            <Route path="/settings/tools">
              <ToolsSection />
            </Route>
            <Route path="/settings/links">
              <LinksSection />
            </Route>
            <Route path="/settings/data">
              <DataSection />
            </Route>
            <Route>
              <Redirect to="/settings" replace />
            </Route>
          </Switch>
        </div>
      </div>
    </PageFrame>
  );
}

function SettingsNavigation() {
  const words = usePagesWords();
  const toolWords = useToolsWords();
  const presetWords = usePresetsWords();
  const [location] = useLocation();
  const isAccount = location.startsWith('/settings/account');
  return (
    <nav aria-label={words.settings.sections} className="max-md:-mx-3 shrink-0 md:w-44">
      <ul className="flex flex-row flex-wrap gap-1 md:flex-col md:gap-0.5">
        <Entry path="/settings">{words.settings.appearance}</Entry>
        <Entry path="/settings/chatting">{words.settings.chatting}</Entry>
        <Entry path="/settings/account" isOpen={isAccount}>
          {words.settings.account}
        </Entry>
        {isAccount && (
          <li className="order-last basis-full md:order-none md:basis-auto">
            <ul className="flex flex-row flex-wrap gap-1 md:ms-3 md:flex-col md:gap-0.5 md:border-s md:border-hairline md:ps-2">
              <Entry path="/settings/account">{words.settings.profile}</Entry>
              <Entry path="/settings/account/devices">{words.settings.devices}</Entry>
              <Entry path="/settings/account/activity">{words.activity.title}</Entry>
              <Entry path="/settings/account/keys">{words.settings.keys}</Entry>
            </ul>
          </li>
        )}
        <Entry path="/settings/presets">{presetWords.title}</Entry>
        <Entry path="/settings/tools">{toolWords.consents.title}</Entry>
        <Entry path="/settings/links">{words.settings.links}</Entry>
        <Entry path="/settings/data">{words.settings.data}</Entry>
      </ul>
    </nav>
  );
}

interface EntryProps {
  readonly path: string;
  /** A section whose own entries follow is not the current page itself. */
  readonly isOpen?: boolean;
  readonly children: string;
}

function Entry({ path, isOpen = false, children }: EntryProps) {
  const [location] = useLocation();
  const isCurrent = location === path && !isOpen;
  return (
    <li>
      <Link
        href={path}
        aria-current={isCurrent ? 'page' : undefined}
        className={classes(
          'block rounded-lg px-3 py-1.5 text-[0.9375rem] transition-colors duration-150 hover:bg-sunken',
          isCurrent ? 'bg-sunken font-[600] text-ink' : isOpen ? 'font-[600] text-ink' : 'text-ink-soft',
        )}
      >
        {children}
      </Link>
    </li>
  );
}
