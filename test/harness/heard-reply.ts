import type { Reply } from '#vocabulary/exchange';

/** A reader in the same process, who takes whatever is said at once. */
export class HeardReply implements Reply {
  readonly bufferedBytes = 0;
  hasBegun = false;
  hasEnded = false;
  status = 0;
  headers: readonly string[] = [];
  text = '';
  showPlace(): void {}
  announce(): void {}
  onDrain(): void {}
  begin(status: number, headers: readonly string[]): void {
    this.hasBegun = true;
    this.status = status;
    this.headers = headers;
  }
  write(chunk: Buffer | string): boolean {
    this.text += chunk.toString();
    return true;
  }
  end(chunk: Buffer | string = ''): void {
    this.hasEnded = true;
    this.text += chunk.toString();
  }
}
