import { objectOf, type SchemaDocument, type SchemaNode } from './schema-document.ts';
import { listedSchemas, refuseKeywords, schemaUnder } from './schema-parts.ts';
import { type Conjunction, conjunctionOf } from './shape.ts';
import { UnsupportedSchema } from './unsupported-schema.ts';

/** One way to satisfy schemas: all references and alternatives decided, so that only plain keywords remain. */
export interface Alternative {
  readonly nodes: Conjunction;
  /** Schemas the value must not satisfy, with the keyword that says so. */
  readonly exclusions: readonly Exclusion[];
}

export interface Exclusion {
  readonly node: SchemaNode;
  readonly keyword: string;
  readonly path: string;
}

export interface Alternatives {
  of(conjunction: Conjunction): readonly Alternative[];
}

const maxAlternatives = 1_000;

export function createAlternatives(document: SchemaDocument): Alternatives {
  return {
    of: (conjunction) => {
      const start: Draft = { nodes: [], exclusions: [], decisions: [], isPossible: true };
      const found: Alternative[] = [];
      const open = [conjunction.reduce((draft, node) => include(document, draft, node, []), start)];
      for (let draft = open.pop(); draft !== undefined; draft = open.pop()) {
        if (!draft.isPossible) continue;
        const [decision, ...decisions] = draft.decisions;
        if (decision === undefined) {
          found.push({ nodes: conjunctionOf(draft.nodes), exclusions: draft.exclusions });
        } else {
          const rest = { ...draft, decisions };
          for (const option of decision.options.toReversed())
            open.push(decide(document, rest, decision, option));
        }
        if (found.length + open.length > maxAlternatives) {
          const path = conjunction[0]?.path ?? '';
          throw new UnsupportedSchema('', path, 'is too complex: its alternatives multiply');
        }
      }
      return found;
    },
  };
}

interface Draft {
  readonly nodes: readonly SchemaNode[];
  readonly exclusions: readonly Exclusion[];
  readonly decisions: readonly Decision[];
  readonly isPossible: boolean;
}

interface Decision {
  readonly options: readonly Option[];
  /** The schemas on the way here, for the same value: meeting one of them again would never end. */
  readonly ancestors: readonly string[];
}

interface Option {
  readonly include: readonly SchemaNode[];
  readonly exclude: readonly Exclusion[];
}

function decide(document: SchemaDocument, draft: Draft, decision: Decision, option: Option): Draft {
  const exclusions = [...draft.exclusions, ...option.exclude];
  return option.include.reduce<Draft>((grown, node) => include(document, grown, node, decision.ancestors), {
    ...draft,
    exclusions,
  });
}

function include(
  document: SchemaDocument,
  draft: Draft,
  node: SchemaNode,
  ancestors: readonly string[],
): Draft {
  if (ancestors.includes(node.path))
    throw new UnsupportedSchema('$ref', node.path, 'refers to itself without end');
  if (node.schema === true || draft.nodes.some((known) => known.path === node.path)) return draft;
  if (node.schema === false) return { ...draft, isPossible: false };
  refuseKeywords(node, [], ['$dynamicRef', '$recursiveRef']);
  if (node.path !== '' && typeof objectOf(node)['$id'] === 'string') {
    throw new UnsupportedSchema('$id', node.path, 'is only supported at the top of the schema');
  }
  const lineage = [...ancestors, node.path];
  const own: Draft = {
    ...draft,
    nodes: [...draft.nodes, node],
    exclusions: [...draft.exclusions, ...exclusionsOf(document, node)],
    decisions: [...draft.decisions, ...decisionsOf(document, node, lineage)],
  };
  const reference = document.referenceOf(node);
  const together = [
    ...(reference === undefined ? [] : [reference]),
    ...listedSchemas(document, node, 'allOf'),
  ];
  return together.reduce((grown, part) => include(document, grown, part, lineage), own);
}

function exclusionsOf(document: SchemaDocument, node: SchemaNode): Exclusion[] {
  const not = schemaUnder(document, node, 'not');
  return not === undefined ? [] : [{ node: not, keyword: 'not', path: node.path }];
}

function decisionsOf(document: SchemaDocument, node: SchemaNode, ancestors: readonly string[]): Decision[] {
  const decisions: Decision[] = [];
  const anyOf = choicesIn(document, node, 'anyOf');
  if (anyOf.length > 0) {
    decisions.push({ ancestors, options: anyOf.map((option) => ({ include: [option], exclude: [] })) });
  }
  const oneOf = choicesIn(document, node, 'oneOf');
  if (oneOf.length > 0) {
    const options = oneOf.map((option) => {
      const others = oneOf.filter((other) => other !== option);
      const exclude = others.map((other) => ({ node: other, keyword: 'oneOf', path: node.path }));
      return { include: [option], exclude };
    });
    decisions.push({ ancestors, options });
  }
  const condition = schemaUnder(document, node, 'if');
  if (condition !== undefined && (objectOf(node)['then'] ?? objectOf(node)['else']) !== undefined) {
    const consequence = (keyword: string) =>
      [schemaUnder(document, node, keyword)].filter((one) => one !== undefined);
    const options = [
      { include: [condition, ...consequence('then')], exclude: [] },
      { include: consequence('else'), exclude: [{ node: condition, keyword: 'if', path: node.path }] },
    ];
    decisions.push({ ancestors, options });
  }
  return decisions;
}

function choicesIn(document: SchemaDocument, node: SchemaNode, keyword: string): SchemaNode[] {
  const choices = listedSchemas(document, node, keyword);
  if (choices.length === 0 && objectOf(node)[keyword] !== undefined) {
    throw new UnsupportedSchema(keyword, node.path, 'must not be empty');
  }
  return choices;
}
