import type { z } from 'zod';
import { readEnvelope } from '#dialects/envelope';
import type { Exchange } from '#vocabulary/exchange';
import { Refusal } from '#vocabulary/refusal';
import { bodySizes, type RouteDefinition } from '#contract/route';

const maxDepth = 32;

/** The query as the route describes it. */
export function readQuery(route: RouteDefinition, query: string): unknown {
  if (route.query === undefined) return undefined;
  const given: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(query)) {
    if (Object.hasOwn(given, name)) {
      throw new Refusal('invalid_parameter', `The parameter ${name.slice(0, 64)} is given twice.`, {
        param: name.slice(0, 64),
      });
    }
    given[name] = value;
  }
  return check(route.query, given);
}

/** The body as the route describes it. Strict JSON: no doubled fields, no trailing bytes, bounded in size, depth and values. */
export async function readBody(route: RouteDefinition, exchange: Exchange): Promise<unknown> {
  if (route.takesBytes !== undefined)
    return await exchange.readBody({ maxBytes: route.takesBytes, isPlainBytes: true });
  if (route.body === undefined || route.readsLargeBody === true) return undefined;
  return readJson(route, await readJsonBytes(route, exchange));
}

/** The bytes of a body that says that it is JSON. */
export async function readJsonBytes(route: RouteDefinition, exchange: Exchange): Promise<Buffer> {
  const type = exchange.headers['content-type'] ?? '';
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    throw new Refusal(
      'unsupported_media_type',
      'Send the body with the header Content-Type: application/json.',
    );
  }
  return await exchange.readBody({ maxBytes: bodySizes[bodySizeOf(route)].maxBytes });
}

/** Refuses what is no JSON, holds too much, or is not what the route describes. */
export function readJson(route: RouteDefinition, bytes: Buffer): unknown {
  readEnvelope(bytes, maxDepth, bodySizes[bodySizeOf(route)].maxValues);
  return route.body === undefined ? undefined : check(route.body, parse(bytes));
}

function bodySizeOf({ access, bodySize }: RouteDefinition): keyof typeof bodySizes {
  return access === 'anyone' ? 'small' : (bodySize ?? 'form');
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch {
    throw new Refusal('invalid_json', 'The request body is not valid JSON.');
  }
}

function check(schema: z.ZodType, given: unknown): unknown {
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const param = issue === undefined ? '' : issue.path.join('.').slice(0, 100);
  const reason = issue?.message.slice(0, 200) ?? 'something is wrong with it';
  throw new Refusal('invalid_parameter', param === '' ? `${reason}.` : `${param}: ${reason}.`, {
    param: param === '' ? undefined : param,
  });
}
