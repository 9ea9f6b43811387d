/** What the gateways of one service tell each other. */
import type { Exchange } from './exchange.ts';

/** Where they tell it: in the database that they share. */
export interface NewsBoard {
  /** The name of this gateway, from the first time that it is asked for. */
  readonly ownId: string;
  /**
   * Puts up what this gateway has to tell, and then reads what the others have put up, also late ones. In this order: of two that tell something at the same time, at least one hears of the other. Rejects when the database
   * does not answer in time.
   */
  exchange(own: GatewayNews): Promise<readonly NewsOfAnother[]>;
  /** Takes down what this gateway has put up. Never rejects. */
  withdraw(): Promise<void>;
}

export interface GatewayNews {
  /** Where other gateways reach it; empty while it does not listen. */
  readonly address: string;
  /** By topic. */
  readonly topics: Readonly<Record<string, unknown>>;
}

export interface NewsOfAnother extends GatewayNews {
  readonly gatewayId: string;
  /** How long ago it was put up. */
  readonly ageMs: number;
}

/** Something of which gateways keep account together. */
export interface Topic {
  /** Says also in which form it is told, so that two versions of the program do not misunderstand each other. */
  readonly name: string;
  /** What this gateway has to tell now. */
  tell(): unknown;
  /** What the others tell, by gateway; whoever is not there does not live any more. Heard after the own was put up. */
  hear(told: ReadonlyMap<string, unknown>): void;
  /** The others have not been heard for so long that what they told means nothing any more. */
  lose(): void;
}

/** The other gateways, as one of them sees them. */
export interface Peers {
  /** Topics that are joined before the start. */
  join(topic: Topic): void;
  /** How many others there are. */
  readonly count: number;
  /** Whether what they told is fresh. */
  readonly isInTouch: boolean;
  /** Somebody waits: tells and hears soon, not only when it is time. */
  hurry(): void;
}

/** Calls from one gateway to another, signed with the secret of the service. */
export interface PeerCalls {
  /** Whoever can be asked: also one whose news are late, as they are on a machine that is too busy. */
  gateways(): readonly string[];
  /** Those of them whose news are fresh. */
  living(): readonly string[];
  /** What the gateway answers; undefined when it cannot be reached or refuses. Rejects never. */
  ask(gatewayId: string, call: PeerCall): Promise<PeerAnswer | undefined>;
  /** Whether nobody is where it was any more: it is dead, not only slow or cut off. */
  isGone(gatewayId: string): Promise<boolean>;
}

export interface PeerCall {
  readonly method: 'GET' | 'POST';
  /** Which of its services, what of it, and what is to be done with it: `answers/gen_1/stop`. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Ends the call, also while the answer is read. */
  readonly signal: AbortSignal;
}

export interface PeerAnswer {
  readonly status: number;
  /** Whether it was signed by somebody who knows the secret. Only a call that nobody could foresee proves anything. */
  readonly isSigned: boolean;
  header(lowerCaseName: string): string | undefined;
  /** Throws when the other gateway dies. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** What a gateway does for others. Throws a refusal for what it does not have. */
export type PeerService = (call: {
  readonly exchange: Exchange;
  readonly id: string;
  /** Empty: just read. */
  readonly verb: string;
  readonly query: URLSearchParams;
}) => Promise<void> | void;
