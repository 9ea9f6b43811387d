import fc from 'fast-check';
import { z } from 'zod';
import { consoleRoutes } from '#contract/routes';
import type { RouteDefinition } from '#contract/route';

/** One documented address with the fields that are documented for it. */
export interface DocumentedRoute {
  readonly name: string;
  readonly method: string;
  readonly pattern: string;
  readonly queryFields: readonly string[];
  readonly bodyFields: Readonly<Record<string, unknown>>;
}

export interface HostileRequest {
  readonly method: string;
  readonly target: string;
  readonly contentType: string;
  readonly body: string | undefined;
}

const models = [
  ['alpha-R1', 'engine-b'],
  ['beta-4-scout', 'beta-4-scout'],
  ['gamma-oss-120b', 'gamma-oss-120b'],
] as const;
const directEndpoints = [
  'chat/completions',
  'completions',
  'embeddings',
  'responses',
  'messages',
  'messages/count_tokens',
  'tokenize',
  'detokenize',
  'score',
  'rerank',
];

const keptResponse = {
  pattern: '/api/responses/:id',
  queryFields: ['stream', 'starting_after', 'limit', 'order', 'after'],
  bodyFields: {},
};

/** Every address that the contract, the console and the operations page name. */
export function documentedRoutes(): DocumentedRoute[] {
  const get = (pattern: string) => ({ method: 'GET', pattern, queryFields: [], bodyFields: {} });
  const generation = (pattern: string, model: string) => ({
    method: 'POST',
    pattern,
    queryFields: ['api-version'],
    bodyFields: { ...generationFields, model },
  });
  const routes = [
    ...['/healthz', '/readyz', '/metrics', '/', '/api/models', '/api/v1/models', '/api/models/:id'].map(get),
    ...models.flatMap(([model]) =>
      ['chat/completions', 'responses', 'messages', 'embeddings'].map((endpoint) =>
        generation(`/api/${endpoint}`, model),
      ),
    ),
    ...['GET', 'DELETE'].map((method) => ({ ...keptResponse, method })),
    { ...keptResponse, method: 'GET', pattern: `${keptResponse.pattern}/input_items` },
    { ...keptResponse, method: 'POST', pattern: `${keptResponse.pattern}/cancel` },
    ...models.flatMap(([model, path]) => [
      get(`/${path}/v1/models`),
      get(`/${path}/v1/models/:id`),
      ...directEndpoints.map((endpoint) => generation(`/${path}/v1/${endpoint}`, model)),
    ]),
    ...Object.entries<RouteDefinition>(consoleRoutes).map(([name, route]) => {
      const [method = '', pattern = ''] = name.split(' ');
      const queryFields = Object.keys(fieldsOf(route.query));
      return { method, pattern, queryFields, bodyFields: fieldsOf(route.body) };
    }),
  ];
  return routes.map((route) => ({ ...route, name: `${route.method} ${route.pattern}` }));
}

/** A request to the route that is right in most places and wrong where it hurts. */
export function hostileRequest(route: DocumentedRoute): fc.Arbitrary<HostileRequest> {
  const parameters = [...route.pattern.matchAll(/:\w+/g)].map(([name]) => name);
  const hasBody = route.method !== 'GET';
  return fc.record({
    method: fc.constant(route.method),
    target: fc
      .tuple(
        fc.tuple(...parameters.map(() => fc.constantFrom(...hostileSegments))),
        fc.dictionary(
          fc.constantFrom(...route.queryFields, 'q', '__proto__', ''),
          fc.constantFrom(...hostileTexts),
          {
            maxKeys: 3,
          },
        ),
      )
      .map(([segments, query]) => {
        const path = parameters.reduce(
          (built, name, index) => built.replace(name, () => segments[index] ?? ''),
          route.pattern,
        );
        const pairs = Object.entries(query).map((pair) => pair.map(escapeText).join('='));
        return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
      }),
    contentType: weighted(
      [8, fc.constant('application/json')],
      [1, fc.constantFrom('text/plain', 'application/json; charset=utf-16', 'multipart/form-data', '')],
    ),
    body: hasBody ? hostileBody(route.bodyFields) : fc.constant(undefined),
  });
}

/** Right but for at most two fields, or not what a body should be at all. */
function hostileBody(fields: Readonly<Record<string, unknown>>): fc.Arbitrary<string> {
  const names = Object.keys(fields);
  const needed = names.filter((name) => !(name in generationFields) || name === 'messages');
  const written = fc
    .record({
      kept: fc.subarray(names, { maxLength: Math.min(names.length, 6) }),
      wrong: fc.dictionary(fc.constantFrom(...names, ...hostileTexts), hostileValue(), { maxKeys: 2 }),
    })
    .map(({ kept, wrong }) => {
      const own = [...needed, ...kept].map((name) => [name, fields[name]] as const);
      return write({ ...Object.fromEntries(own), ...wrong });
    });
  return weighted(
    [10, written],
    [1, written.map((text) => text.slice(0, -2))],
    [1, written.map((text) => `${text}{}`)],
    [1, written.map((text) => `{"model":"beta-4-scout",${text.slice(1)}`)],
    [1, fc.constantFrom('', 'null', '[]', '\uFEFF{}', '"x"', '['.repeat(5000), '{"a":'.repeat(200))],
    [1, hostileValue().map(write)],
  );
}

function hostileValue(): fc.Arbitrary<unknown> {
  return weighted(
    [3, fc.constantFrom(...hostileNumbers.map((digits) => `${rawMark}${digits}${rawMark}`))],
    [3, fc.constantFrom(...hostileTexts)],
    [1, fc.constantFrom(null, true, false, [], {}, [[]], [null], { a: 1 })],
    [1, fc.constantFrom(...hostileTexts).map((text) => Array.from({ length: 40 }, () => text))],
    [1, fc.jsonValue({ maxDepth: 4 })],
  );
}

/** Digits that JSON allows and no JavaScript number holds are written as they stand. */
const rawMark = '@raw@';
const hostileNumbers = [
  '1e309',
  '-1e309',
  '1e-400',
  '-0',
  '0',
  '-1',
  '1',
  '2',
  '0.1',
  '9007199254740993',
  '2147483648',
  '18446744073709551616',
  '1'.repeat(400),
  '1e5',
  '16777217',
  '-2147483649',
  '0e0',
];

function write(value: unknown): string {
  return (JSON.stringify(value) ?? 'null').replaceAll(/"@raw@([^"@]*)@raw@"/g, '$1');
}

const hostileTexts = [
  '',
  ' ',
  'x',
  '0',
  'true',
  'null',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '../../etc/passwd',
  '%2e%2e%2f',
  '\u0000',
  'a\r\nb: c',
  '\uD800',
  '\u202E',
  "' OR 1=1 --",
  '";--',
  '%',
  '<script>alert(1)</script>',
  '${7*7}',
  '{{7*7}}',
  'http://169.254.169.254/latest',
  'file:///etc/passwd',
  '9'.repeat(30),
  '2026-13-45',
  '-1',
  '1e309',
  'NaN',
  '[object Object]',
  'é'.repeat(500),
  'a'.repeat(3000),
];

const hostileSegments = [
  ...hostileTexts.filter((text) => text !== '').map(escapeText),
  '%00',
  '%ff',
  '%2e%2e',
  '%252e',
  '..',
  '.',
  '%5c',
  '00000000-0000-0000-0000-000000000000',
  'resp_00000000000070008000000000000000',
  '%F0%9F%98%80',
];

function escapeText(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

const generationFields = {
  messages: [{ role: 'user', content: 'hello' }],
  prompt: 'hello',
  input: 'hello',
  max_tokens: 8,
  max_completion_tokens: 8,
  min_tokens: 0,
  temperature: 0.5,
  top_p: 0.9,
  n: 1,
  best_of: 1,
  stop: ['x'],
  seed: 1,
  logprobs: true,
  top_logprobs: 2,
  logit_bias: { '1': 1 },
  stream: false,
  stream_options: { include_usage: true },
  tools: [{ type: 'function', function: { name: 'f', parameters: {} } }],
  tool_choice: 'auto',
  reasoning_effort: 'low',
  response_format: { type: 'json_object' },
  chat_template_kwargs: { enable_thinking: false },
  user: 'x',
  instructions: 'Be brief.',
  max_output_tokens: 8,
  reasoning: { effort: 'low' },
  text: { format: { type: 'json_object' } },
  truncation: 'auto',
  include: [],
  store: true,
  background: false,
};

/** The names in a schema, each with a value of about the right kind. */
function fieldsOf(schema: z.ZodType | undefined): Record<string, unknown> {
  if (schema === undefined) return {};
  const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as {
    readonly properties?: Readonly<
      Record<string, { readonly type?: string; readonly enum?: readonly unknown[] }>
    >;
  };
  return Object.fromEntries(
    Object.entries(described.properties ?? {}).map(([name, field]) => [
      name,
      field.enum?.[0] ?? examples[field.type ?? ''] ?? null,
    ]),
  );
}

const examples: Readonly<Record<string, unknown>> = {
  string: 'hello',
  number: 1,
  integer: 1,
  boolean: true,
  array: [],
  object: {},
};

function weighted<Value>(...choices: (readonly [weight: number, arbitrary: fc.Arbitrary<Value>])[]) {
  return fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));
}
