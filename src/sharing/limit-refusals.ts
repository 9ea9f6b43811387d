import type { AppliedLimits, LimitName } from '#vocabulary/limits';
import { Refusal } from '#vocabulary/refusal';
import type { Shortage } from './meter.ts';

const budgetNames: ReadonlySet<LimitName> = new Set(['costPerDay', 'costPerMonth', 'costInTotal']);

/** What somebody is told whose limit or budget is reached, and who can change it. */
export function limitReached(
  { scope, modelId }: AppliedLimits,
  { limit, amount, seconds }: Shortage,
  wallMs: number,
): Refusal {
  const whose = scopeWords[scope] + (modelId === undefined ? '' : ` for \`${modelId}\``);
  const details = seconds === undefined ? {} : { retryAfterSeconds: Math.max(1, Math.ceil(seconds)) };
  if (!budgetNames.has(limit)) {
    const message = `The limit of ${limitWords(limit, amount)} ${whose} is reached. Try again after the time in Retry-After.`;
    return new Refusal('rate_limit_exceeded', message, details);
  }
  const renewal =
    seconds === undefined
      ? 'It does not renew by itself.'
      : `It renews at ${renewalTime(wallMs + seconds * 1000)}.`;
  return new Refusal(
    'insufficient_quota',
    `The budget of ${limitWords(limit, amount)} ${whose} is used up. ${renewal} ${whoCanRaise[scope]}`,
    details,
  );
}

const scopeWords = {
  key: 'of this API key',
  person: 'of your account',
  member: 'of each member of this project',
  project: 'of this project',
} as const;

const whoCanRaise = {
  key: 'An administrator can raise it.',
  person: 'An administrator can raise it.',
  member: 'A lead of the project or an administrator can raise it.',
  project: 'An administrator can raise it.',
} as const;

function limitWords(limit: LimitName, amount: number): string {
  switch (limit) {
    case 'requestsPerMinute':
      return `${amount} requests per minute`;
    case 'tokensPerMinute':
      return `${amount} tokens per minute`;
    case 'requestsAtOnce':
      return `${amount} requests at once`;
    case 'costPerDay':
      return `${amount} per day`;
    case 'costPerMonth':
      return `${amount} per month`;
    case 'costInTotal':
      return `${amount} in total`;
  }
}

function renewalTime(wallMs: number): string {
  return `${new Date(wallMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
