import type { ModelDefinition, ReasoningEffort } from '#vocabulary/catalogue';
import { isObject, type JsonObject } from '#dialects/json-object';
import { requireObject, wrong } from './wrong-message.ts';

/** How thoughts are told: as they come, as a block without words, or not at all. Only who asks for them gets them. */
export type ThoughtDisplay = 'told' | 'omitted' | 'withheld';

export interface AskedThinking {
  readonly display: ThoughtDisplay;
  /** Undefined leaves the model its own. */
  readonly effort: ReasoningEffort | undefined;
  /** For the template of a model that thinks, knows no efforts and is asked not to. */
  readonly template: JsonObject;
  /** What this model cannot heed. */
  readonly ignored: readonly string[];
}

/** Budgets are tokens there and steps here. */
const mostTokensOfLow = 4096;
const mostTokensOfMedium = 16_384;

export function readThinking(
  body: JsonObject,
  model: Pick<ModelDefinition, 'supportsReasoningEffort' | 'reasoning'>,
): AskedThinking {
  const { thinking } = body;
  const byConfig = effortOfConfig(body['output_config']);
  const asked = thinking === undefined || thinking === null ? {} : requireObject(thinking, 'thinking');
  const display = displayOf(asked);
  const effort = byConfig ?? effortOfThinking(asked);
  if (effort === undefined || model.supportsReasoningEffort)
    return { display, effort, template: {}, ignored: [] };
  if (asked['type'] === 'disabled') {
    const template = model.reasoning === 'none' ? {} : { enable_thinking: false };
    return { display, effort: undefined, template, ignored: [] };
  }
  const ignored = byConfig === undefined ? 'thinking.budget_tokens' : 'output_config.effort';
  return { display, effort: undefined, template: {}, ignored: [ignored] };
}

function displayOf(asked: JsonObject): ThoughtDisplay {
  switch (asked['type']) {
    case 'enabled':
    case 'adaptive':
    case 'between_tools':
      return asked['display'] === 'omitted' ? 'omitted' : 'told';
    case undefined:
    case 'disabled':
      return 'withheld';
    default:
      throw wrong('thinking', '"thinking.type" must be "enabled", "adaptive" or "disabled".');
  }
}

function effortOfThinking(asked: JsonObject): ReasoningEffort | undefined {
  if (asked['type'] === 'disabled') return 'low';
  if (asked['type'] !== 'enabled') return undefined;
  const budget = asked['budget_tokens'];
  if (typeof budget !== 'number' || !Number.isSafeInteger(budget) || budget < 1)
    throw wrong('thinking', '"thinking.budget_tokens" must be a whole number of tokens.');
  if (budget <= mostTokensOfLow) return 'low';
  return budget <= mostTokensOfMedium ? 'medium' : 'high';
}

function effortOfConfig(config: unknown): ReasoningEffort | undefined {
  const effort = isObject(config) ? config['effort'] : undefined;
  switch (effort) {
    case undefined:
    case null:
      return undefined;
    case 'low':
    case 'medium':
    case 'high':
      return effort;
    case 'xhigh':
    case 'max':
      return 'high';
    default:
      throw wrong(
        'output_config',
        '"output_config.effort" must be "low", "medium", "high", "xhigh" or "max".',
      );
  }
}
