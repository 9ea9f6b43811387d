import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** What a real engine answered to one request, byte for byte. */
export interface Recording {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly body: Record<string, unknown>;
  };
  readonly status: number;
  /** Lower case; those of one connection left out. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface RecordedEngine {
  /** `vllm-0.32.0` */
  readonly name: string;
  readonly kind: 'vllm' | 'sglang' | 'llama-server' | 'openai';
  readonly recordings: readonly Recording[];
}

export const recordingsFolder = new URL('../fixtures/recordings/', import.meta.url).pathname;

/** Every engine that was recorded, one folder each. */
export function readRecordedEngines(): RecordedEngine[] {
  return readdirSync(recordingsFolder).map((name) => {
    const folder = join(recordingsFolder, name);
    const files = readdirSync(folder).filter((file) => file.endsWith('.http'));
    return {
      name,
      kind: name.replace(/-[^-]+$/, '') as RecordedEngine['kind'],
      recordings: files.map((file) =>
        parseRecording(basename(file, '.http'), readFileSync(join(folder, file), 'utf8')),
      ),
    };
  });
}

/** The request with its body on one line, an empty line, the status with its headers, an empty line, the answer. */
export function formatRecording({ request, status, headers, body }: Recording): string {
  const asked = request.method === 'GET' ? '' : `${JSON.stringify(request.body)}\n`;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`);
  return `${request.method} ${request.path}\n${asked}\n${status}\n${lines.join('')}\n${body}`;
}

function parseRecording(name: string, text: string): Recording {
  const asked = text.slice(0, text.indexOf('\n\n'));
  const answered = text.slice(asked.length + 2);
  const head = answered.slice(0, answered.indexOf('\n\n'));
  const [requestLine = '', requestBody = '{}'] = asked.split('\n');
  const [method = '', path = ''] = requestLine.split(' ');
  const [status = '', ...headerLines] = head.split('\n');
  return {
    name,
    request: { method, path, body: JSON.parse(requestBody) as Record<string, unknown> },
    status: Number(status),
    headers: Object.fromEntries(headerLines.map((line) => line.split(': ', 2) as [string, string])),
    body: answered.slice(head.length + 2),
  };
}
