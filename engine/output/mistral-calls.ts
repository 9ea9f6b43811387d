import type { ToolCallFormat } from './tool-call-format.ts';

/**
 * Mistral: `[TOOL_CALLS] [{"name": …, "arguments": …}, …]`. Its later manner, the name outside of the JSON and
 * `[ARGS]` after it, is another one and not spoken.
 */
export const mistralCalls: ToolCallFormat = {
  isTaughtBy: (chatTemplate) => chatTemplate.includes('[TOOL_CALLS]') && !chatTemplate.includes('[ARGS]'),
  openMarker: '[TOOL_CALLS]',
  opensOnlyFirst: false,
  closeMarker: ']',
  separator: ',',
  afterOpen: ' [',
  beforeClose: '',
  beginningOf: (quotedName) => `{"name": ${quotedName}, "arguments": `,
  beginning: /^[\s[]*\{\s*"name"\s*:\s*("(?:[^"\\]|\\.)*")\s*,\s*"arguments"\s*:\s*(?=\S)/,
};
