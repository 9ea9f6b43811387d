import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { SignedReceipt } from '#contract/receipts';
import { OperatorProblem } from '#vocabulary/operator-problem';
import { exitStatus, WrongUse, type Command } from './command.ts';

const usage = `Usage: gatehouse verify FILE [--key KEY] [--answer FILE] [--prompt FILE]

Checks the receipt of an answer and says what it proves. With --key nothing is asked over a network.
Without it the key is fetched from the service that the receipt names: whether that is the service
you mean is for you to judge.

  --key KEY        a file with the public key (what the service gives at
                   /.well-known/gatehouse-receipts.json, or PEM), or the key itself: its "x"
  --answer FILE    the text of the answer; its digest must be the one in the receipt
  --prompt FILE    the value of "messages" as it was sent; its digest must be the one in the receipt`;

export const verifyCommand: Command = {
  name: 'verify',
  summary: 'Check the receipt of an answer',
  usage,
  async run(args) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { key: { type: 'string' }, answer: { type: 'string' }, prompt: { type: 'string' } },
    });
    const [file, ...tooMany] = positionals;
    if (file === undefined || tooMany.length > 0) throw new WrongUse('Name one file with a receipt.');
    const { readPublicKeys, readReceipt, verifyReceipt } = await import('#receipts');
    const signed = readReceipt(await read(file));
    const { receipt } = signed;
    const keys = readPublicKeys(await readKey(values.key, receipt.service));
    const flaw =
      verifyReceipt(signed, keys) ??
      (await compare(values.answer, receipt.answer.sha256, 'answer')) ??
      (await compare(values.prompt, receipt.prompt.sha256, 'prompt'));
    if (flaw !== undefined) {
      process.stderr.write(`Not verified. ${flaw}\n`);
      return exitStatus.failed;
    }
    process.stdout.write(`${describe(signed, values).join('\n')}\n`);
    return 0;
  },
};

async function readKey(given: string | undefined, service: string): Promise<string> {
  if (given === undefined) return fetchKeys(service);
  return /^[\w-]{43}$/.test(given) ? JSON.stringify({ crv: 'Ed25519', x: given }) : read(given);
}

async function fetchKeys(service: string): Promise<string> {
  const address = `${service}/.well-known/gatehouse-receipts.json`;
  if (!/^https?:\/\//.test(service)) throw new OperatorProblem(`${service} is no address. Give --key.`);
  try {
    const response = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(10_000) });
    if (response.ok) return await response.text();
    throw new OperatorProblem(`${address} answers ${response.status}. Give the key with --key.`);
  } catch (cause) {
    if (cause instanceof OperatorProblem) throw cause;
    throw new OperatorProblem(`${address} cannot be reached. Give the key with --key.`, cause);
  }
}

async function read(path: string): Promise<string> {
  return (await readBytes(path)).toString('utf8');
}

async function readBytes(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (cause) {
    throw new OperatorProblem(`The file ${path} cannot be read.`, cause);
  }
}

/** Editors and `echo` add an end of line that nobody wrote. */
async function compare(
  path: string | undefined,
  expected: string,
  what: string,
): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const bytes = await readBytes(path);
  const withoutEnd = bytes.at(-1) === 0x0a ? bytes.subarray(0, -1) : bytes;
  const fits = hash('sha256', bytes) === expected || hash('sha256', withoutEnd) === expected;
  return fits ? undefined : `The text in ${path} is not the ${what} of this receipt.`;
}

function describe(
  { receipt, signature }: SignedReceipt,
  { key, answer, prompt }: { readonly key?: string; readonly answer?: string; readonly prompt?: string },
): string[] {
  const { engine, weights, seed, usage: used } = receipt;
  const from = key === undefined ? `the key that ${receipt.service} publishes` : 'the given key';
  return [
    `Verified: signed with ${from} (${signature.key_id}), and nothing was changed since.`,
    `  request    ${receipt.request_id}, ${receipt.created_at}, ${receipt.ending}`,
    `  model      ${receipt.model}`,
    `  engine     ${engine.kind} ${engine.version ?? '(version unknown)'}`,
    `  weights    ${weights.name ?? '(unknown)'}, SHA-256 ${weights.sha256 ?? '(unknown)'}`,
    `  seed       ${seed === null ? '(none)' : `${seed.value}, chosen by the ${seed.chosen_by}`}`,
    `  parameters ${JSON.stringify(receipt.parameters)}`,
    `  tokens     ${used.input_tokens} read, ${used.output_tokens} written`,
    `  prompt     SHA-256 ${receipt.prompt.sha256}${prompt === undefined ? '' : ': the given text'}`,
    `  answer     SHA-256 ${receipt.answer.sha256}${answer === undefined ? '' : ': the given text'}`,
  ];
}
