import { EngineFault } from '#vocabulary/engine-fault';

/** What every request to an engine says of itself, made once for each of its addresses: a handful. */
export class RequestHeads {
  readonly #host: string;
  readonly #prefix: string;
  readonly #fields: string;
  readonly #byAddress = new Map<string, string>();

  /** All addresses stand behind the prefix. Headers as a flat list, name after name. */
  constructor(host: string, prefix: string, headers: readonly string[]) {
    this.#host = host;
    this.#prefix = prefix;
    let fields = '';
    for (let index = 0; index < headers.length; index += 2)
      fields += `${headers[index]}: ${headers[index + 1]}\r\n`;
    this.#fields = fields;
  }

  /** Ready to be followed by further lines; see `endHead`. */
  of(address: string): string {
    let head = this.#byAddress.get(address);
    if (head === undefined) {
      const path = this.#prefix + address;
      head = `POST ${path} HTTP/1.1\r\nhost: ${this.#host}\r\n${this.#fields}`;
      // A secret read from a file may hold anything; an engine must get the lines that we meant, and no others.
      if (!/^(?:[\t\x20-\x7e\x80-\xff]+\r\n)+$/.test(head) || /\s/.test(path))
        throw new EngineFault('its address or credential cannot be sent', { retry: 'elsewhere' });
      this.#byAddress.set(address, head);
    }
    return head;
  }
}
