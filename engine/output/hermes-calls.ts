import type { ToolCallFormat } from './tool-call-format.ts';

/** Hermes, Qwen and the pocket model: `<tool_call>\n{"name": …, "arguments": …}\n</tool_call>`. */
export const hermesCalls: ToolCallFormat = {
  isTaughtBy: (chatTemplate) => chatTemplate.includes('<tool_call>'),
  openMarker: '<tool_call>',
  opensOnlyFirst: false,
  closeMarker: '</tool_call>',
  separator: undefined,
  afterOpen: '\n',
  beforeClose: '\n',
  beginningOf: (quotedName) => `{"name": ${quotedName}, "arguments": `,
  beginning: /^\s*\{\s*"name"\s*:\s*("(?:[^"\\]|\\.)*")\s*,\s*"arguments"\s*:\s*(?=\S)/,
};
