import type { HandlersOf } from '../call.ts';
import type { ConsoleParts } from '../console-parts.ts';
import type { toolRoutes } from '#contract/tools';
import { toldOf } from '#vocabulary/tools';

export function createToolHandlers({
  conversations,
  tools,
  toolConsents,
}: ConsoleParts): HandlersOf<typeof toolRoutes> {
  return {
    'GET /console/tools': async ({ session, query }) => ({
      servers: (await tools.serversFor(session.person.id)).map((server) => ({
        name: server.name,
        label: server.label,
        description: server.description,
        tools:
          server.tools?.map((tool) => ({
            name: tool.name,
            title: tool.title,
            description: tool.description,
            ...(query.told === 'with' && { told: toldOf(tool) }),
          })) ?? null,
      })),
    }),

    'POST /console/generations/:generationId/consent': async ({ session, parameters, body }) => {
      const { id: personId } = session.person;
      await conversations.generations.consent(personId, parameters.generationId, body.decision);
      return { done: true };
    },

    'GET /console/tools/consents': async ({ session }) => ({
      consents: (await toolConsents.listForAll(session.person.id)).map(
        ({ serverName, toolName, givenAt }) => ({ server: serverName, tool: toolName, givenAt }),
      ),
    }),

    'POST /console/tools/consents/withdraw': async ({ session, body }) => {
      await toolConsents.withdraw(session.person.id, body.server, body.tool);
      return { done: true };
    },
  };
}
