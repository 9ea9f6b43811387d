import { createObjectShapes } from './object-shape.ts';
import { isEmptyRange } from '../grammar/number-automaton.ts';
import { numberRangeOf } from './number-shape.ts';
import { measureLanguage } from '../patterns/measured-language.ts';
import { objectOf, type SchemaNode } from './schema-document.ts';
import { countKeyword, typesOf } from './schema-keywords.ts';
import { arrayParts, refuseKeywords, schemaUnder } from './schema-parts.ts';
import {
  type ArrayShape,
  type Conjunction,
  conjunctionOf,
  type LiteralShape,
  type Shape,
  type StringShape,
} from './shape.ts';
import { isEmptyLanguage, type TextAutomaton } from '../patterns/text-language.ts';
import { refuseTooComplex } from './refuse-too-complex.ts';
import { countsOf, type ShapeContext } from './shape-context.ts';
import type { Certainty } from './text-rules.ts';
import { UnsupportedSchema } from './unsupported-schema.ts';

/** Each item may satisfy any of them: bounds the ways. */
const maxContains = 5;

export type ShapeKind = Exclude<Shape, LiteralShape>['kind'];
type TypedShape = Exclude<Shape, LiteralShape>;

export interface TypedShapes {
  /** What the schemas say together about values of one kind: one shape, or none when they contradict each other. */
  shapeOf(kind: ShapeKind, nodes: Conjunction): TypedShape[];
  /** The schemas that describe what is really written of a shape, which may be less than the shape allows. */
  asWritten(shape: TypedShape): Conjunction;
  /** True only when no value fits for certain. */
  isEmpty(shape: Shape): boolean;
}

export function createTypedShapes(context: ShapeContext): TypedShapes {
  const { document, rules } = context;
  const objects = createObjectShapes(context);

  const arrayShape = (sources: Conjunction): ArrayShape => {
    for (const node of sources) refuseKeywords(node, ['unevaluatedItems']);
    const [minItems, maxItems] = countsOf(sources, 'minItems', 'maxItems');
    const isUnique = maxItems > 1 && sources.some((node) => objectOf(node)['uniqueItems'] === true);
    const parts = sources.map((node) => arrayParts(document, node));
    const prefixLength = Math.min(maxItems, Math.max(0, ...parts.map(({ prefix }) => prefix.length)));
    const at = (index: number) =>
      conjunctionOf(
        parts.map(({ prefix, rest }) => prefix[index] ?? rest).filter((node) => node !== undefined),
      );
    const prefix = Array.from({ length: prefixLength }, (_, index) => at(index));
    const contains = containsOf(sources);
    return { kind: 'array', prefix, rest: at(Infinity), contains, isUnique, minItems, maxItems, sources };
  };

  /** What some item must satisfy. */
  const containsOf = (sources: Conjunction): readonly SchemaNode[] => {
    const asking = sources.filter((node) => objectOf(node)['contains'] !== undefined);
    for (const node of asking) {
      refuseKeywords(node, [], ['maxContains']);
      if ((countKeyword(node, 'minContains') ?? 1) > 1) refuseKeywords(node, [], ['minContains']);
    }
    const wanted = asking
      .filter((node) => countKeyword(node, 'minContains') !== 0)
      .map((node) => schemaUnder(document, node, 'contains'))
      .filter((node) => node !== undefined);
    const [first] = wanted;
    if (wanted.length > maxContains)
      throw new UnsupportedSchema(
        'contains',
        first?.path ?? '',
        `is not supported more than ${maxContains} times for the same array`,
      );
    return wanted;
  };

  const languageOf = (sources: Conjunction, certainty: Certainty): TextAutomaton | undefined => {
    let language: TextAutomaton | undefined;
    for (const node of sources) {
      for (const one of rules.languagesOf(node, certainty)) {
        language = language === undefined ? one : rules.meet(language, one, 'pattern', node);
      }
    }
    return language;
  };

  const stringShape = (sources: Conjunction): StringShape => {
    const [minLength, maxLength] = countsOf(sources, 'minLength', 'maxLength');
    return { kind: 'string', language: languageOf(sources, 'surely'), minLength, maxLength, sources };
  };

  const shapeOf = (kind: ShapeKind, sources: Conjunction): TypedShape[] => {
    switch (kind) {
      case 'array':
        return [arrayShape(sources)];
      case 'string':
        return [stringShape(sources)];
      case 'object':
        return [objects.shapeOf(sources)];
      default: {
        const range = numberRangeOf(sources, sources.some(saysInteger));
        return range === undefined ? [] : [{ kind: 'number', range, sources }];
      }
    }
  };

  const isEmptyString = ({ minLength, maxLength, sources, ...shape }: StringShape): boolean => {
    if (minLength > maxLength) return true;
    const hasFormat = sources.some((node) => objectOf(node)['format'] !== undefined);
    const language = hasFormat ? languageOf(sources, 'perhaps') : shape.language;
    if (language === undefined) return false;
    if (isEmptyLanguage(language)) return true;
    if (minLength === 0 && maxLength === Infinity) return false;
    const [node] = sources;
    return refuseTooComplex(
      node,
      () => measureLanguage(language, minLength, maxLength).cost(0, 0) === Infinity,
    );
  };

  const isEmptyArray = ({ prefix, rest, contains, minItems, maxItems }: ArrayShape): boolean =>
    minItems > maxItems ||
    (contains.length > 0 && maxItems === 0) ||
    contains.some((one) => context.isEmpty(conjunctionOf([one]))) ||
    prefix.some((item, index) => index < minItems && context.isEmpty(item)) ||
    (minItems > prefix.length && context.isEmpty(rest));

  return {
    shapeOf,
    asWritten: (shape) => (shape.kind === 'object' ? objects.asWritten(shape) : shape.sources),
    isEmpty: (shape) => {
      switch (shape.kind) {
        case 'literal':
          return false;
        case 'number':
          return isEmptyRange(shape.range);
        case 'string':
          return isEmptyString(shape);
        case 'array':
          return isEmptyArray(shape);
        default:
          return objects.isEmpty(shape);
      }
    },
  };
}

function saysInteger(node: SchemaNode): boolean {
  const types = typesOf(node);
  return types !== undefined && types.has('integer') && !types.has('number');
}
