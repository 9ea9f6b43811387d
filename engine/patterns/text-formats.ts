/**
 * The formats of JSON Schema and a few that are common beside it, each as a pattern for texts every common
 * validator takes. A pattern may be narrower than its standard (leap seconds, quoted mail addresses) but never
 * wider. Any other name limits nothing, as the specification has it.
 */
export const textFormats: ReadonlyMap<string, string> = new Map(Object.entries(patterns()));

/**
 * What every text has that any validator takes for the format: for saying that a text misses it. Formats that
 * leave hardly anything out are not here.
 */
export const textFormatsAtWidest: ReadonlyMap<string, string> = new Map([
  ...['date', 'time', 'date-time', 'relative-json-pointer'].map((name) => [name, '\\d'] as const),
  ['ipv4', '^[0-9.]+$'],
  ['duration', 'P'],
  ['uuid', '-'],
  ['ipv6', ':'],
  ['hostname', '^[A-Za-z0-9._\\-]+$'],
  ...['email', 'idn-email'].map((name) => [name, '@'] as const),
  ...['uri', 'iri'].map((name) => [name, ':'] as const),
  ['json-pointer', '^(?:$|/)'],
]);

function patterns(): Record<string, string> {
  const leapYear = '(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)';
  const day =
    '(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8])';
  const date = `(?:\\d{4}-(?:${day})|${leapYear}-02-29)`;
  const clock = '(?:[01]\\d|2[0-3]):[0-5]\\d';
  const time = `${clock}:[0-5]\\d(?:\\.\\d{1,9})?(?:Z|[+-]${clock})`;
  const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
  const label = '[A-Za-z0-9](?:[A-Za-z0-9\\-]{0,30}[A-Za-z0-9])?';
  const host = `${label}(?:\\.${label}){0,6}`;
  const mailbox = '[A-Za-z0-9_+\\-]{1,30}(?:\\.[A-Za-z0-9_+\\-]{1,30}){0,3}';
  const path = "(?:[A-Za-z0-9\\-._~!$&'()*+,;=:@/]|%[0-9A-Fa-f]{2})*";
  const hex = (count: number) => `[0-9a-fA-F]{${count}}`;
  const parts = [
    ['\\d{1,9}H', '\\d{1,9}M', '\\d{1,9}S'],
    ['\\d{1,9}Y', '\\d{1,9}M', '\\d{1,9}D'],
  ].map(([one, two, three]) => `(?:${one}(?:${two}(?:${three})?)?|${two}(?:${three})?|${three})`);
  const name = "(?:[A-Za-z0-9\\-._~!$&'()*+,;=@]|%[0-9A-Fa-f]{2})";
  const place = `(?:\\?${path})?(?:#${path})?`;
  const uri = `[a-z][a-z0-9+.\\-]{1,20}://${host}(?::\\d{1,4})?(?:/${path})?${place}`;
  const uriReference = `(?:${uri}|(?:/(?:${name}${path})?|${name}+(?:/${path})?)?${place})`;
  const email = `${mailbox}@${label}(?:\\.${label}){0,3}\\.[A-Za-z]{2,20}`;
  const pointer = '(?:/(?:[^~/]|~[01])*)*';
  return {
    date: `^${date}$`,
    time: `^${time}$`,
    'date-time': `^${date}T${time}$`,
    duration: `^P(?:\\d{1,9}W|${parts[1]}(?:T${parts[0]})?|T${parts[0]})$`,
    uuid: `^${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}$`,
    ipv4: `^${octet}(?:\\.${octet}){3}$`,
    ipv6: `^(?:${internetAddresses().join('|')})$`,
    hostname: `^${host}$`,
    'idn-hostname': `^${host}$`,
    email: `^${email}$`,
    'idn-email': `^${email}$`,
    uri: `^${uri}$`,
    iri: `^${uri}$`,
    'uri-reference': `^${uriReference}$`,
    'iri-reference': `^${uriReference}$`,
    'uri-template': `^(?:${name}|[:/?#]|\\{[+#./;?&]?[A-Za-z0-9_]{1,30}(?:,[A-Za-z0-9_]{1,30})*\\})*$`,
    'json-pointer': `^${pointer}$`,
    'relative-json-pointer': `^(?:0|[1-9]\\d{0,8})(?:#|${pointer})$`,
    regex: `^${regularExpression()}$`,
  };
}

/** Eight groups, or fewer with one gap written as `::`. */
function internetAddresses(): string[] {
  const group = '[0-9a-fA-F]{1,4}';
  const forms = [`(?:${group}:){7}${group}`, `(?:${group}:){1,7}:`, `:(?::${group}){1,7}`];
  for (let before = 1; before <= 6; before += 1)
    forms.push(`(?:${group}:){${before}}(?::${group}){1,${7 - before}}`);
  return [...forms, '::'];
}

/** Groups one level deep, classes of the usual ranges, counts that cannot be the wrong way round. */
function regularExpression(): string {
  const character = '[A-Za-z0-9 _\\-/:,;=@#%&~"\'<>!.]|\\\\[dDwWsS.\\\\/+*?()[\\]{}|^$]';
  const inClass = '(?:a-z|A-Z|0-9|[A-Za-z0-9 _./:,;=@#%&~!+*]|\\\\[dws.\\\\/\\-])';
  const atom = `(?:${character}|\\[\\^?${inClass}+\\])`;
  const count = '(?:[*+?]|\\{\\d{1,3},?\\})?';
  const branch = `(?:${atom}${count})+`;
  const group = `\\((?:\\?:)?${branch}(?:\\|${branch})*\\)`;
  const side = `\\^?(?:(?:${atom}|${group})${count})*\\$?`;
  return `${side}(?:\\|${side})*`;
}
