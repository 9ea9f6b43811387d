import { Refusal } from '#vocabulary/refusal';
import type { JsonObject } from '../json-object.ts';
import type { EngineProfile } from '../engine-profile.ts';
import type { SamplingParameters } from '../sampling/sampling-parameters.ts';
import { readArray, readBoolean, readInteger, readObject, readString, wrong } from './read-field.ts';
import { readTokens } from './encode-input.ts';
import { readSampling } from './read-sampling.ts';

/** What chat and text completions have in common. */
export interface GenerationRequest {
  readonly profile: EngineProfile;
  readonly sampling: SamplingParameters;
  readonly choiceCount: number;
  readonly cacheSalt: string;
  readonly member: string;
  /** As asked for; undefined leaves it to the endpoint. */
  readonly maxTokens: number | undefined;
  readonly minTokens: number;
  readonly stops: readonly string[];
  readonly stopTokens: readonly number[];
  readonly ignoresEnd: boolean;
  readonly stream: StreamWishes | undefined;
  /** What the answer will probably be: it is written faster as long as it is, and is the same in any case. */
  readonly expectedText: string | undefined;
}

export interface StreamWishes {
  readonly includesUsage: boolean;
  readonly includesRunningUsage: boolean;
}

const mostStops = 16;
const mostChoices = 128;

export function readGeneration(
  body: JsonObject,
  profile: EngineProfile,
  vocabularySize: number,
): GenerationRequest {
  return {
    profile,
    sampling: readSampling(body, profile, vocabularySize),
    cacheSalt: readString(body, 'cache_salt') ?? '',
    member: readString(body, 'member') ?? '',
    choiceCount: readInteger(body, 'n', { min: 1, max: mostChoices }) ?? 1,
    maxTokens:
      readInteger(body, 'max_completion_tokens', { min: 1 }) ?? readInteger(body, 'max_tokens', { min: 0 }),
    minTokens: readInteger(body, 'min_tokens', { min: 0 }) ?? 0,
    stops: readStops(body['stop'] ?? undefined),
    stopTokens: readStopTokens(body, vocabularySize),
    ignoresEnd: readBoolean(body, 'ignore_eos') ?? false,
    stream: readStream(body),
    expectedText: readString(body, 'expected_text'),
  };
}

function readStops(value: unknown): readonly string[] {
  if (value === undefined) return [];
  const stops: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (stops.length > mostStops) throw wrong('stop', `"stop" may hold at most ${mostStops} strings.`);
  return stops.map((stop) => {
    if (typeof stop !== 'string' || stop === '') {
      throw wrong('stop', '"stop" must be a string or an array of strings that are not empty.');
    }
    return stop;
  });
}

function readStopTokens(body: JsonObject, vocabularySize: number): readonly number[] {
  return readTokens(readArray(body, 'stop_token_ids') ?? [], vocabularySize, 'stop_token_ids');
}

function readStream(body: JsonObject): StreamWishes | undefined {
  const options = readObject(body, 'stream_options');
  if (readBoolean(body, 'stream') !== true) return undefined;
  return {
    includesUsage: options !== undefined && readBoolean(options, 'include_usage') === true,
    includesRunningUsage: options !== undefined && readBoolean(options, 'continuous_usage_stats') === true,
  };
}

/** The profile the request names; ids are exact here, forgiving spellings are the gateway's business. */
export function chooseProfile(body: JsonObject, profiles: readonly EngineProfile[]): EngineProfile {
  const id = readString(body, 'model');
  const only = profiles.length === 1 ? profiles[0] : undefined;
  const profile = id === undefined || id === '' ? only : profiles.find((candidate) => candidate.id === id);
  if (profile !== undefined) return profile;
  const ids = profiles.map((candidate) => candidate.id).join(', ');
  if (id === undefined || id === '') throw wrong('model', `Name a model. This engine serves: ${ids}.`);
  throw new Refusal('model_not_found', `The model "${id}" is not served here. This engine serves: ${ids}.`, {
    param: 'model',
  });
}
