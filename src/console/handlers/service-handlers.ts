import type { ModelDefinition } from '#vocabulary/catalogue';
import type { HandlersOf } from '../call.ts';
import type { ConsoleParts, EngineHealthReport } from '../console-parts.ts';
import type { connectRoutes } from '#contract/connect';
import type { Health, modelRoutes } from '#contract/models';

const effortLevels = ['low', 'medium', 'high'] as const;

/** What is served and where: models and addresses. */
export function createServiceHandlers(
  parts: ConsoleParts,
): HandlersOf<typeof modelRoutes> & HandlersOf<typeof connectRoutes> {
  return {
    'GET /console/models': async () => {
      const reports = new Map(parts.engineHealth().map((report) => [report.engineName, report]));
      return { models: parts.catalogue().models.map((model) => viewModel(model, reports)) };
    },

    'GET /console/connect': async ({ device }) => {
      const publicUrl = parts.publicUrl();
      const url = new URL(publicUrl);
      return {
        publicUrl,
        host: url.hostname,
        port: url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port),
        proxyBase: `${publicUrl}/api/`,
        models: parts.catalogue().models.map(({ id, path, isForEmbeddings }) => ({
          id,
          path,
          directBase: directBase(path),
          isForEmbeddings,
        })),
        serverAddress: parts.serverAddress() ?? null,
        callerAddress: device.address,
        mayUseDirectDoor: parts.isDirectPermitted(device.address),
      };
    },
  };

  function viewModel(model: ModelDefinition, reports: ReadonlyMap<string, EngineHealthReport>) {
    const states = model.replicas.map((replica) => reports.get(replica.engineName)?.state ?? 'untried');
    return {
      id: model.id,
      description: model.description,
      suggestions: [...model.suggestions],
      supportsTools: model.supportsTools,
      supportsVision: model.supportsVision,
      isForEmbeddings: model.isForEmbeddings,
      showsThinking: model.reasoning !== 'none',
      effortLevels: model.supportsReasoningEffort ? effortLevels : [],
      defaultEffort: model.supportsReasoningEffort ? model.defaultReasoningEffort : null,
      contextTokens: model.contextTokens ?? null,
      health: judge(states),
      isForTryingOut: model.isForTryingOut,
      directAddress: directBase(model.path),
      proxyAddress: `${parts.publicUrl()}/api/`,
    };
  }

  function directBase(path: string): string {
    return `${parts.publicUrl()}/${path}/v1/`;
  }
}

function judge(states: readonly EngineHealthReport['state'][]): Health {
  const healthy = states.filter((state) => state === 'healthy').length;
  if (healthy === states.length && healthy > 0) return 'healthy';
  if (healthy > 0) return 'degraded';
  return states.includes('untried') ? 'starting' : 'down';
}
