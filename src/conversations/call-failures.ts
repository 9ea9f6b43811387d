import type { ToolFailure } from '#vocabulary/tools';
import type { CallResult } from './running-call.ts';

export type CallFailure = ToolFailure | 'arguments';

/** What the model is told; people read a sentence of the page for the code. */
const sentences: Readonly<Record<CallFailure, string>> = {
  timeout: 'The tool did not answer in time.',
  unreachable: 'The tool could not be reached, or broke off.',
  nonsense: 'The tool answered something that cannot be understood.',
  too_large: 'The tool answered more than is allowed.',
  changed: 'The call was not made: the tool has changed since the person was asked.',
  busy: 'Too many calls were made at once. Make fewer.',
  stopped: 'The call was stopped.',
  arguments: 'The call was not made: its arguments are not a JSON object.',
};

export function failureOf(failure: CallFailure): CallResult {
  const message = sentences[failure];
  return { text: message, error: { code: `tool_${failure}`, message } };
}
