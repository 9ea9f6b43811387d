import type { ReactNode } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import { PageFrame } from '../app/page-frame.tsx';
import { useSession } from '../app/session.tsx';
import { useAdministrationWords } from '../language/administration-words.ts';
import { AdministrationNavigation } from './administration-navigation.tsx';
import { PersonPage } from './people/person-page.tsx';
import { ProjectPage } from './projects/project-page.tsx';
import { administrationSections, movedPaths, type SectionId } from './administration-sections.tsx';

/** Everything of the people who run the service. Each section is a page of its own, with its own address. */
export function AdministrationPage() {
  const { capabilities } = useSession();
  if (!capabilities.mayAdminister) return <Redirect to="/" replace />;
  return (
    <Switch>
      {administrationSections.map(({ id, path, Content }) => (
        <Route key={id} path={path}>
          <SectionFrame id={id}>
            <Content />
          </SectionFrame>
        </Route>
      ))}
      <Route path="/administration/projects/:projectId">
        {({ projectId }) => (
          <ProjectPage key={projectId} projectId={projectId} aside={<AdministrationNavigation />} />
        )}
      </Route>
      <Route path="/administration/people/:personId">
        {({ personId }) => (
          <PersonPage key={personId} personId={personId} aside={<AdministrationNavigation />} />
        )}
      </Route>
      {movedPaths.map(([from, to]) => (
        <Route key={from} path={from}>
          <Redirect to={to} replace />
        </Route>
      ))}
      <Route>
        <Redirect to="/administration" replace />
      </Route>
    </Switch>
  );
}

function SectionFrame({ id, children }: { readonly id: SectionId; readonly children: ReactNode }) {
  const { title, lead } = useAdministrationWords().pages[id];
  return (
    <PageFrame title={title} lead={lead} width="table" aside={<AdministrationNavigation />}>
      {children}
    </PageFrame>
  );
}
