import type { EngineKind } from './catalogue.ts';
import type { Outcome, ParsedRequest } from './inference.ts';

/** What an engine says of itself. What it does not tell stays unknown. */
export interface EngineIdentity {
  readonly version: string | undefined;
  /** The name of the weights, as the engine knows it. */
  readonly weights: string | undefined;
  /** SHA-256 of the file of the weights; only of files that this service runs itself. */
  readonly weightsSha256: string | undefined;
  /** SHA-256 of the text of the chat template. */
  readonly templateSha256: string | undefined;
  /** When it said so, in milliseconds since the epoch. */
  readonly asOf: number;
}

/**
 * What a receipt knows beyond the usage record, with which it is written, kept and forgotten. Small: whatever is large
 * stands in it as its digest.
 */
export interface ReceiptFacts {
  readonly engineKind: EngineKind;
  readonly engineVersion?: string | undefined;
  readonly weights?: string | undefined;
  readonly weightsSha256?: string | undefined;
  readonly templateSha256?: string | undefined;
  readonly engineAsOf?: number | undefined;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** What holds where the caller said nothing, as far as the service knows. */
  readonly defaults?: Readonly<Record<string, unknown>> | undefined;
  /** The seed that the service chose because the caller gave none. */
  readonly chosenSeed?: number | undefined;
  readonly ignored?: readonly string[] | undefined;
  readonly prompt: DigestOf;
  readonly answer: DigestOf;
  readonly toolCalls?: DigestOf | undefined;
}

export interface DigestOf {
  readonly sha256: string;
  readonly bytes: number;
}

/** What receipts offer the flow. */
export interface ReceiptDesk {
  /** Reads along with an answer for which there will be a receipt; undefined when there will be none. */
  open(request: ParsedRequest): OpenReceipt | undefined;
}

export interface OpenReceipt {
  /** The request to serve instead: its answer is read in passing. */
  readonly request: ParsedRequest;
  /** The facts as JSON text, for the record; undefined when there is no answer. Called once, before its end leaves. */
  write(outcome: Outcome, engineName: string): string | undefined;
}
