import { timingSafeEqual } from 'node:crypto';
import type { Exchange } from '#vocabulary/exchange';
import type { Session } from '#vocabulary/person-desks';
import { Refusal } from '#vocabulary/refusal';
import { csrfHeader } from '#contract/routes';

/**
 * A call that changes something must come from our own page. Three proofs, all of which must hold: what the browser
 * says about the page, a header that other pages cannot send, and for people who are signed in the token that
 * only their page knows.
 */
export function requireOwnPage(exchange: Exchange, session: Session | undefined): void {
  const { headers } = exchange;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') throw foreign();
  if (headers.origin !== undefined && hostOf(headers.origin) !== headers.host?.toLowerCase()) throw foreign();
  const given = headers[csrfHeader];
  if (typeof given !== 'string' || given === '') {
    throw new Refusal(
      'foreign_origin',
      `The header ${csrfHeader} is missing. Reload the page and try again.`,
    );
  }
  if (session !== undefined && !isSame(given, session.csrfToken)) {
    throw new Refusal('foreign_origin', 'This page belongs to an earlier session. Reload it and try again.');
  }
}

function foreign(): Refusal {
  return new Refusal(
    'foreign_origin',
    'Another site cannot do this for you. Open the service itself and try again.',
  );
}

function hostOf(origin: string): string | undefined {
  return /^https?:\/\/([^/]+)$/.exec(origin.toLowerCase())?.[1];
}

function isSame(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}
