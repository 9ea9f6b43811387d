import { z } from 'zod';
import type { Entries, Fields, Knob } from './knob.ts';
import { settingsTable } from './settings-table.ts';

type JsonSchema = Record<string, unknown>;

/** For editors: completion, explanations and checks while a settings file is written. */
export function settingsJsonSchema(): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Gatehouse settings',
    ...groupSchema(settingsTable),
    patternProperties: { '^x-': { description: 'Room for anchors; not read.' } },
  };
}

function groupSchema(fields: Fields): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const [name, field] of Object.entries(fields)) {
    if (field.kind === 'section') {
      properties[name] = { description: field.meaning, ...groupSchema(field.fields) };
    } else if (field.kind === 'entries') {
      properties[name] = entriesSchema(field);
    } else {
      properties[name] = knobSchema(field);
      if (field.isSecret) {
        properties[`${name}File`] = { type: 'string', description: `A file that holds ${name}.` };
      } else if (field.isRequired) {
        required.push(name);
      }
    }
  }
  const base = { type: 'object', properties, additionalProperties: false };
  return required.length > 0 ? { ...base, required } : base;
}

function knobSchema({ meaning, check, fallback }: Knob<unknown>): JsonSchema {
  const { $schema: _dropped, ...schema } = z.toJSONSchema(check.schema, { io: 'input' });
  const described = { description: `${meaning} Write ${check.form}.`, ...schema };
  return fallback === undefined ? described : { ...described, default: fallback };
}

function entriesSchema({ meaning, fields, shorthand, fallback, fallbackWords }: Entries<Fields>): JsonSchema {
  const whole = groupSchema(fields);
  const items = shorthand === undefined ? whole : { anyOf: [{ type: 'string' }, whole] };
  const described = { description: meaning, type: 'array', items };
  return fallbackWords === undefined ? { ...described, default: fallback } : described;
}
