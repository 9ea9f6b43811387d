import { OperatorProblem } from '#vocabulary/operator-problem';
import { type DownloadAnswer, type DownloadSource, openDownload } from './open-download.ts';
import type { PartialFile } from './partial-file.ts';
import type { PullSurroundings } from './pull-surroundings.ts';

/**
 * Fetches a file into `partial`, from where that stands. Broken connections and busy servers are tried again;
 * the count of tries begins anew with every byte that arrives. Gives the digest the server announced, if any.
 */
export async function download(
  source: DownloadSource,
  sourceName: string,
  partial: PartialFile,
  surroundings: PullSurroundings,
): Promise<string | undefined> {
  let etag = partial.mark?.etag;
  let announced: string | undefined;
  let failures = 0;
  for (;;) {
    const before = partial.bytes();
    try {
      const answer = await openDownload(source, before, etag);
      announced ??= answer.sha256;
      if (isWorthAnotherTry(answer.status)) {
        await answer.dismiss();
        throw new ServerIsBusy(answer.status, answer.retryAfterMs);
      }
      await explainRefusal(answer, source);
      await alignWith(answer, partial);
      await surroundings.makeSureItFits(answer.totalBytes, partial.bytes());
      etag = answer.etag;
      if (etag !== undefined && answer.totalBytes !== undefined)
        await partial.keepMark({ source: sourceName, etag, totalBytes: answer.totalBytes });
      await receive(answer, partial, surroundings);
      return announced;
    } catch (error) {
      if (error instanceof OperatorProblem) throw error;
      failures = partial.bytes() > before ? 1 : failures + 1;
      if (failures > (partial.bytes() > 0 ? maxFailures : maxFirstFailures))
        throw giveUp(source, error, partial.bytes());
      const waitMs = error instanceof ServerIsBusy ? error.retryAfterMs : undefined;
      surroundings.onProgress({ phase: 'waiting', detail: shortReason(error) });
      await surroundings.pause(waitMs ?? 500 * 2 ** (failures - 1));
    }
  }
}

const maxFailures = 6;
/** Before the first byte a mistake is likelier than a hiccup. */
const maxFirstFailures = 3;

class ServerIsBusy extends Error {
  readonly retryAfterMs: number | undefined;
  constructor(status: number, retryAfterMs: number | undefined) {
    super(`the server answered ${status}`);
    this.retryAfterMs = retryAfterMs;
  }
}

function isWorthAnotherTry(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

async function explainRefusal(answer: DownloadAnswer, source: DownloadSource): Promise<void> {
  const { status } = answer;
  if (status === 200 || status === 206 || status === 416) return;
  await answer.dismiss();
  const where = `${source.url.origin}${source.url.pathname}`;
  if (status === 401 || status === 403)
    throw new OperatorProblem(
      `${source.url.host} does not give out this file (${status}). If it needs an account, accept its terms there and put your token into HF_TOKEN.`,
    );
  if (status === 404 || status === 410)
    throw new OperatorProblem(`There is nothing at ${where} (${status}). Check the spelling.`);
  throw new OperatorProblem(`${where} answered ${status}, which makes no sense for a file.`);
}

/** The server decides whether the bytes here still belong to its file. */
async function alignWith(answer: DownloadAnswer, partial: PartialFile): Promise<void> {
  if (answer.status === 416) {
    await answer.dismiss();
    await partial.startOver();
    throw new Error('the file became shorter on the server');
  }
  if (answer.offset === partial.bytes()) return;
  const isWhole = answer.offset === 0;
  if (!isWhole) await answer.dismiss();
  await partial.startOver();
  if (!isWhole) throw new Error('the server sent another part than was asked for');
}

async function receive(
  answer: DownloadAnswer,
  partial: PartialFile,
  surroundings: PullSurroundings,
): Promise<void> {
  const { totalBytes } = answer;
  const limitBytes = Math.min(totalBytes ?? Infinity, surroundings.maxBytes);
  surroundings.onProgress({ phase: 'fetching', doneBytes: partial.bytes(), totalBytes });
  for await (const chunk of answer.body) {
    if (partial.bytes() + chunk.length > limitBytes) throw tooLong(limitBytes);
    await partial.append(chunk);
    surroundings.onProgress({ phase: 'fetching', doneBytes: partial.bytes(), totalBytes });
  }
  if (totalBytes !== undefined && partial.bytes() < totalBytes)
    throw new Error('the connection ended too early');
}

function tooLong(limitBytes: number): OperatorProblem {
  return new OperatorProblem(
    `The file is longer than the ${limitBytes} bytes it may have. If that is right, raise --max-size.`,
  );
}

function giveUp(source: DownloadSource, error: unknown, bytes: number): OperatorProblem {
  const kept = bytes > 0 ? ' What is here already is kept: pull again to go on.' : '';
  return new OperatorProblem(
    `${source.url.host} could not be reached: ${shortReason(error)}. Check the network, and HTTPS_PROXY if you are behind a proxy.${kept}`,
    error,
  );
}

function shortReason(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  return code ?? (error instanceof Error ? error.message : String(error));
}
