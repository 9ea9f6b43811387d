import type { ConfiguredProject } from '#vocabulary/project';
import type { Assembly } from './assembly.ts';
import type { SettingsValues } from './settings-table.ts';

export function assembleProjects(
  { projects, models }: Pick<SettingsValues, 'projects' | 'models'>,
  assembly: Assembly,
): readonly ConfiguredProject[] {
  const seen = new Set<string>();
  return projects.map((project, index) => {
    const knob = `projects[${index}]`;
    if (seen.has(project.id))
      assembly.refuse(
        `${knob}.id`,
        `The project \`${project.id}\` is there twice.`,
        'Give each an id of its own.',
      );
    seen.add(project.id);
    for (const id of project.models)
      if (!models.some((model) => model.id === id))
        assembly.refuse(`${knob}.models`, `There is no model \`${id}\`.`, 'Name models that are offered.');
    const { name, ends, groups, ...rest } = project;
    return {
      ...rest,
      name: name ?? project.id,
      endsAt: ends,
      groups,
      isConfigured: true,
    };
  });
}
