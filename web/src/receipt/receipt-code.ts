import type { SignedReceipt } from '#contract/receipts';

export type CodeLanguage = 'curl' | 'python' | 'r';

/** Texts to paste that ask the same again. The key is read from the environment. */
export function codeFor(language: CodeLanguage, service: string, request: Record<string, unknown>): string {
  const base = `${service}/api`;
  const json = JSON.stringify(request, null, 2);
  switch (language) {
    case 'curl':
      return `curl ${base}/chat/completions \\
  -H "Authorization: Bearer $GATEHOUSE_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '${json.replaceAll("'", "'\\''")}'
`;
    case 'python':
      return `import json
import os

from openai import OpenAI

client = OpenAI(base_url="${base}/", api_key=os.environ["GATEHOUSE_API_KEY"])
request = json.loads(r"""${escapedForPython(json)}""")
answer = client.chat.completions.with_raw_response.create(**request)
print(answer.headers["x-request-id"])
print(answer.parse().choices[0].message.content)
`;
    case 'r':
      return `library(httr2)

body <- r"---(${json})---"
answer <- request("${base}/chat/completions") |>
  req_auth_bearer_token(Sys.getenv("GATEHOUSE_API_KEY")) |>
  req_body_raw(body, type = "application/json") |>
  req_perform()
cat(resp_header(answer, "x-request-id"), "\\n")
cat(resp_body_json(answer)$choices[[1]]$message$content, "\\n")
`;
  }
}

/** Three quotes in a row would end the text; in JSON they can be written so that they do not. */
function escapedForPython(json: string): string {
  return json.replaceAll('"""', '"\\u0022\\u0022');
}

/** An entry for a bibliography; the note names the receipt, by which the answer can be checked. */
export function bibtexFor({ receipt, signature }: SignedReceipt): string {
  const [date = ''] = receipt.created_at.split('T');
  const [year = '', month = ''] = date.split('-');
  const weights = receipt.weights.sha256 === null ? '' : `; weights SHA-256 ${receipt.weights.sha256}`;
  const seed = receipt.seed === null ? '' : `; seed ${receipt.seed.value}`;
  const version = receipt.engine.version === null ? '' : ` ${receipt.engine.version}`;
  return `@misc{answer-${receipt.request_id},
  title        = {Answer of the language model ${tex(receipt.model)}},
  year         = {${year}},
  month        = {${Number(month)}},
  howpublished = {\\url{${receipt.service}}},
  note         = {Generated on ${date} by ${tex(receipt.model)} on ${tex(receipt.engine.kind + version)}${seed}${weights}; answer SHA-256 ${receipt.answer.sha256}; request ${receipt.request_id}; receipt signed with the key ${tex(signature.key_id)} of \\url{${receipt.service}/.well-known/gatehouse-receipts.json}}
}
`;
}

function tex(text: string): string {
  return text.replaceAll(/[&%$#_{}]/g, String.raw`\$&`);
}
