import type { CookieJar, CookieName } from './call.ts';

/**
 * Cookies of the console. Over https they carry the `__Host-` prefix: no other host or path can set them. The
 * session goes with requests of our own pages only; the cookie of a sign-in under way must survive the way back
 * from a provider, which is another site.
 */
export class Cookies implements CookieJar {
  readonly #given: string;
  readonly #isSecure: boolean;
  readonly #outgoing: string[] = [];

  constructor(header: string | undefined, isSecure: boolean) {
    this.#given = header ?? '';
    this.#isSecure = isSecure;
  }

  /** Undefined also when the browser sends two of the same name: one of them is not ours. */
  get(name: CookieName): string | undefined {
    const start = `${this.#fullName(name)}=`;
    const values = this.#given.split(';').flatMap((pair) => {
      const trimmed = pair.trim();
      return trimmed.startsWith(start) ? [trimmed.slice(start.length)] : [];
    });
    return values.length === 1 && values[0] !== '' ? values[0] : undefined;
  }

  set(name: CookieName, value: string, maxAgeSeconds: number): void {
    const site = name === 'session' ? 'Strict' : 'Lax';
    const secure = this.#isSecure ? '; Secure' : '';
    this.#outgoing.push(
      'set-cookie',
      `${this.#fullName(name)}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=${site}${secure}`,
    );
  }

  clear(name: CookieName): void {
    this.set(name, '', 0);
  }

  /** Headers for the answer, name after name. */
  get headers(): readonly string[] {
    return this.#outgoing;
  }

  #fullName(name: CookieName): string {
    return `${this.#isSecure ? '__Host-' : ''}gatehouse-${name}`;
  }
}
