import { escapePointer } from './schema-addresses.ts';
import { createEndlessCheck } from './endless-references.ts';
import { objectOf, type SchemaDocument, type SchemaNode } from './schema-document.ts';
import { dependenciesOf, listedSchemas, refuseKeywords, schemaUnder } from './schema-parts.ts';
import { type Conjunction, conjunctionOf } from './shape.ts';
import { madeUp, UnsupportedSchema } from './unsupported-schema.ts';

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

/** One way to go: schemas to satisfy besides, and schemas not to. */
export interface Option {
  readonly include: readonly SchemaNode[];
  readonly exclude: readonly Exclusion[];
}

export interface Alternatives {
  of(conjunction: Conjunction): readonly Alternative[];
  /** The ways to satisfy an alternative that is limited further. */
  within(alternative: Alternative, option: Option): readonly Alternative[];
}

const maxAlternatives = 1_000;

export function createAlternatives(document: SchemaDocument): Alternatives {
  const refuseEndless = createEndlessCheck(document);
  const expand = (start: Draft, conjunction: Conjunction): readonly Alternative[] => {
    const found: Alternative[] = [];
    for (const node of conjunction) refuseEndless(node);
    const open = [conjunction.reduce((draft, node) => include(document, draft, node), start)];
    for (let draft = open.pop(); draft !== undefined; draft = open.pop()) {
      if (!draft.isPossible) continue;
      const [decision, ...decisions] = draft.decisions;
      if (decision === undefined) {
        found.push({ nodes: conjunctionOf(draft.nodes), exclusions: draft.exclusions });
      } else {
        const rest = { ...draft, decisions };
        for (const option of decision.options.toReversed()) open.push(decide(document, rest, option));
      }
      if (found.length + open.length > maxAlternatives) {
        const path = conjunction[0]?.path ?? '';
        throw new UnsupportedSchema('', path, 'is too complex: its alternatives multiply');
      }
    }
    return found;
  };
  return {
    of: (conjunction) => expand({ nodes: [], exclusions: [], decisions: [], isPossible: true }, conjunction),
    within: ({ nodes, exclusions }, option) =>
      expand(
        { nodes, exclusions: [...exclusions, ...option.exclude], decisions: [], isPossible: true },
        option.include,
      ),
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
}

function decide(document: SchemaDocument, draft: Draft, option: Option): Draft {
  const exclusions = [...draft.exclusions, ...option.exclude];
  return option.include.reduce<Draft>((grown, node) => include(document, grown, node), {
    ...draft,
    exclusions,
  });
}

function include(document: SchemaDocument, draft: Draft, node: SchemaNode): Draft {
  if (node.schema === true || draft.nodes.some((known) => known.path === node.path)) return draft;
  if (node.schema === false) return { ...draft, isPossible: false };
  refuseKeywords(node, [], ['$dynamicRef', '$recursiveRef']);
  const own: Draft = {
    ...draft,
    nodes: [...draft.nodes, node],
    exclusions: [...draft.exclusions, ...exclusionsOf(document, node)],
    decisions: [...draft.decisions, ...decisionsOf(document, node)],
  };
  const reference = document.referenceOf(node);
  const together = [
    ...(reference === undefined ? [] : [reference]),
    ...listedSchemas(document, node, 'allOf'),
  ];
  return together.reduce((grown, part) => include(document, grown, part), own);
}

function exclusionsOf(document: SchemaDocument, node: SchemaNode): Exclusion[] {
  const not = schemaUnder(document, node, 'not');
  return not === undefined ? [] : [{ node: not, keyword: 'not', path: node.path }];
}

function decisionsOf(document: SchemaDocument, node: SchemaNode): Decision[] {
  const decisions: Decision[] = [];
  const anyOf = choicesIn(document, node, 'anyOf');
  if (anyOf.length > 0) {
    decisions.push({ options: anyOf.map((option) => ({ include: [option], exclude: [] })) });
  }
  const oneOf = choicesIn(document, node, 'oneOf');
  if (oneOf.length > 0) {
    // By place: the same schema may be listed twice, and then nothing satisfies it alone.
    const options = oneOf.map((option, index) => {
      const others = oneOf.toSpliced(index, 1);
      const exclude = others.map((other) => ({ node: other, keyword: 'oneOf', path: node.path }));
      return { include: [option], exclude };
    });
    decisions.push({ options });
  }
  const condition = schemaUnder(document, node, 'if');
  if (condition !== undefined && (objectOf(node)['then'] ?? objectOf(node)['else']) !== undefined) {
    const consequence = (keyword: string) =>
      [schemaUnder(document, node, keyword)].filter((one) => one !== undefined);
    const options = [
      { include: [condition, ...consequence('then')], exclude: [] },
      { include: consequence('else'), exclude: [{ node: condition, keyword: 'if', path: node.path }] },
    ];
    decisions.push({ options });
  }
  return [...decisions, ...dependencyDecisions(document, node)];
}

/** A property is absent, or it is there with everything that depends on it. */
function dependencyDecisions(document: SchemaDocument, node: SchemaNode): Decision[] {
  return dependenciesOf(document, node).map(({ name, required, schema }) => {
    const absent = {
      path: `${node.path}${madeUp}absent/${escapePointer(name)}`,
      schema: { properties: { [name]: false } },
    };
    const present = {
      path: `${node.path}${madeUp}present/${escapePointer(name)}`,
      schema: { required: [name, ...required] },
    };
    return {
      options: [
        { include: [present, ...(schema === undefined ? [] : [schema])], exclude: [] },
        { include: [absent], exclude: [] },
      ],
    };
  });
}

function choicesIn(document: SchemaDocument, node: SchemaNode, keyword: string): SchemaNode[] {
  const choices = listedSchemas(document, node, keyword);
  if (choices.length === 0 && objectOf(node)[keyword] !== undefined) {
    throw new UnsupportedSchema(keyword, node.path, 'must not be empty');
  }
  return choices;
}
