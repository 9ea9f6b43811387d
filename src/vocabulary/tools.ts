import type { Cancellation } from './cancellation.ts';

/**
 * Tools that MCP servers offer: servers that the operator names, whose descriptions and results are nevertheless
 * hostile text, because what they fetch was written by anybody.
 */

export interface ToolServerDefinition {
  /** Unique; lower case letters, digits and dashes. */
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly url: string;
  /** Sent with every request to it, its credential among them. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whose members may use it; empty: everybody. */
  readonly projects: readonly string[];
  readonly timeLimitMs: number;
  readonly resultLimitBytes: number;
}

export interface ToolSettings {
  readonly servers: readonly ToolServerDefinition[];
  /** How often the model may ask for tools before it answers one question. */
  readonly maxRounds: number;
  readonly maxCallsPerPerson: number;
  readonly maxCalls: number;
}

export interface OfferedTool {
  readonly serverName: string;
  readonly serverLabel: string;
  /** As the server calls it. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** A JSON Schema of an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** As the model calls it. */
  readonly functionName: string;
  /** Of everything above and of where it is sent: a permission holds for exactly this. */
  readonly digest: string;
}

/** As the model is told of it. */
export function toldOf({ functionName, description, parameters }: OfferedTool) {
  return { type: 'function' as const, function: { name: functionName, description, parameters } };
}

export interface OfferedServer {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  /** Undefined while the server does not answer, or answers nonsense. */
  readonly tools: readonly OfferedTool[] | undefined;
}

export interface ToolCallAsk {
  readonly personId: string;
  readonly tool: OfferedTool;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly cancellation: Cancellation;
}

export type ToolFailure =
  | 'timeout'
  | 'unreachable'
  | 'nonsense'
  | 'too_large'
  | 'changed'
  | 'busy'
  | 'stopped';

export type ToolOutcome =
  | {
      readonly kind: 'answered';
      readonly text: string;
      /** The tool says that it did not work. */
      readonly isError: boolean;
      /** There was more than the limit lets through. */
      readonly isCut: boolean;
    }
  | { readonly kind: 'failed'; readonly failure: ToolFailure };

export interface ToolBench {
  readonly maxRounds: number;
  /** Those that this person may switch on. Asks servers that were not asked lately; never throws. */
  serversFor(personId: string): Promise<readonly OfferedServer[]>;
  /** What the model may be told of, of these servers; what a person may not use is left out. Never throws. */
  toolsOf(personId: string, serverNames: readonly string[]): Promise<readonly OfferedTool[]>;
  /** Waits for a place, calls, and bounds what comes back. Never throws. */
  call(ask: ToolCallAsk): Promise<ToolOutcome>;
}

/** That a person lets a tool be called without being asked. */
export interface ToolConsent {
  readonly personId: string;
  /** Undefined: in every chat. */
  readonly chatId: string | undefined;
  readonly serverName: string;
  readonly toolName: string;
  readonly digest: string;
  readonly givenAt: number;
}

export interface ToolConsentStore {
  put(consent: ToolConsent): Promise<void>;
  /** For this chat or for all. */
  find(personId: string, chatId: string, digest: string): Promise<ToolConsent | undefined>;
  /** Those for all chats, newest first. */
  listForAll(personId: string): Promise<readonly ToolConsent[]>;
  /** Of every definition that the tool ever had, in all chats. */
  withdraw(personId: string, serverName: string, toolName: string): Promise<void>;
}
