/**
 * How a family of models writes its tool calls. One family is spoken today; another one is another object of
 * this shape, chosen from the chat template by `toolCallFormatOf`.
 */
export interface ToolCallFormat {
  readonly openMarker: string;
  readonly closeMarker: string;
  /** What stands between the open marker and the call's JSON, as the model was taught to write it. */
  readonly afterOpen: string;
  readonly beforeClose: string;
}

/** Hermes, Qwen and the pocket model: `<tool_call>\n{"name": …, "arguments": …}\n</tool_call>`. */
const hermesFormat: ToolCallFormat = {
  openMarker: '<tool_call>',
  closeMarker: '</tool_call>',
  afterOpen: '\n',
  beforeClose: '\n',
};

export function toolCallFormatOf(chatTemplate: string): ToolCallFormat | undefined {
  return chatTemplate.includes(hermesFormat.openMarker) ? hermesFormat : undefined;
}
