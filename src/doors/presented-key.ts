import type { Exchange } from '#vocabulary/exchange';
import { Refusal } from '#vocabulary/refusal';

/**
 * The key of `Authorization: bearer <key>`, scheme in any letter case, or of `x-api-key: <key>`, as clients of the
 * Messages dialect send it. One verdict, however it is presented: whoever sends both must say the same in both, a
 * header that comes twice is refused, and a key in the query or a cookie is not looked at.
 */
export function readPresentedKey(exchange: Exchange): string {
  const { authorization } = exchange.headers;
  const bare = exchange.headers['x-api-key'];
  if (authorization === undefined && bare === undefined) {
    throw unauthorised(
      'This address needs an API key. Send it as the header Authorization: bearer <key>. Keys are made in the web chat: user menu, Settings, Account, API keys.',
    );
  }
  if (exchange.countHeader('authorization') > 1) throw unauthorised('Send the Authorization header once.');
  if (exchange.countHeader('x-api-key') > 1) throw unauthorised('Send the x-api-key header once.');
  const borne = authorization === undefined ? undefined : keyIn(authorization, bearerForm);
  const plain = bare === undefined ? undefined : keyIn(String(bare), plainForm);
  if (borne === null) throw unauthorised('The Authorization header must be: bearer <key>.');
  if (plain === null) throw unauthorised('The x-api-key header must be the key and nothing else.');
  if (borne !== undefined && plain !== undefined && borne !== plain)
    throw unauthorised('Authorization and x-api-key hold different keys. Send one of them.');
  return borne ?? plain ?? '';
}

const bearerForm = /^bearer +([\x21-\x7e]{1,512}) *$/i;
const plainForm = /^([\x21-\x7e]{1,512}) *$/;

/** Null when the header has another form. */
function keyIn(header: string, form: RegExp): string | null {
  return form.exec(header)?.[1] ?? null;
}

function unauthorised(message: string): Refusal {
  return new Refusal('invalid_api_key', message, { headers: { 'www-authenticate': 'Bearer' } });
}
