import type { RecalledAnswer } from '#dialects/translation';
import type { Envelope } from '#dialects/envelope';
import type { BegunAnswer } from './begun-answer.ts';
import type { Caller, Claim } from './caller.ts';
import type { EngineDefinition, ModelDefinition, ModelReplica } from './catalogue.ts';
import type { Retry } from './engine-fault.ts';
import type { Exchange } from './exchange.ts';
import type { Refusal } from './refusal.ts';
import type { Share } from './sharing.ts';
import type { DoorName, Ending, TokenUsage } from './usage.ts';

/**
 * The nouns of one request, in the order in which the rooms make them:
 * Exchange → IncomingRequest → Identity → ParsedRequest → Ticket → Turn → Route → EngineStream → Outcome.
 */

/** Who stands at which door, before a byte of the body is read. Not yet believed. */
export interface IncomingRequest {
  readonly exchange: Exchange;
  readonly door: DoorName;
  /** The true address: the peer, or what a trusted proxy says of it. */
  readonly address: string;
  /** False when a proxy that nobody declared passes the request on: then `address` is its own. */
  readonly isAddressCertain: boolean;
  readonly claim: Claim;
  /** The path behind the door's base, without a version segment: `chat/completions`. */
  readonly asked: string;
  /** Whether what stands behind the answer is to be kept, for its owner. */
  readonly leavesReceipt: boolean;
  /** The model whose direct address was called. */
  readonly servedHere: ModelDefinition | undefined;
  /** What another gateway has told the caller in a dialect that is translated. */
  readonly recalled?: RecalledAnswer | undefined;
  /** Of an answer with which another gateway may have to go on: the id of the request that began it, here or there. */
  readonly begunAs?: string | undefined;
  /** Nobody sits in front of it: where no engine is there it waits for one. */
  readonly isPatient?: boolean | undefined;
  /** Told at once why an understood question is not served; its reply hears it when that is written down. */
  readonly onRefused?: ((refusal: Refusal) => void) | undefined;
}

/** A caller who has been believed. */
export interface Identity {
  readonly caller: Caller;
  /** Model ids this caller may use; empty means every model. */
  readonly models: readonly string[];
  /** Whose work a request for this model is; a person's chats go to a project that has the model. */
  shareFor(modelId: string): Share;
}

export type InferenceEndpoint =
  | 'chat/completions'
  | 'completions'
  | 'embeddings'
  | 'responses'
  | 'messages'
  | 'messages/count_tokens'
  | 'tokenize'
  | 'detokenize'
  | 'score'
  | 'rerank';

/** A request whose body has been read and found answerable. */
export interface ParsedRequest {
  readonly exchange: Exchange;
  readonly door: DoorName;
  readonly address: string;
  /** What the caller called. */
  readonly spoken: InferenceEndpoint;
  /** What the engine is asked: `chat/completions` for every dialect that is translated. */
  readonly endpoint: InferenceEndpoint;
  readonly model: ModelDefinition;
  readonly envelope: Envelope;
  readonly wantsStream: boolean;
  /** `stream_options.include_usage` as the caller sent it. */
  readonly wantsUsage: boolean;
  readonly reasoning: 'none' | 'think-tags' | 'separate';
  /** Answers to be written at once: `n` for each prompt. Each needs a place of its own at the engine. */
  readonly sequences: number;
  /** What the caller lets the answer grow to; 0 where nothing is written. */
  readonly maxOutputTokens: number | undefined;
  /** Parameters that nobody will heed. */
  readonly ignored: readonly string[];
  readonly leavesReceipt: boolean;
  /** From which a seed is taken when the caller gives none, so that the answer can be had again; undefined: nobody has to. */
  readonly seedSource: string | undefined;
  readonly share: Share;
}

/** The right to be here, until disposed. */
export interface Ticket extends Disposable {
  readonly request: ParsedRequest;
  readonly caller: Caller;
}

/** Places at one engine, taken for one request. Disposing gives them back; twice is harmless. */
export interface Route extends Disposable {
  readonly request: ParsedRequest;
  readonly engine: EngineDefinition;
  readonly replica: ModelReplica;
  /** How many tries there were before this one, from the beginning or in the middle of an answer. */
  readonly earlierTries: number;
}

/** The right to be served now, with the places that were free when the turn came. Disposing ends it. */
export interface Turn extends Disposable {
  readonly route: Route;
  readonly waitMs: number;
  /** What the turn costs as far as is known; exact once it is settled. */
  readonly cost: number;
  /** What was used in the end; called once, before the turn is disposed. */
  settle(usage: TokenUsage): void;
}

/** An engine's answer from its headers on. */
export interface EngineStream {
  readonly status: number;
  readonly contentType: string;
  /** Milliseconds from sending the request to its first byte back. */
  readonly firstByteMs: number;
  /** Answered, and nothing of the request is on its way any more: its memory may be given back. */
  readonly hasLetGo: boolean;
  /** Chunks that came before the reader are handed over first. Called once. */
  read(reader: EngineStreamReader): void;
  pause(): void;
  resume(): void;
  /** Stops the generation on the engine, not only the socket. Harmless after the end. */
  cancel(): void;
}

export interface EngineStreamReader {
  chunkArrived(chunk: Buffer): void;
  ended(): void;
  failed(cause: Error): void;
}

/** Failure is part of an outcome: the relay never throws. */
export interface Outcome {
  readonly ending: Ending;
  readonly status: number;
  readonly usage: TokenUsage;
  readonly firstByteMs: number | undefined;
  /** The gateway's own share of the time to the first byte: no engine, no waiting. */
  readonly overheadMs: number | undefined;
  /** Set when the engine is to blame, so that routing hears of it. */
  readonly engineFault: string | undefined;
  /** Not `never` only when nothing of the answer has reached the caller, or when nobody was there to go on with it. */
  readonly retry: Retry;
  /** The line to the engine broke, as it does when one dies. */
  readonly isCut?: boolean | undefined;
  /** What the caller is still to be told instead of the end of the answer. */
  readonly refusal: Refusal | undefined;
  /** Set when an engine died in the middle of an answer with which another one can go on. */
  readonly begun?: BegunAnswer | undefined;
  /** The engine was to write `begun` once more, and wrote something else; it can still go on by its words. */
  readonly isContradicted?: boolean | undefined;
  /** How many engines were asked to go on where another one had died. */
  readonly continuations?: number | undefined;
  /** What of the answer is held back until then, as the caller will get it. */
  readonly heldBack?: readonly Buffer[] | undefined;
  /** Sends what was held back: the end of the answer, or all of it. Called once, when its record has left. */
  readonly sendEnd: () => void;
}
