import type { Cancellation } from './cancellation.ts';
import type { LaneName } from './sharing.ts';

/** How texts become vectors: by the same road as every request, through the line and into the books. */
export interface Embedder {
  /** One vector for each text, in their order and all of one length. Throws an `EmbeddingFailure`. */
  embed(ask: EmbeddingAsk): Promise<EmbeddedTexts>;
}

export interface EmbeddingAsk {
  readonly modelId: string;
  readonly texts: readonly string[];
  /** In whose name. */
  readonly personId: string;
  /** On whose account; without it on that of a project of the person. */
  readonly projectId?: string | undefined;
  /** Work for the space of that project, whether or not the person is still a member. */
  readonly isForSpace?: boolean;
  readonly lane: LaneName;
  readonly cancellation: Cancellation;
}

export interface EmbeddedTexts {
  readonly vectors: readonly Float32Array[];
  /** Of what limits allow in a minute, more than half is used. */
  readonly isNearLimit: boolean;
}

export class EmbeddingFailure extends Error {
  override readonly name = 'EmbeddingFailure';
  /** From the refusal table. */
  readonly code: string;
  /** The engine does not take these texts: they are too long for it, for instance. */
  readonly isOfTheTexts: boolean;

  constructor(message: string, code: string, isOfTheTexts: boolean) {
    super(message);
    this.code = code;
    this.isOfTheTexts = isOfTheTexts;
  }
}

/** The model by which documents are searched, as the settings and the catalogue have it now. */
export type EmbeddingModel =
  | ChosenEmbeddingModel
  /** Wanted, and none is served. */
  | { readonly kind: 'none' }
  | { readonly kind: 'off' };

export interface ChosenEmbeddingModel {
  readonly kind: 'model';
  readonly id: string;
  /** What the model wants to read before a question, and before a passage. */
  readonly queryPrefix: string;
  readonly passagePrefix: string;
  /** The name of its vectors: another one when passages are put to it in another way. */
  readonly vectorsName: string;
}
