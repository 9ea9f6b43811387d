import { hermesCalls } from './hermes-calls.ts';
import { llamaCalls } from './llama-calls.ts';
import { mistralCalls } from './mistral-calls.ts';
import type { ToolCallFormat } from './tool-call-format.ts';

/** The first that fits is taken, so the ones with the plainest markers come last. */
const formats: readonly ToolCallFormat[] = [hermesCalls, mistralCalls, llamaCalls];

export function toolCallFormatOf(chatTemplate: string): ToolCallFormat | undefined {
  return formats.find((format) => format.isTaughtBy(chatTemplate));
}

/** Must be seen also in models that make control tokens of them. */
export const callMarkers: readonly string[] = formats.flatMap(({ openMarker, closeMarker }) => [
  openMarker,
  closeMarker,
]);
