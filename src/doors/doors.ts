/**
 * By which door does a request come, from which true address, with which claim, asking what? A visit is greeted
 * from its headers alone; only when admission believes the visitor is the question itself read.
 */
import { readEnvelope, readString, readValue } from '#dialects/envelope';
import { createNetworkMatcher } from '#vocabulary/address';
import type { Catalogue, ModelDefinition, ReasoningForm } from '#vocabulary/catalogue';
import type { Claim } from '#vocabulary/caller';
import type { Exchange } from '#vocabulary/exchange';
import type { Arrival, Identity, Visit } from '#vocabulary/inference';
import { Refusal } from '#vocabulary/refusal';
import { findModel, findModelByPath, modelElsewhere, unknownModel } from './asked-model.ts';
import { readBearer } from './bearer.ts';
import { findEndpoint, offeredEndpoints } from './endpoints.ts';
import { listModels, retrieveModel } from './model-list.ts';
import { refuseForeignOrigin } from './origin-rule.ts';
import { checkParameters, type ParameterLimits } from './parameter-rules.ts';
import { trueAddress } from './true-address.ts';

export interface DoorsOptions {
  readonly catalogue: () => Catalogue;
  readonly publicUrl: () => string;
  readonly limits: ParameterLimits & { readonly maxJsonDepth: number };
  /** When the models were put up, in seconds: the `created` of the model list. */
  readonly modelsCreatedAt: number;
}

export interface Doors {
  greetAtProxy(exchange: Exchange): Visit;
  greetAtDirect(exchange: Exchange): Visit;
  /** The chat has already signed its person in. */
  greetAtChat(exchange: Exchange, personId: string): Visit;
  /** Reads the question: what the visitor wants of which model, within what this service allows. */
  receive(visit: Visit, identity: Identity): Promise<Arrival>;
  /** The answer to a question about models, or undefined when the visit asks something else. */
  describeModels(visit: Visit, identity: Identity): object | undefined;
  isDirectPath(segment: string): boolean;
  /** The true address of a caller, behind trusted proxies. */
  addressOf(exchange: Exchange): string;
}

export function createDoors(options: DoorsOptions): Doors {
  const trusted = new WeakMap<Catalogue, (address: string) => boolean>();

  return {
    greetAtProxy(exchange) {
      const claim: Claim = { kind: 'key', secret: readBearer(exchange) };
      return greet(exchange, 'proxy', claim, withoutVersion(exchange.path.slice('/api'.length)), undefined);
    },
    greetAtDirect(exchange) {
      refuseForeignOrigin(exchange.headers, options.publicUrl());
      const [, segment = ''] = exchange.path.split('/', 2);
      const servedHere = findModelByPath(options.catalogue(), segment);
      return greet(
        exchange,
        'direct',
        { kind: 'network' },
        withoutVersion(exchange.path.slice(segment.length + 1)),
        servedHere,
      );
    },
    greetAtChat(exchange, personId) {
      return greet(exchange, 'chat', { kind: 'person', personId }, 'chat/completions', undefined);
    },
    async receive(visit, identity) {
      const endpoint = findEndpoint(visit.door, visit.asked) ?? refuseEndpoint(visit);
      if (visit.exchange.method !== 'POST') throw wrongMethod(visit, 'POST');
      const envelope = readEnvelope(await visit.exchange.readBody(), options.limits.maxJsonDepth);
      const model = askedModel(visit, identity, readString(envelope, 'model'));
      checkParameters(envelope, endpoint, model, options.limits);
      const wantsStream = readFlag(readValue(envelope, 'stream'), 'stream') ?? false;
      return {
        visit,
        endpoint,
        model,
        envelope,
        wantsStream,
        wantsUsage: wantsStream && wantsUsage(readValue(envelope, 'stream_options')),
        reasoning: reasoningForm(
          model,
          readFlag(readValue(envelope, 'separate_reasoning'), 'separate_reasoning'),
        ),
      };
    },
    describeModels(visit, identity) {
      if (visit.asked !== 'models' && !visit.asked.startsWith('models/')) return undefined;
      if (visit.exchange.method !== 'GET' && visit.exchange.method !== 'HEAD')
        throw wrongMethod(visit, 'GET');
      const models = usableModels(visit, identity);
      if (visit.asked === 'models') return listModels(models, options.modelsCreatedAt);
      const name = visit.asked.slice('models/'.length);
      return retrieveModel(models, name, options.modelsCreatedAt) ?? raise(unknownModel(name, models));
    },
    addressOf,
    isDirectPath: (segment) => findModelByPath(options.catalogue(), segment) !== undefined,
  };

  function greet(
    exchange: Exchange,
    door: Visit['door'],
    claim: Claim,
    asked: string,
    servedHere: ModelDefinition | undefined,
  ): Visit {
    return { exchange, door, address: addressOf(exchange), claim, asked, servedHere };
  }

  function addressOf(exchange: Exchange): string {
    return trueAddress(exchange.peerAddress, exchange.headers, isTrustedProxy);
  }

  function isTrustedProxy(address: string): boolean {
    const catalogue = options.catalogue();
    if (catalogue.trustedProxies.length === 0) return false;
    let verdict = trusted.get(catalogue);
    if (verdict === undefined) {
      const match = createNetworkMatcher(catalogue.trustedProxies.map((cidr) => ({ cidr })));
      verdict = (candidate) => match(candidate) !== undefined;
      trusted.set(catalogue, verdict);
    }
    return verdict(address);
  }

  function usableModels(visit: Visit, identity: Identity): readonly ModelDefinition[] {
    if (visit.servedHere !== undefined) return [visit.servedHere];
    const { models } = options.catalogue();
    return identity.models.length === 0
      ? models
      : models.filter((model) => identity.models.includes(model.id));
  }

  function askedModel(visit: Visit, identity: Identity, name: string | undefined): ModelDefinition {
    const usable = usableModels(visit, identity);
    if (name === undefined || name === '') {
      const example = usable[0]?.id ?? 'a model id';
      throw new Refusal('invalid_parameter', `"model" is required, for example "${example}".`, {
        param: 'model',
      });
    }
    const model = findModel(options.catalogue(), name);
    if (visit.servedHere !== undefined && model?.id !== visit.servedHere.id)
      throw modelElsewhere(name, visit.servedHere, model, options.publicUrl());
    if (model === undefined) throw unknownModel(name, usable);
    // Compared by id: the settings may have been read again since the visitor came.
    if (!usable.some(({ id }) => id === model.id)) {
      const ids = usable.map(({ id }) => `\`${id}\``).join(', ');
      throw new Refusal(
        'model_not_permitted',
        `This API key may not use \`${model.id}\`. It may use: ${ids || 'no model that is served now'}.`,
        { param: 'model' },
      );
    }
    return model;
  }

  function refuseEndpoint(visit: Visit): never {
    const base =
      visit.servedHere === undefined
        ? `${options.publicUrl()}/api/`
        : `${options.publicUrl()}/${visit.servedHere.path}/v1/`;
    const known = [...offeredEndpoints[visit.door], 'models'].join(', ');
    const hint = visit.door === 'proxy' ? ' The direct addresses of the models offer more.' : '';
    throw new Refusal(
      'not_found',
      `There is nothing at ${visit.exchange.path.slice(0, 200)}. ${base} offers: ${known}.${hint}`,
    );
  }
}

/** What stands behind the base: `/v1` is optional there, and may be doubled by clients that append it themselves. */
function withoutVersion(rest: string): string {
  return rest.replace(/^(?:\/v1(?=\/|$))*\/?/i, '');
}

function wrongMethod(visit: Visit, allowed: string): Refusal {
  return new Refusal(
    'method_not_allowed',
    `${visit.exchange.path.slice(0, 200)} answers ${allowed}, not ${visit.exchange.method}.`,
    { headers: { allow: allowed } },
  );
}

function readFlag(value: unknown, param: string): boolean | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'boolean') return value;
  throw new Refusal('invalid_parameter', `"${param}" must be true or false.`, { param });
}

function wantsUsage(options: unknown): boolean {
  return (
    typeof options === 'object' &&
    options !== null &&
    'include_usage' in options &&
    options.include_usage === true
  );
}

function reasoningForm(model: ModelDefinition, isSeparate: boolean | undefined): ReasoningForm {
  if (model.reasoning === 'none' || isSeparate === undefined) return model.reasoning;
  return isSeparate ? 'separate' : 'think-tags';
}

function raise(refusal: Refusal): never {
  throw refusal;
}
