import { createHash } from 'node:crypto';
import { isObject } from '#dialects/json-object';
import { cutText } from '#vocabulary/cut-text';
import type { OfferedTool, ToolServerDefinition } from '#vocabulary/tools';
import { plainText } from './plain-text.ts';

const maxTools = 128;
const maxNameCharacters = 128;
const maxTitleCharacters = 80;
const maxDescriptionCharacters = 2000;
const maxSchemaCharacters = 16 * 1024;
const maxSchemaDepth = 16;

interface Listed {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** What of a server's list is taken: each name once, plain text of bounded length, schemas that engines can bear. */
export function readOfferedTools(
  server: ToolServerDefinition,
  listed: readonly Listed[],
): readonly OfferedTool[] {
  const offered = new Map<string, OfferedTool>();
  for (const tool of listed) {
    if (offered.size >= maxTools) break;
    const { name, inputSchema: parameters } = tool;
    if (name === '' || name.length > maxNameCharacters || plainText(name) !== name || offered.has(name))
      continue;
    if (!isBearable(parameters)) continue;
    const title = cutText(plainText(tool.title ?? name).replaceAll('\n', ' '), maxTitleCharacters).trim();
    const description = cutText(plainText(tool.description ?? ''), maxDescriptionCharacters);
    const fields = {
      serverName: server.name,
      serverLabel: server.label,
      name,
      title: title === '' ? name : title,
      description,
      parameters,
      functionName: functionNameOf(server.name, name),
    };
    offered.set(name, { ...fields, digest: digestOf([server.url, fields]) });
  }
  return [...offered.values()];
}

function isBearable(schema: Readonly<Record<string, unknown>>): boolean {
  return JSON.stringify(schema).length <= maxSchemaCharacters && depthOf(schema) <= maxSchemaDepth;
}

function depthOf(value: unknown): number {
  if (Array.isArray(value)) return 1 + Math.max(0, ...value.map(depthOf));
  return isObject(value) ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
}

/**
 * What engines take as the name of a function. A server's name has no underscore, so that the first one ends it; what
 * had to be changed or cut gets a few letters of its own, so that two tools never answer to one name.
 */
function functionNameOf(serverName: string, toolName: string): string {
  const written = `${serverName}_${toolName}`;
  const safe = written.replaceAll(/[^\w-]/g, '_');
  if (safe === written && safe.length <= 64) return safe;
  return `${safe.slice(0, 55)}_${digestOf(written).slice(0, 8)}`;
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
