/** Frames of an engine's stream that are not for the caller, taken out of those that arrived together. */
import { forEachFrame, frameData } from '#dialects/sse';

/** With which comments begin. */
export const colon = 0x3a;

/** They are no part of an answer, and callers get our own. */
export function withoutComments(frames: Buffer): Buffer {
  const kept: Buffer[] = [];
  forEachFrame(frames, (frame) => {
    if (frame[0] !== colon || frameData(frame) !== undefined) kept.push(frame);
  });
  return Buffer.concat(kept);
}

/** What an engine says after its end means nothing. */
export function untilDone(frames: Buffer): Buffer {
  if (!frames.includes('[DONE]')) return frames;
  const kept: Buffer[] = [];
  let isDone = false;
  forEachFrame(frames, (frame) => {
    if (!isDone) kept.push(frame);
    isDone ||= frameData(frame) === '[DONE]';
  });
  return Buffer.concat(kept);
}

/** The usage frame is the one without choices; everything else passes, also when it carries running usage. */
export function withoutUsageFrames(frames: Buffer): Buffer {
  const kept: Buffer[] = [];
  forEachFrame(frames, (frame) => {
    if (!/"choices"\s*:\s*\[\s*\]/.test(frame.toString('latin1'))) kept.push(frame);
  });
  return Buffer.concat(kept);
}
