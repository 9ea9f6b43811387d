import { EngineFault } from '#vocabulary/engine-fault';

/** What every request to an engine says of itself, made once for each of its addresses: a handful. */
export class RequestHeads {
  readonly #host: string;
  readonly #fields: string;
  readonly #byPath = new Map<string, string>();

  /** Headers as a flat list, name after name. */
  constructor(host: string, headers: readonly string[]) {
    this.#host = host;
    let fields = '';
    for (let index = 0; index < headers.length; index += 2)
      fields += `${headers[index]}: ${headers[index + 1]}\r\n`;
    this.#fields = fields;
  }

  /** Ready to be followed by further lines; see `endHead`. */
  of(path: string): string {
    let head = this.#byPath.get(path);
    if (head === undefined) {
      head = `POST ${path} HTTP/1.1\r\nhost: ${this.#host}\r\n${this.#fields}`;
      // A secret read from a file may hold anything; an engine must get the lines that we meant, and no others.
      if (!/^(?:[\t\x20-\x7e\x80-\xff]+\r\n)+$/.test(head) || /\s/.test(path))
        throw new EngineFault('its address or credential cannot be sent', { retry: 'elsewhere' });
      this.#byPath.set(path, head);
    }
    return head;
  }
}
