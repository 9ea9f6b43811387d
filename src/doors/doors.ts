/**
 * By which door does a request come, from which true address, with which claim, asking what? A request is greeted
 * from its headers alone; only when admission believes the visitor is the question itself read.
 */
import { type Envelope, readEnvelope, readString, readValue } from '#dialects/envelope';
import type { Translation } from '#dialects/translation';
import { translationFor } from '#dialects/translations';
import { createNetworkMatcher } from '#vocabulary/address';
import type { Catalogue, EngineKind, ModelDefinition, ReasoningForm } from '#vocabulary/catalogue';
import type { Claim, PersonClaim } from '#vocabulary/caller';
import type { Exchange } from '#vocabulary/exchange';
import type { Identity, IncomingRequest, InferenceEndpoint, ParsedRequest } from '#vocabulary/inference';
import { Refusal } from '#vocabulary/refusal';
import { responseOwner, type ResponseShelf } from '#vocabulary/response-shelf';
import type { Share } from '#vocabulary/sharing';
import {
  findModel,
  findModelByPath,
  modelElsewhere,
  modelNotPermitted,
  unknownModel,
} from './asked-model.ts';
import { readPresentedKey } from './presented-key.ts';
import { findEndpoint, offeredEndpoints, streamedEndpoints } from './endpoints.ts';
import { ignoredFields } from './ignored-fields.ts';
import { listModels, modelListForm, retrieveModel } from './model-list.ts';
import { refuseForeignPage } from './origin-rule.ts';
import { countSequences, maxOutputTokens } from './asked-work.ts';
import { checkParameters } from './parameter-rules.ts';
import { parseBody, translateRequest, type TranslationLimits } from './translated-request.ts';
import { type ForwardedHeader, passedOnHeader, trueAddress } from './true-address.ts';

export interface DoorsOptions {
  readonly catalogue: () => Catalogue;
  readonly publicUrl: () => string;
  /** Further names under which callers without a key may come. */
  readonly hostNames: ReadonlySet<string>;
  readonly hasCertificate: boolean;
  readonly forwardedHeader: ForwardedHeader;
  readonly limits: TranslationLimits;
  readonly shelf: ResponseShelf;
  /** Whether answers for people and keys leave receipts. */
  readonly leavesReceipts: boolean;
  readonly engineOffers: (kind: EngineKind, endpoint: InferenceEndpoint) => boolean;
  /** When the models were put up, in seconds: the `created` of the model list. */
  readonly modelsCreatedAt: number;
}

export interface Doors {
  greetAtProxy(exchange: Exchange): IncomingRequest;
  greetAtDirect(exchange: Exchange): IncomingRequest;
  /** The chat has already signed its person in. */
  greetAtChat(exchange: Exchange, person: Omit<PersonClaim, 'kind'>, isTemporary: boolean): IncomingRequest;
  /** The service asks in the name of a person whose documents it searches. */
  greetForEmbeddings(exchange: Exchange, person: Omit<PersonClaim, 'kind'>): IncomingRequest;
  /** Reads the question: what the visitor wants of which model, within what this service allows. */
  receive(incoming: IncomingRequest, identity: Identity): Promise<ParsedRequest>;
  /** The answer to a question about models, or undefined when the request asks something else. */
  describeModels(incoming: IncomingRequest, identity: Identity): object | undefined;
  isDirectPath(segment: string): boolean;
  /** Where a model of this name is served without a key, if there is one. */
  directAddress(modelName: string): string | undefined;
  /** The true address of a caller, behind trusted proxies. */
  addressOf(caller: Pick<Exchange, 'peerAddress' | 'headers'>): string;
  isTrustedProxy(address: string): boolean;
  /** Throws a refusal unless a program on this machine itself asks: no proxy, no page of somebody else. */
  requireThisMachine(exchange: Exchange): void;
}

export function createDoors(options: DoorsOptions): Doors {
  const trusted = new WeakMap<Catalogue, (address: string) => boolean>();

  return {
    greetAtProxy(exchange) {
      const claim: Claim = { kind: 'key', secret: readPresentedKey(exchange) };
      return greet(exchange, 'proxy', claim, withoutVersion(exchange.path.slice('/api'.length)), undefined);
    },
    greetAtDirect(exchange) {
      requireOwnPage(exchange);
      refuseUnknownProxy(exchange);
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
    greetAtChat(exchange, person, isTemporary) {
      const incoming = greet(exchange, 'chat', { kind: 'person', ...person }, 'chat/completions', undefined);
      return isTemporary ? { ...incoming, leavesReceipt: false } : incoming;
    },
    greetForEmbeddings(exchange, person) {
      const incoming = greet(exchange, 'chat', { kind: 'person', ...person }, 'embeddings', undefined);
      return { ...incoming, leavesReceipt: false };
    },
    async receive(incoming, identity) {
      let model: ModelDefinition | undefined;
      try {
        const spoken = findEndpoint(incoming.door, incoming.asked) ?? refuseEndpoint(incoming);
        if (incoming.exchange.method !== 'POST') throw wrongMethod(incoming, 'POST');
        const asked = readEnvelope(
          await incoming.exchange.readBody(),
          options.limits.maxJsonDepth,
          options.limits.maxJsonValues,
        );
        model = askedModel(incoming, identity, readString(asked, 'model'));
        checkParameters(asked, spoken, model, options.limits);
        const wantsStream = readFlag(readValue(asked, 'stream'), 'stream') ?? false;
        if (wantsStream && !streamedEndpoints.has(spoken)) throw notStreamed(spoken);
        const unheeded =
          spoken === 'chat/completions' ? ignoredFields(asked, model, options.catalogue()) : [];
        if (unheeded.length > 0) incoming.exchange.reply.announce(['gatehouse-ignored', unheeded.join(', ')]);
        const translation = translationFor(spoken);
        const { endpoint, envelope, exchange, ignored } =
          translation === undefined
            ? { endpoint: spoken, envelope: asked, exchange: incoming.exchange, ignored: undefined }
            : await understand(incoming, identity, spoken, asked, model, translation);
        return {
          exchange,
          door: incoming.door,
          address: incoming.address,
          spoken,
          endpoint,
          model,
          envelope,
          wantsStream,
          wantsUsage: wantsStream && wantsUsage(readValue(envelope, 'stream_options')),
          reasoning: reasoningForm(
            model,
            readFlag(readValue(envelope, 'separate_reasoning'), 'separate_reasoning'),
          ),
          sequences: countSequences(envelope, endpoint),
          maxOutputTokens: maxOutputTokens(envelope, endpoint),
          ignored: ignored ?? unheeded,
          leavesReceipt: incoming.leavesReceipt,
          seedSource: incoming.begunAs ?? (incoming.leavesReceipt ? exchange.requestId : undefined),
          share: shareFor(identity, model, readString(envelope, 'service_tier')),
        };
      } catch (thrown) {
        if (thrown instanceof Refusal) thrown.modelId = model?.id;
        throw thrown;
      }
    },
    describeModels(incoming, identity) {
      if (incoming.asked !== 'models' && !incoming.asked.startsWith('models/')) return undefined;
      if (incoming.exchange.method !== 'GET' && incoming.exchange.method !== 'HEAD')
        throw wrongMethod(incoming, 'GET');
      const models = usableModels(incoming, identity);
      const form = modelListForm(incoming.exchange.headers, options.modelsCreatedAt);
      if (incoming.asked === 'models') return listModels(models, form);
      const name = incoming.asked.slice('models/'.length);
      return retrieveModel(models, name, form) ?? raise(unknownModel(name, models));
    },
    addressOf,
    isTrustedProxy,
    requireThisMachine(exchange) {
      const { peerAddress, headers } = exchange;
      const isLocal = peerAddress === '::1' || peerAddress.startsWith('127.');
      if (!isLocal || passedOnHeader(headers) !== undefined)
        throw new Refusal(
          'not_found',
          'This is shown on this machine only. Set metricsListen to give metrics an address of their own.',
        );
      requireOwnPage(exchange);
    },
    isDirectPath: (segment) => findModelByPath(options.catalogue(), segment) !== undefined,
    directAddress(modelName) {
      const model = findModel(options.catalogue(), modelName);
      return model && `${options.publicUrl()}/${model.path}/v1/`;
    },
  };

  function greet(
    exchange: Exchange,
    door: IncomingRequest['door'],
    claim: Claim,
    asked: string,
    servedHere: ModelDefinition | undefined,
  ): IncomingRequest {
    const isAddressCertain = undeclaredProxyHeader(exchange) === undefined;
    // Whoever comes without a key has nothing with which to ask for a receipt.
    const leavesReceipt = options.leavesReceipts && door !== 'direct';
    const address = addressOf(exchange);
    return { exchange, door, address, isAddressCertain, claim, asked, leavesReceipt, servedHere };
  }

  /** The question as the engines of the model understand it. */
  async function understand(
    { exchange, address, recalled }: IncomingRequest,
    { caller }: Identity,
    spoken: InferenceEndpoint,
    asked: Envelope,
    model: ModelDefinition,
    translation: Translation,
  ): Promise<
    Pick<ParsedRequest, 'exchange' | 'endpoint' | 'envelope'> & Partial<Pick<ParsedRequest, 'ignored'>>
  > {
    const body = parseBody(asked);
    const owner = responseOwner(caller, address);
    const { requestId } = recalled ?? exchange;
    const place = spoken === 'responses' ? await options.shelf.open({ body, owner, requestId }) : undefined;
    const question = place?.body ?? body;
    const { limits } = options;
    const translated = translateRequest(translation, question, model, exchange, limits, recalled);
    if (place !== undefined || !speakNatively(model, spoken))
      return { endpoint: translation.endpoint, ...translated.begin(place?.observer) };
    // The engine gets it as it came; a refusal is in the caller's dialect all the same.
    return { endpoint: spoken, envelope: asked, exchange: translated.begin(undefined).exchange };
  }

  /** One engine that cannot is enough to translate: nobody knows yet which one will answer. */
  function speakNatively({ replicas }: ModelDefinition, endpoint: InferenceEndpoint): boolean {
    const { engines } = options.catalogue();
    return replicas.every(({ engineName }) => {
      const engine = engines.find(({ name }) => name === engineName);
      return engine !== undefined && options.engineOffers(engine.kind, endpoint);
    });
  }

  function addressOf({ peerAddress, headers }: Pick<Exchange, 'peerAddress' | 'headers'>): string {
    return trueAddress(peerAddress, headers, options.forwardedHeader, isTrustedProxy);
  }

  function requireOwnPage(exchange: Exchange): void {
    refuseForeignPage(exchange.headers, { ...options, publicUrl: options.publicUrl() });
  }

  /** Everybody behind a proxy nobody declared would have its address, and with it its rights. */
  function refuseUnknownProxy(exchange: Exchange): void {
    const { peerAddress } = exchange;
    const header = undeclaredProxyHeader(exchange);
    if (header === undefined) return;
    throw new Refusal(
      'network_not_permitted',
      `${peerAddress} passes on requests of others (header ${header}) and is not known as a proxy, so the true address of this one cannot be told. Call ${options.publicUrl()}/api/ with an API key. Operators: if it is your proxy, add ${peerAddress} to trustedProxies.`,
    );
  }

  function undeclaredProxyHeader({ peerAddress, headers }: Exchange): string | undefined {
    return isTrustedProxy(peerAddress) ? undefined : passedOnHeader(headers);
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

  function usableModels(incoming: IncomingRequest, identity: Identity): readonly ModelDefinition[] {
    return permitted(
      incoming.servedHere === undefined ? options.catalogue().models : [incoming.servedHere],
      identity,
    );
  }

  function askedModel(
    incoming: IncomingRequest,
    identity: Identity,
    name: string | undefined,
  ): ModelDefinition {
    const usable = usableModels(incoming, identity);
    if (name === undefined || name === '') {
      const example = usable[0]?.id ?? 'a model id';
      throw new Refusal('invalid_parameter', `"model" is required, for example "${example}".`, {
        param: 'model',
      });
    }
    const model = findModel(options.catalogue(), name);
    if (incoming.servedHere !== undefined && model?.id !== incoming.servedHere.id)
      throw modelElsewhere(name, incoming.servedHere, model, options.publicUrl());
    if (model === undefined) throw unknownModel(name, usable);
    // Compared by id: the settings may have been read again since the visitor came.
    if (!usable.some(({ id }) => id === model.id))
      throw modelNotPermitted(model, identity, permitted(options.catalogue().models, identity));
    return model;
  }

  function refuseEndpoint(incoming: IncomingRequest): never {
    const base =
      incoming.servedHere === undefined
        ? `${options.publicUrl()}/api/`
        : `${options.publicUrl()}/${incoming.servedHere.path}/v1/`;
    const known = [...offeredEndpoints[incoming.door], 'models'].join(', ');
    const hint = incoming.door === 'proxy' ? ' The direct addresses of the models offer more.' : '';
    throw new Refusal(
      'not_found',
      `There is nothing at ${incoming.exchange.path.slice(0, 200)}. ${base} offers: ${known}.${hint}`,
    );
  }
}

/** What stands behind the base: `/v1` is optional there, and may be doubled by clients that append it themselves. */
function withoutVersion(rest: string): string {
  return rest.replace(/^(?:\/v1(?=\/|$))*\/?/i, '');
}

function permitted(models: readonly ModelDefinition[], identity: Identity): readonly ModelDefinition[] {
  return identity.models.length === 0 ? models : models.filter(({ id }) => identity.models.includes(id));
}

function wrongMethod(incoming: IncomingRequest, allowed: string): Refusal {
  return new Refusal(
    'method_not_allowed',
    `${incoming.exchange.path.slice(0, 200)} answers ${allowed}, not ${incoming.exchange.method}.`,
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

/** `flex` is OpenAI's word for work that can wait. */
function shareFor(identity: Identity, model: ModelDefinition, tier: string | undefined): Share {
  const share = identity.shareFor(model.id);
  if (tier !== 'flex') return share;
  let background = backgroundShares.get(share);
  if (background === undefined) {
    background = { ...share, lane: 'background' };
    backgroundShares.set(share, background);
  }
  return background;
}

/** Made once for each: what is worked out about a share is kept with it. */
const backgroundShares = new WeakMap<Share, Share>();

function reasoningForm(model: ModelDefinition, isSeparate: boolean | undefined): ReasoningForm {
  if (model.reasoning === 'none' || isSeparate === undefined) return model.reasoning;
  return isSeparate ? 'separate' : 'think-tags';
}

function raise(refusal: Refusal): never {
  throw refusal;
}

function notStreamed(endpoint: string): Refusal {
  return new Refusal('invalid_parameter', `${endpoint} answers at once and whole: leave "stream" out.`, {
    param: 'stream',
  });
}
