import { stringify } from 'yaml';
import { defaultModels } from './default-catalogue.ts';
import { everyKnob, type NamedKnob } from './every-knob.ts';
import type { Entries, Fields } from './knob.ts';
import { reservedPaths } from './reserved-paths.ts';
import { settingsTable } from './settings-table.ts';

/** docs/settings.md, made from the table so that it cannot be wrong. */
export function settingsDocument(): string {
  const knobs = everyKnob();
  const parts = [
    introduction,
    '## Every setting\n',
    'The variable sets the same knob from the environment and wins over the file. Settings marked with ↻ take effect without a restart.\n',
    ...topicsOf(knobs),
    ...knobs.flatMap(({ name, field }) => (field.kind === 'entries' ? listTopic(name, field) : [])),
    '## The built-in models\n',
    'Without `models` the service behaves as if this stood in the file:\n',
    '```yaml',
    stringify({ models: defaultModels }, { lineWidth: 0 }).trimEnd(),
    '```\n',
    '## Paths that models cannot have\n',
    `${[...reservedPaths].map((path) => `\`${path}\``).join(', ')}. Also not in other letter case.\n`,
  ];
  return parts.join('\n');
}

const introduction = `# Settings

<!-- Made from the settings table by \`npm run docs\`. Change src/settings/, not this file. -->

Gatehouse needs no settings: \`npm start\` serves the built-in models on this machine. To change something, write \`gatehouse.yaml\` in the folder where the service is started (or name another file with \`--settings FILE\` or \`GATEHOUSE_SETTINGS\`), or set a variable.

- \`gatehouse settings\` shows every value in effect and where it came from, with secrets masked.
- All mistakes are told together before the service starts, each with its line.
- A change of models, engines or networks in the file, or a SIGHUP, takes effect at once and interrupts nobody. With a mistake in the file the old settings stay in force. Other changes wait for a restart, and the log names them.
- An editor that knows YAML schemas can check while you write: begin the file with \`# yaml-language-server: $schema=docs/gatehouse.schema.json\`.

Durations have a unit (\`500ms\`, \`30s\`, \`5m\`, \`12h\`, \`30d\`), sizes may (\`32MiB\`, \`10GB\`). Relative paths in the file are taken from its folder, those in variables from the working folder. In variables the items of a list stand between commas, and \`none\` is the empty list. An empty variable counts as not set, except for a secret, where it is a mistake.

Secrets need not stand in the file: write \`\${NAME}\` to take one from a variable (in an address also for a part of it, such as the password), or give the name with \`File\` at its end (\`credentialFile\`, \`clientSecretFile\`; as a variable with \`_FILE\` at its end) to read it from a file. An empty secret refuses to start.

A file for two GPU servers:

\`\`\`yaml
listen: 0.0.0.0:443
publicUrl: https://llm.example.org
tls: { certificateFile: /etc/gatehouse/chain.pem, keyFile: /etc/gatehouse/key.pem }
directNetworks:
  - { cidr: 10.20.0.0/16, project: physics }
  - 10.30.0.0/16
engines:
  - { name: gpu-1, kind: vllm, url: http://10.0.0.11:8000, credential: "\${GPU_1_KEY}", maxConcurrent: 128 }
  - { name: gpu-2, kind: sglang, url: http://10.0.0.12:30000, maxConcurrent: 64 }
models:
  - id: gamma-oss-120b
    description: Thinks as hard as you ask it to. Can call tools.
    engines: [{ engine: gpu-1, model: maker/gamma-oss-120b }]
    tools: true
    reasoning: separate
    reasoningEffort: true
  - id: alpha-R1
    path: engine-b
    description: Thinks aloud before it answers.
    engines: [gpu-2]
    reasoning: think-tags
signIn:
  providers:
    - name: campus
      label: Campus account
      issuer: https://login.example.org/realms/main
      clientId: gatehouse
      clientSecretFile: /etc/gatehouse/client-secret
\`\`\`
`;

/** One table for the knobs at the top, one for each section. */
function topicsOf(knobs: readonly NamedKnob[]): string[] {
  const topics = Map.groupBy(knobs, ({ name }) => (name.includes('.') ? name.split('.')[0] : ''));
  return [...topics].flatMap(([topic = '', members]) => {
    const section = settingsTable[topic as keyof typeof settingsTable] as Fields[string] | undefined;
    const heading =
      topic === '' ? ['### The service\n'] : [`### \`${topic}\`\n`, `${section?.meaning ?? ''}\n`];
    return [
      ...heading,
      '| setting | default | variable | meaning |',
      '| --- | --- | --- | --- |',
      ...members.map(knobRow),
      '',
    ];
  });
}

function knobRow({ name, environment, change, field }: NamedKnob): string {
  const words = field.kind === 'entries' ? field.meaning : `${field.meaning} Write ${field.check.form}.`;
  return row([
    `\`${name}\`${change === 'live' ? ' ↻' : ''}`,
    defaultWords(field),
    environment.map((variable) => `\`${variable}\``).join(', '),
    words,
  ]);
}

function listTopic(name: string, { fields, meaning, shorthand }: Entries<Fields>): string[] {
  const bare = shorthand === undefined ? '' : ` Bare text stands for \`${shorthand}\`.`;
  const rows = Object.entries(fields).flatMap(([key, field]) => fieldRows(key, field));
  return [
    `### Entries of \`${name}\`\n`,
    `${meaning}${bare}\n`,
    '| name | default | meaning |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ];
}

function fieldRows(key: string, field: Fields[string]): string[] {
  if (field.kind === 'knob') {
    return [row([`\`${key}\``, defaultWords(field), `${field.meaning} Write ${field.check.form}.`])];
  }
  const own = field.kind === 'entries' ? [row([`\`${key}\``, defaultWords(field), field.meaning])] : [];
  const inner = Object.entries(field.fields).flatMap(([innerKey, innerField]) =>
    fieldRows(field.kind === 'entries' ? `${key}[].${innerKey}` : `${key}.${innerKey}`, innerField),
  );
  return [...own, ...inner];
}

function defaultWords(field: NamedKnob['field']): string {
  if (field.kind === 'entries') {
    return field.fallbackWords ?? field.fallback.map((item) => `\`${String(item)}\``).join(', ');
  }
  if (field.isRequired) return 'required';
  const { fallback } = field;
  if (Array.isArray(fallback)) return fallback.map((item) => `\`${String(item)}\``).join(', ') || 'none';
  switch (typeof fallback) {
    case 'string':
      return fallback === '' ? 'empty' : `\`${fallback}\``;
    case 'number':
    case 'boolean':
      return `\`${fallback}\``;
    case 'object':
      return 'none';
    default:
      return 'not set';
  }
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
