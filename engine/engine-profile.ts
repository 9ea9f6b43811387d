import type { ReasoningEffort, ReasoningForm } from '#vocabulary/catalogue';

/** How one public model id behaves; many ids may share one set of weights. */
export interface EngineProfile {
  readonly id: string;
  readonly reasoning: ReasoningForm;
  readonly supportsTools: boolean;
  readonly supportsReasoningEffort: boolean;
  readonly defaultReasoningEffort: ReasoningEffort;
  readonly templateKwargs: Readonly<Record<string, unknown>>;
  readonly thinkingBudgetTokens?: Readonly<Record<ReasoningEffort, number>> | undefined;
  /** By their wire names: `temperature`, `top_p`, `top_k`, `min_p`, … */
  readonly samplingDefaults: Readonly<Record<string, number>>;
  /** Smaller than the engine's own limit, or absent. */
  readonly contextTokens?: number | undefined;
}

/** For a file served without settings of its own: everything the template offers is on. */
export function plainProfile(id: string): EngineProfile {
  return {
    id,
    reasoning: 'separate',
    supportsTools: true,
    supportsReasoningEffort: true,
    defaultReasoningEffort: 'medium',
    templateKwargs: {},
    samplingDefaults: {},
  };
}
