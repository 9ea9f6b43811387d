import type { ToolCallFormat } from './tool-call-format.ts';

/** Llama 3: the whole answer is one call, `{"name": …, "parameters": …}`. */
export const llamaCalls: ToolCallFormat = {
  isTaughtBy: (chatTemplate) => chatTemplate.includes('{"name": ') && chatTemplate.includes('"parameters": '),
  openMarker: '{"name":',
  opensOnlyFirst: true,
  closeMarker: '',
  separator: undefined,
  afterOpen: ' ',
  beforeClose: '',
  beginningOf: (quotedName) => `${quotedName}, "parameters": `,
  beginning: /^\s*("(?:[^"\\]|\\.)*")\s*,\s*"parameters"\s*:\s*(?=\S)/,
};
