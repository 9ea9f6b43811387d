/** The servers whose tools people switch on in their chats. */
import { createTools, type Tools } from '#tools';
import type { ToolSettings } from '#vocabulary/tools';
import type { Clock } from '#vocabulary/clock';
import type { Logger } from '#vocabulary/logger';
import type { Metrics } from '#vocabulary/metrics';
import type { ProjectDirectory } from '#vocabulary/project';

export function composeTools(parts: {
  readonly settings: ToolSettings;
  readonly projects: Pick<ProjectDirectory, 'projectsOf'>;
  readonly metrics: Pick<Metrics, 'observe'>;
  readonly clock: Clock;
  readonly logger: Logger;
}): Tools {
  const { settings, projects, metrics, clock, logger } = parts;
  const projectsOf = (personId: string) => projects.projectsOf(personId).map(({ id }) => id);
  const tools = createTools({ settings, projectsOf, clock, logger });
  metrics.observe('toolCalls', () => tools.counts.calls());
  metrics.observe('toolCallSeconds', () => tools.counts.seconds());
  metrics.observe('toolCallsRunning', () => tools.counts.running());
  return tools;
}
