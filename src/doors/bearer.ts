import type { Exchange } from '#vocabulary/exchange';
import { Refusal } from '#vocabulary/refusal';

/**
 * The key of `Authorization: bearer <key>`, scheme in any letter case. One way to present a key, one verdict:
 * a key in the query, a cookie or another header is not looked at, two headers are refused.
 */
export function readBearer(exchange: Exchange): string {
  const header = exchange.headers.authorization;
  if (header === undefined) {
    throw unauthorised(
      'This address needs an API key. Send it as the header Authorization: bearer <key>. Keys are made in the web chat: user menu, Settings, Account, API keys.',
    );
  }
  if (exchange.countHeader('authorization') > 1) throw unauthorised('Send the Authorization header once.');
  const match = bearerForm.exec(header);
  if (match?.[1] === undefined) throw unauthorised('The Authorization header must be: bearer <key>.');
  return match[1];
}

const bearerForm = /^bearer +([\x21-\x7e]{1,512}) *$/i;

function unauthorised(message: string): Refusal {
  return new Refusal('invalid_api_key', message, { headers: { 'www-authenticate': 'Bearer' } });
}
