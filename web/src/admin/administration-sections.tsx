import type { ComponentType } from 'react';
import { AnnouncementsSection } from './bulletin/announcements-section.tsx';
import { StatusSection } from './bulletin/status-section.tsx';
import { AuditSection } from './audit/audit-section.tsx';
import { EnginesSection } from './engines-section.tsx';
import { InvitationsSection } from './invitations-section.tsx';
import { LookSection } from './look/look-section.tsx';
import { AllKeysSection } from './keys/all-keys-section.tsx';
import { OverviewSection } from './overview/overview-section.tsx';
import { PeopleSection } from './people-section.tsx';
import { ProjectsSection } from './projects/projects-section.tsx';
import { OfferedPresetsSection } from '../presets/presets-section.tsx';
import { SettingsInEffect } from './settings/settings-in-effect.tsx';
import { UsageSection } from './usage/usage-section.tsx';

/** A group of the navigation; the words name it. */
export type SectionGroup = 'service' | 'people';

interface AdministrationSection<Id extends string = string> {
  /** Its title and lead are `words.administration.pages[id]`. */
  readonly id: Id;
  readonly path: `/administration${string}`;
  readonly group: SectionGroup;
  readonly Content: ComponentType;
  /** Only where local accounts exist. */
  readonly needsInvitations?: true;
}

/** Every page of the administration, in the order of its navigation. A new page is one line here. */
export const administrationSections = [
  section('overview', '/administration', 'service', OverviewSection),
  section('models', '/administration/models', 'service', EnginesSection),
  section('status', '/administration/status', 'service', StatusSection),
  section('presets', '/administration/presets', 'service', OfferedPresetsSection),
  section('announcements', '/administration/announcements', 'service', AnnouncementsSection),
  section('appearance', '/administration/appearance', 'service', LookSection),
  section('settings', '/administration/settings', 'service', SettingsInEffect),
  section('usage', '/administration/usage', 'people', UsageSection),
  section('projects', '/administration/projects', 'people', ProjectsSection),
  section('people', '/administration/people', 'people', PeopleSection),
  {
    ...section('invitations', '/administration/invitations', 'people', InvitationsSection),
    needsInvitations: true,
  },
  section('keys', '/administration/keys', 'people', AllKeysSection),
  section('audit', '/administration/audit', 'people', AuditSection),
] as const satisfies readonly AdministrationSection[];

export type SectionId = (typeof administrationSections)[number]['id'];

/** Where pages stood before; bookmarks and handbooks still lead there. */
export const movedPaths = [['/administration/engines', '/administration/models']] as const;

function section<Id extends string>(
  id: Id,
  path: AdministrationSection['path'],
  group: SectionGroup,
  Content: ComponentType,
): AdministrationSection<Id> {
  return { id, path, group, Content };
}
