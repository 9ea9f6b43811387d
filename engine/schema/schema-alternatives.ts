import { escapePointer } from './schema-addresses.ts';
import { createEndlessCheck } from './endless-references.ts';
import { objectOf, type SchemaDocument, type SchemaNode } from './schema-document.ts';
import {
  combinesSchemas,
  dependenciesOf,
  listedSchemas,
  refuseKeywords,
  schemaUnder,
} from './schema-parts.ts';
import type { Conjunction } from './shape.ts';
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
  const known = new Map<SchemaNode, Demands>();
  const demandsOf = (node: SchemaNode): Demands => {
    let demands = known.get(node);
    if (demands === undefined) {
      demands = readDemands(document, node);
      known.set(node, demands);
    }
    return demands;
  };
  const refuseEndless = createEndlessCheck((node) => schemasIn(demandsOf(node)));

  /** Undefined when nothing satisfies them together. */
  const including = (draft: Draft, nodes: readonly SchemaNode[]): Draft | undefined => {
    const grown: Grown = {
      nodes: [...draft.nodes],
      exclusions: [...draft.exclusions],
      decisions: [...draft.decisions],
    };
    const isPossible =
      nodes.every((node) => include(node, grown)) &&
      !grown.exclusions.some(({ node }) => grown.nodes.includes(node));
    return isPossible ? grown : undefined;
  };

  const include = (node: SchemaNode, grown: Grown): boolean => {
    if (node.schema === true || grown.nodes.includes(node)) return true;
    if (node.schema === false) return false;
    refuseEndless(node);
    const { exclusions, decisions, together } = demandsOf(node);
    grown.nodes.push(node);
    grown.exclusions.push(...exclusions);
    grown.decisions.push(...decisions);
    return together.every((part) => include(part, grown));
  };

  const expand = (start: Draft, conjunction: Conjunction): readonly Alternative[] => {
    const found: Alternative[] = [];
    const open: Draft[] = [];
    const consider = (draft: Draft | undefined): void => {
      if (draft !== undefined) open.push(draft);
    };
    consider(including(start, conjunction));
    for (let draft = open.pop(); draft !== undefined; draft = open.pop()) {
      const { nodes, exclusions } = draft;
      const [decision, ...decisions] = draft.decisions;
      if (decision === undefined) found.push({ nodes, exclusions });
      else
        for (const { include: further, exclude } of decision.options.toReversed())
          consider(including({ nodes, exclusions: [...exclusions, ...exclude], decisions }, further));
      if (found.length + open.length > maxAlternatives) {
        const path = conjunction[0]?.path ?? '';
        throw new UnsupportedSchema('', path, 'is too complex: its alternatives multiply');
      }
    }
    return found;
  };
  return {
    of: (conjunction) => expand({ nodes: [], exclusions: [], decisions: [] }, conjunction),
    within: ({ nodes, exclusions }, option) =>
      expand({ nodes, exclusions: [...exclusions, ...option.exclude], decisions: [] }, option.include),
  };
}

interface Draft extends Alternative {
  readonly decisions: readonly Decision[];
}

interface Grown {
  readonly nodes: SchemaNode[];
  readonly exclusions: Exclusion[];
  readonly decisions: Decision[];
}

interface Decision {
  readonly options: readonly Option[];
}

/** What a schema asks for besides its plain keywords. */
interface Demands {
  readonly exclusions: readonly Exclusion[];
  readonly decisions: readonly Decision[];
  /** Schemas to satisfy as well. */
  readonly together: readonly SchemaNode[];
}

const noDemands: Demands = { exclusions: [], decisions: [], together: [] };

function readDemands(document: SchemaDocument, node: SchemaNode): Demands {
  if (!combinesSchemas(node)) return noDemands;
  refuseKeywords(node, [], ['$dynamicRef', '$recursiveRef']);
  const reference = document.referenceOf(node);
  return {
    exclusions: exclusionsOf(document, node),
    decisions: decisionsOf(document, node),
    together: [...(reference === undefined ? [] : [reference]), ...listedSchemas(document, node, 'allOf')],
  };
}

/** All that may be asked of the same value. What one option excludes another one includes. */
function* schemasIn({ exclusions, decisions, together }: Demands): Iterable<SchemaNode> {
  yield* together;
  for (const { node } of exclusions) yield node;
  for (const { options } of decisions) for (const { include } of options) yield* include;
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
    const absent = document.made(`${node.path}${madeUp}absent/${escapePointer(name)}`, () => ({
      schema: { properties: { [name]: false } },
    }));
    const present = document.made(`${node.path}${madeUp}present/${escapePointer(name)}`, () => ({
      schema: { required: [name, ...required] },
    }));
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
