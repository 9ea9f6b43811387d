import type { AppliedLimits, LimitName } from '#vocabulary/limits';
import { Refusal } from '#vocabulary/refusal';
import type { Shortage } from './meter.ts';

/** What somebody is told whose limit or budget is reached, what helps, and who can change it. */
export function limitReached(
  { scope, modelId }: AppliedLimits,
  { limit, amount, seconds, budget }: Shortage,
  wallMs: number,
): Refusal {
  const whose = scopeWords[scope] + (modelId === undefined ? '' : ` for \`${modelId}\``);
  const details = {
    ...(seconds !== undefined && { retryAfterSeconds: Math.max(1, Math.ceil(seconds)) }),
  };
  const ofWhat = `${limitWords(limit, amount)} ${whose}`;
  if (budget === undefined) {
    const message =
      seconds === undefined
        ? `The limit of ${ofWhat} lets nothing through. ${whoCanRaise[scope]}`
        : `The limit of ${ofWhat} is reached. Try again after the time in Retry-After.`;
    return new Refusal('rate_limit_exceeded', message, details);
  }
  const message = `${budgetWords(`budget of ${ofWhat}`, amount, budget, seconds, wallMs)} ${whoCanRaise[scope]}`;
  return new Refusal('insufficient_quota', message, details);
}

function budgetWords(
  name: string,
  amount: number,
  { cost, unspent, reserved }: NonNullable<Shortage['budget']>,
  seconds: number | undefined,
  wallMs: number,
): string {
  if (amount === 0) return `The ${name} lets nothing through.`;
  const upTo = `This request may cost up to ${Math.ceil(cost)}`;
  if (cost > amount)
    return `${upTo}, more than the whole ${name}. Ask for fewer tokens, such as with max_tokens.`;
  if (cost <= unspent)
    return `${upTo}; of the ${name} ${Math.floor(unspent)} are left, of which running requests have reserved ${Math.ceil(reserved)}. Wait until they are done, or ask for fewer tokens.`;
  const renewal =
    seconds === undefined
      ? 'It does not renew by itself.'
      : `It renews at ${renewalTime(wallMs + seconds * 1000)}.`;
  if (unspent < 1) return `The ${name} is used up. ${renewal}`;
  return `${upTo}; of the ${name} ${Math.floor(unspent)} are left. Ask for fewer tokens, such as with max_tokens. ${renewal}`;
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
