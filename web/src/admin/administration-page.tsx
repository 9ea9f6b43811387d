import { Link, Redirect, Route, Switch, useLocation } from 'wouter';
import { PageFrame } from '../app/page-frame.tsx';
import { useSession } from '../app/session.tsx';
import { useWords } from '../language/language.tsx';
import { EnginesSection } from './engines-section.tsx';
import { InvitationsSection } from './invitations-section.tsx';
import { PeopleSection } from './people-section.tsx';
import { SettingsInEffect } from './settings-in-effect.tsx';

export function AdministrationPage() {
  const words = useWords();
  const { capabilities } = useSession();
  if (!capabilities.mayAdminister) return <Redirect to="/" replace />;
  return (
    <PageFrame title={words.administration.title} lead={words.administration.lead} isWide>
      <nav aria-label={words.administration.sections} className="-mt-2 mb-8 border-b border-hairline">
        <ul className="flex gap-x-6 overflow-x-auto">
          <Tab path="/administration">{words.administration.people}</Tab>
          {capabilities.mayInvite && (
            <Tab path="/administration/invitations">{words.administration.invitations}</Tab>
          )}
          <Tab path="/administration/engines">{words.administration.engines}</Tab>
          <Tab path="/administration/settings">{words.administration.settings}</Tab>
        </ul>
      </nav>
      <Switch>
        <Route path="/administration">
          <PeopleSection />
        </Route>
        <Route path="/administration/invitations">
          <InvitationsSection />
        </Route>
        <Route path="/administration/engines">
          <EnginesSection />
        </Route>
        <Route path="/administration/settings">
          <SettingsInEffect />
        </Route>
        <Route>
          <Redirect to="/administration" replace />
        </Route>
      </Switch>
    </PageFrame>
  );
}

function Tab({ path, children }: { readonly path: string; readonly children: string }) {
  const [location] = useLocation();
  return (
    <li>
      <Link
        href={path}
        aria-current={location === path ? 'page' : undefined}
        className="block border-b-2 border-transparent pb-2 whitespace-nowrap text-ink-soft transition-colors duration-150 hover:text-ink aria-[current]:border-accent aria-[current]:font-[600] aria-[current]:text-ink"
      >
        {children}
      </Link>
    </li>
  );
}
