/**
 * Blots secrets out of a finished JSON log line: values under telling names at any depth, and whatever looks
 * like one of our keys or a bearer token, also inside error messages and stacks. Done on the text because the
 * log library's own redaction by path costs twenty times the line itself and sees only named places.
 */
export function withoutSecrets(line: string): string {
  let clean = namedSecret.test(line) ? line.replaceAll(everyNamedSecret, '"$1":"[hidden]"') : line;
  if (clean.includes('gh_')) clean = clean.replaceAll(/\bgh_[A-Za-z0-9_-]{6,}/g, 'gh_[hidden]');
  if (/bearer /i.test(clean)) clean = clean.replaceAll(/\b(bearer) +[^\s"'\\,]+/gi, '$1 [hidden]');
  if (clean.includes('postgres'))
    clean = clean.replaceAll(/\b(postgres(?:ql)?:\/\/[^:@\s"]*):[^@\s"]*@/g, '$1:[hidden]@');
  return clean;
}

const namedSecret =
  /"(authorization|cookie|set-cookie|x-api-key|api-key|apiKey|credential|password|secret|clientSecret|token|key)":(?:"(?:[^"\\]|\\.)*"|\[[^\]]*\])/i;
const everyNamedSecret = new RegExp(namedSecret, 'gi');
