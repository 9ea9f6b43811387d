import type { ToolServerDefinition, ToolSettings } from '#vocabulary/tools';
import type { Assembly } from './assembly.ts';
import type { SettingsValues } from './settings-table.ts';

type Written = SettingsValues['tools']['servers'][number];

export function assembleTools(
  { tools }: Pick<SettingsValues, 'tools'>,
  { isSound, refuse }: Assembly,
): ToolSettings {
  const names = new Set<string>();
  const servers = tools.servers.flatMap((server, index): readonly ToolServerDefinition[] => {
    const knob = `tools.servers[${index}]`;
    if (!isSound(knob)) return [];
    if (names.has(server.name)) {
      const problem = `Another server is already called "${server.name}".`;
      refuse(`${knob}.name`, problem, 'Give each server a name of its own.');
    }
    names.add(server.name);
    const reserved = Object.keys(server.headers).find((name) => reservedHeaders.test(name));
    if (reserved !== undefined) {
      const problem = `The header "${reserved}" is ours or carries a secret.`;
      refuse(`${knob}.headers`, problem, 'Remove it; use credential for a secret.');
    }
    if (server.credentialHeader !== undefined && server.credential === undefined) {
      refuse(`${knob}.credentialHeader`, 'There is no credential for it.', 'Give credential, or remove it.');
    }
    return [
      {
        name: server.name,
        label: server.label ?? server.name,
        description: server.description,
        url: server.url,
        headers: { ...server.headers, ...credentialOf(server) },
        projects: server.projects,
        timeLimitMs: server.timeLimit,
        resultLimitBytes: server.resultLimit,
      },
    ];
  });
  return {
    servers,
    maxRounds: tools.maxRounds,
    maxCallsPerPerson: tools.callsPerPerson,
    maxCalls: tools.calls,
  };
}

/** What the transport needs for itself, and what would be a secret in plain sight. */
const reservedHeaders =
  /^(authorization|cookie|host|connection|content-.*|transfer-encoding|accept|mcp-.*|last-event-id)$/i;

function credentialOf({ credential, credentialHeader }: Written): Record<string, string> {
  if (credential === undefined) return {};
  return credentialHeader === undefined
    ? { Authorization: `Bearer ${credential}` }
    : { [credentialHeader]: credential };
}
