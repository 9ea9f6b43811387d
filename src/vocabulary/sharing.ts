/** Whose work a request is, and how much of the service that work may claim when others want it too. */
export interface Share {
  readonly projectId: string;
  /** Against the other projects: one of weight 3 gets three times as much as one of weight 1. */
  readonly projectWeight: number;
  /** A person, or the address of a caller without a token. */
  readonly memberId: string;
  /** The API key that was shown. */
  readonly keyId: string | undefined;
  /**
   * Whose prompts an engine may serve from what it still holds of earlier ones. Different for every member, unless
   * their project shares; otherwise the number of cached tokens would tell one what another asked.
   */
  readonly cacheSalt: string;
  /** Background work gets what interactive work leaves, and never nothing. */
  readonly lane: LaneName;
}

/** What limits are counted by. */
export type LimitedShare = Pick<Share, 'projectId' | 'memberId' | 'keyId'>;

export type LaneName = 'interactive' | 'background';

/** How far an answer has come; the carrier of the answer counts up. */
export interface AnswerProgress {
  readonly outputTokens: number;
}

/** Where somebody stands in the line. */
export interface LinePlace {
  /** 1 is next. */
  readonly place: number;
  readonly seconds: number;
}

/**
 * What the gateways of one service tell each other about who was served what, so that nobody gets more by asking at
 * several of them. May be late: then the lines are as fair as the news are fresh.
 */
export interface ConsumptionNews {
  /** Somebody was charged here; negative when less was used than had been charged. Called with every request. */
  charged(modelId: string, share: Share, cost: number): void;
  /** The listener hears what other gateways have charged. */
  onChargedElsewhere(listener: (modelId: string, share: Share, cost: number) => void): void;
}

/** A gateway without others. */
export const noOtherGateway: ConsumptionNews = { charged: () => {}, onChargedElsewhere: () => {} };

/** Everybody is a member of this project. */
export const everyone = 'everyone';
