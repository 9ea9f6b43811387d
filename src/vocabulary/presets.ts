import type { Parameters } from '#contract/messages';
import type { Actor } from './audit.ts';
import type { ReasoningEffort } from './catalogue.ts';

/** A name for a way of asking: settings of a chat, the words of a question, or both. */
export interface Preset extends PresetWishes {
  readonly id: string;
  readonly scope: PresetOwner['scope'];
  /** Null unless it belongs to a project. */
  readonly projectId: string | null;
  /** Milliseconds since the epoch. */
  readonly updatedAt: number;
}

/** What is null leaves the chat as it is. */
export interface PresetWishes {
  /** As it is written behind a slash: no blanks. */
  readonly name: string;
  readonly description: string;
  readonly model: string | null;
  readonly effort: ReasoningEffort | null;
  readonly systemPrompt: string | null;
  readonly parameters: Parameters | null;
  /** Goes into the composer; `{name}` in it is a blank to fill in. */
  readonly prompt: string;
}

/** Whose it is: one person's, a project's by its leads, or offered to everybody by the operators. */
export type PresetOwner =
  | { readonly scope: 'person'; readonly personId: string }
  | { readonly scope: 'project'; readonly projectId: string }
  | { readonly scope: 'service' };

export interface PresetStore {
  /** By name. */
  list(owner: PresetOwner): Promise<readonly Preset[]>;
  /**
   * New, or in place of the one with this id. In one step with `admit`, which is given all that the owner has and
   * throws when there is no room: two that come at once count each other. Refuses with `conflict` a name that the
   * owner has already.
   */
  put(owner: PresetOwner, preset: Preset, admit: (known: readonly Preset[]) => void): Promise<void>;
  remove(owner: PresetOwner, presetId: string): Promise<void>;
}

/**
 * What a project or the service offers is written down in the audit trail; what people make for themselves is theirs
 * alone. Whether somebody may speak for the owner is for the caller to know.
 */
export interface PresetDesk {
  /** Their own first, then those of these projects, then those of the service: where names are alike, the first counts. */
  listFor(personId: string, projectIds: readonly string[]): Promise<readonly Preset[]>;
  list(owner: PresetOwner): Promise<readonly Preset[]>;
  create(owner: PresetOwner, wishes: PresetWishes, by: Actor): Promise<Preset>;
  change(owner: PresetOwner, presetId: string, wishes: PresetWishes, by: Actor): Promise<Preset>;
  remove(owner: PresetOwner, presetId: string, by: Actor): Promise<void>;
}
