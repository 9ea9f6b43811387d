/** What a PromQL expression asks for, as far as a check against a scrape needs it. */
export interface Selector {
  readonly metric: string;
  readonly matchers: readonly { readonly label: string; readonly operator: string; readonly value: string }[];
}

export interface ReadExpression {
  readonly selectors: readonly Selector[];
  /** Labels after `by`. */
  readonly groupings: readonly string[];
}

const words = new Set(['by', 'or', 'and', 'unless', 'without', 'on', 'ignoring']);

/** Throws on anything that is neither a metric, a function call nor a word of the language. */
export function readExpression(expression: string): ReadExpression {
  const groupings: string[] = [];
  const selectors: Selector[] = [];
  const rest = expression
    .replaceAll(/\bby\s*\(([^)]*)\)/g, (_, list: string) => {
      groupings.push(...list.split(',').map((label) => label.trim()));
      return ' ';
    })
    .replaceAll(/([a-zA-Z_:][\w:]*)\s*\{([^}]*)\}/g, (_, metric: string, inner: string) => {
      selectors.push({ metric, matchers: readMatchers(inner) });
      return ' ';
    })
    .replaceAll(/\[[^\]]*\]/g, ' ')
    .replaceAll(/\b\d+(?:\.\d+)?(?:e\d+)?\b/g, ' ');
  for (const [, name = '', call] of rest.matchAll(/([a-zA-Z_:][\w:]*)\s*(\()?/g)) {
    if (call === undefined && !words.has(name)) selectors.push({ metric: name, matchers: [] });
  }
  return { selectors, groupings };
}

function readMatchers(inner: string): Selector['matchers'] {
  return inner
    .split(',')
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const [, label = '', operator = '', value = ''] =
        /^\s*(\w+)\s*(=~|!~|!=|=)\s*"(.*)"\s*$/.exec(part) ?? [];
      if (label === '') throw new Error(`not a matcher: ${part}`);
      return { label, operator, value };
    });
}

/** Metric names of a scrape with the labels they were seen with. */
export function readScrape(text: string): Map<string, Set<string>> {
  const seen = new Map<string, Set<string>>();
  const labelsOf = (name: string) => seen.get(name) ?? seen.set(name, new Set()).get(name)!;
  for (const line of text.split('\n')) {
    const [, declared, type] = /^# TYPE (\S+) (\S+)/.exec(line) ?? [];
    if (declared !== undefined && type !== 'histogram') labelsOf(declared);
    const [, name, labels = ''] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? \S+$/.exec(line) ?? [];
    if (name === undefined) continue;
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) labelsOf(name).add(label);
    labelsOf(name);
  }
  return seen;
}
