/**
 * Texts to paste, filled in. Pure functions, so that a test can run them against a real server. Without `key`
 * they read it from the environment: a page that anybody may look at over a shoulder should not hold a secret.
 */
export interface SnippetFacts {
  /** `https://host/api/` */
  readonly proxyBase: string;
  /** `https://host/<path>/v1/`; used instead of the proxy when `door` says so. */
  readonly directBase: string;
  readonly door?: 'proxy' | 'direct';
  readonly model: string;
  /** It writes no answers, so that only what asks for vectors is of use. */
  readonly isForEmbeddings?: boolean;
  readonly key?: string;
  readonly keyName?: string;
}

export interface Snippet {
  readonly id:
    | 'curl'
    | 'python'
    | 'typescript'
    | 'r'
    | 'langchain'
    | 'continue'
    | 'cline'
    | 'claude'
    | 'codex'
    | 'shell';
  /** For the highlighter. */
  readonly language: string;
  readonly text: string;
}

export function allSnippets(facts: SnippetFacts): readonly Snippet[] {
  const plain = [curlSnippet(facts), pythonSnippet(facts), typescriptSnippet(facts)];
  if (facts.isForEmbeddings === true) return plain;
  return [
    ...plain,
    rSnippet(facts),
    langchainSnippet(facts),
    continueSnippet(facts),
    clineSnippet(facts),
    claudeSnippet(facts),
    codexSnippet(facts),
    shellSnippet(facts),
  ];
}

export function curlSnippet(facts: SnippetFacts): Snippet {
  const asked = facts.isForEmbeddings
    ? `"input": ${JSON.stringify(passage)}`
    : `"messages": ${JSON.stringify([{ role: 'user', content: question }])}`;
  const body = `{
    "model": ${JSON.stringify(facts.model)},
    ${asked}
  }`;
  const header = isDirect(facts)
    ? ''
    : `  -H "Authorization: Bearer ${facts.key ?? '$GATEHOUSE_API_KEY'}" \\\n`;
  return {
    id: 'curl',
    language: 'bash',
    text: `curl ${base(facts)}/${facts.isForEmbeddings ? 'embeddings' : 'chat/completions'} \\
${header}  -H "Content-Type: application/json" \\
  -d ${shellQuoted(body)}
`,
  };
}

export function pythonSnippet(facts: SnippetFacts): Snippet {
  return {
    id: 'python',
    language: 'python',
    text: `# pip install openai
${pythonKey(facts).imports}from openai import OpenAI

client = OpenAI(
    base_url=${quoted(base(facts))},
    api_key=${pythonKey(facts).value},${keyComment(facts, '#')}
)
${
  facts.isForEmbeddings
    ? `answer = client.embeddings.create(
    model=${quoted(facts.model)},
    input=${quoted(passage)},
)
print(answer.data[0].embedding)`
    : `answer = client.chat.completions.create(
    model=${quoted(facts.model)},
    messages=[{"role": "user", "content": ${quoted(question)}}],
)
print(answer.choices[0].message.content)`
}
`,
  };
}

export function typescriptSnippet(facts: SnippetFacts): Snippet {
  const key = isDirect(facts)
    ? quoted(unusedKey)
    : facts.key === undefined
      ? 'process.env.GATEHOUSE_API_KEY'
      : quoted(facts.key);
  return {
    id: 'typescript',
    language: 'typescript',
    text: `// npm install openai
import OpenAI from 'openai';

const client = new OpenAI({
  baseURL: ${quoted(base(facts))},
  apiKey: ${key},${keyComment(facts, '//')}
});
${
  facts.isForEmbeddings
    ? `const answer = await client.embeddings.create({
  model: ${quoted(facts.model)},
  input: ${quoted(passage)},
});
console.log(answer.data[0]?.embedding);`
    : `const answer = await client.chat.completions.create({
  model: ${quoted(facts.model)},
  messages: [{ role: 'user', content: ${quoted(question)} }],
});
console.log(answer.choices[0]?.message.content);`
}
`,
  };
}

export function rSnippet(facts: SnippetFacts): Snippet {
  const key = facts.key === undefined ? 'Sys.getenv("GATEHOUSE_API_KEY")' : quoted(facts.key);
  const authorization = isDirect(facts)
    ? ''
    : `  req_auth_bearer_token(${key}) |>${keyComment(facts, '#')}\n`;
  return {
    id: 'r',
    language: 'r',
    text: `# install.packages(c("httr2", "jsonlite"))
library(httr2)

answer <- request(${quoted(`${base(facts)}/chat/completions`)}) |>
${authorization}  req_body_json(list(
    model = ${quoted(facts.model)},
    messages = list(list(role = "user", content = ${quoted(question)}))
  )) |>
  req_perform() |>
  resp_body_json()

cat(answer$choices[[1]]$message$content, "\\n")
`,
  };
}

export function langchainSnippet(facts: SnippetFacts): Snippet {
  return {
    id: 'langchain',
    language: 'python',
    text: `# pip install langchain-openai
${pythonKey(facts).imports}from langchain_openai import ChatOpenAI

model = ChatOpenAI(
    model=${quoted(facts.model)},
    base_url=${quoted(base(facts))},
    api_key=${pythonKey(facts).value},${keyComment(facts, '#')}
)
print(model.invoke(${quoted(question)}).content)
`,
  };
}

/** `~/.continue/config.yaml` */
export function continueSnippet(facts: SnippetFacts): Snippet {
  const key = isDirect(facts)
    ? quoted(unusedKey)
    : facts.key === undefined
      ? '${{ secrets.GATEHOUSE_API_KEY }}'
      : quoted(facts.key);
  return {
    id: 'continue',
    language: 'yaml',
    text: `name: Gatehouse
version: 1.0.0
schema: v1
models:
  - name: ${quoted(facts.model)}
    provider: openai
    model: ${quoted(facts.model)}
    apiBase: ${quoted(base(facts))}
    apiKey: ${key}
    roles: [chat, edit, apply]
`,
  };
}

/** Cline is set up in a form; these are its fields. */
export function clineSnippet(facts: SnippetFacts): Snippet {
  const key = isDirect(facts)
    ? unusedKey
    : (facts.key ?? `your key${facts.keyName === undefined ? '' : ` "${facts.keyName}"`}`);
  return {
    id: 'cline',
    language: '',
    text: `API Provider: OpenAI Compatible
Base URL:     ${base(facts)}
API Key:      ${key}
Model ID:     ${facts.model}
`,
  };
}

/** For Claude Code and everything else that speaks Messages. The token is what both ways of sending a key understand. */
export function claudeSnippet(facts: SnippetFacts): Snippet {
  const key = isDirect(facts) ? unusedKey : facts.key;
  const token = key === undefined ? '"$GATEHOUSE_API_KEY"' : shellQuoted(key);
  return {
    id: 'claude',
    language: 'bash',
    text: `export ANTHROPIC_BASE_URL=${shellQuoted(base(facts))}
export ANTHROPIC_AUTH_TOKEN=${token}${keyComment(facts, '#')}
export ANTHROPIC_MODEL=${shellQuoted(facts.model)}
export ANTHROPIC_DEFAULT_HAIKU_MODEL="$ANTHROPIC_MODEL"
`,
  };
}

/** `~/.codex/config.toml`. It speaks Responses. */
export function codexSnippet(facts: SnippetFacts): Snippet {
  const key =
    facts.key === undefined
      ? `env_key = "GATEHOUSE_API_KEY"${keyComment(facts, '#')}\n`
      : `experimental_bearer_token = ${quoted(facts.key)}\n`;
  return {
    id: 'codex',
    language: 'toml',
    text: `# ~/.codex/config.toml
model = ${quoted(facts.model)}
model_provider = "gatehouse"

[model_providers.gatehouse]
name = "Gatehouse"
base_url = ${quoted(base(facts))}
wire_api = "responses"
${isDirect(facts) ? '' : key}`,
  };
}

export function shellSnippet(facts: SnippetFacts): Snippet {
  const key = isDirect(facts) ? unusedKey : (facts.key ?? 'gh_…');
  return {
    id: 'shell',
    language: 'bash',
    text: `export OPENAI_BASE_URL=${shellQuoted(base(facts))}
export OPENAI_API_KEY=${shellQuoted(key)}${keyComment(facts, '#')}
export OPENAI_MODEL=${shellQuoted(facts.model)}
export GATEHOUSE_API_KEY="$OPENAI_API_KEY"
`,
  };
}

const question = 'Say hello in one sentence.';
const passage = 'The gate stands open.';
/** Libraries insist on a key; the direct door accepts any. */
const unusedKey = 'unused';

function isDirect(facts: SnippetFacts): boolean {
  return facts.door === 'direct';
}

/** Without the slash at the end: every client library adds its own. */
function base(facts: SnippetFacts): string {
  return (isDirect(facts) ? facts.directBase : facts.proxyBase).replace(/\/+$/, '');
}

function pythonKey(facts: SnippetFacts): { readonly imports: string; readonly value: string } {
  if (isDirect(facts)) return { imports: '', value: quoted(unusedKey) };
  if (facts.key !== undefined) return { imports: '', value: quoted(facts.key) };
  return { imports: 'import os\n\n', value: 'os.environ["GATEHOUSE_API_KEY"]' };
}

/** Names the key for whoever reads the code later. One line, whatever the name holds. */
function keyComment(facts: SnippetFacts, mark: string): string {
  if (isDirect(facts) || facts.keyName === undefined) return '';
  return `  ${mark} ${facts.keyName.replaceAll(/[\r\n\u2028\u2029]+/g, ' ')}`;
}

/** A double-quoted literal that JSON, JavaScript, Python, R and YAML read alike. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
