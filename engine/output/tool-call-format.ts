/** How a family of models writes its tool calls. Another family is another file and a line in `tool-call-formats.ts`. */
export interface ToolCallFormat {
  /** Whether a model with this chat template was taught to write calls so. */
  isTaughtBy(chatTemplate: string): boolean;
  readonly openMarker: string;
  /** The marker is ordinary text, so it only counts where the answer begins. */
  readonly opensOnlyFirst: boolean;
  /** Empty where a call ends with its last brace, and the answer with it. */
  readonly closeMarker: string;
  /** Where several calls share one pair of markers, what stands between them. The close marker is then text. */
  readonly separator: string | undefined;
  /** After the open marker, as the model was taught to write it. */
  readonly afterOpen: string;
  readonly beforeClose: string;
  /** The text of a call up to its arguments, a JSON object. After it comes one closing brace. */
  beginningOf(quotedName: string): string;
  /** Reads that text back, white space or not; the first group is the quoted name. */
  readonly beginning: RegExp;
}
