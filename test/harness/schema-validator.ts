import { isIP } from 'node:net';
import { Ajv2020 } from 'ajv/dist/2020.js';

/** A standard validator with formats checked by means that share nothing with the constraint compiler. */
export function createValidator(schema: unknown): (value: unknown) => boolean {
  const ajv = new Ajv2020({
    strict: false,
    multipleOfPrecision: 6,
    ownProperties: true,
    meta: false,
    validateSchema: false,
    code: { optimize: false },
    logger: false,
    formats,
  });
  return ajv.compile(schema as boolean | Record<string, unknown>);
}

const formats = {
  date: (text: string) =>
    /^\d{4}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00:00Z`).toISOString().startsWith(text),
  time: (text: string) => /[Zz+-]/.test(text) && !Number.isNaN(Date.parse(`2020-01-01T${text}`)),
  'date-time': (text: string) => /^.{10}T.*(Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text)),
  duration: (text: string) =>
    /^P(?=.)(\d+W|(\d+Y)?(\d+M)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+S)?)?)$/.test(text),
  uuid: (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text),
  ipv4: (text: string) => isIP(text) === 4,
  ipv6: (text: string) => isIP(text) === 6,
  hostname: (text: string) => text.length < 254 && URL.canParse(`foo://${text}/`) && /^[\w.-]+$/.test(text),
  email: (text: string) => /^[^@\s]+@[^@\s]+\.[a-z]+$/i.test(text),
  uri: (text: string) => URL.canParse(text),
};
