import { cidr, engineUrl } from './address-checks.ts';
import {
  autoOrWholeNumber,
  choice,
  filePath,
  flag,
  freeText,
  listOf,
  numbersByName,
  numberWithin,
  size,
  text,
  tokensByEffort,
  valuesByName,
  wholeNumber,
} from './checks.ts';
import { entries, knob, optionalKnob, requiredKnob, secretKnob } from './knob.ts';

const maxTokens = 100_000_000;
export const modelName = text('a model name without blanks, at most 200 characters', /^[^\s\p{Cc}]{1,200}$/u);

export const engineFields = {
  name: requiredKnob(
    text(
      'a short name of letters, digits, dots and dashes, such as `gpu-1`',
      /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
    ),
    { meaning: 'How models, logs and metrics call this engine. Unique.' },
  ),
  kind: requiredKnob(choice('vllm', 'sglang', 'llama-server', 'openai', 'embedded'), {
    meaning: 'What runs there. `openai` is any other server that speaks OpenAI; `embedded` is run by us.',
  }),
  url: optionalKnob(engineUrl, {
    meaning: 'Where the engine listens. A `/v1` at the end is understood. Not for `embedded`.',
  }),
  socket: optionalKnob(filePath, {
    meaning: 'The unix socket on which the engine listens, instead of `url`.',
  }),
  credential: secretKnob(text('the secret itself, `${NAME}` for a variable, or use `credentialFile`'), {
    meaning: 'Sent to the engine as its bearer token.',
  }),
  maxConcurrent: optionalKnob(wholeNumber(1, 100_000), {
    meaning:
      'Requests given to the engine at once; more wait in the line here. For `embedded` the number of sequences that are generated together. Without it 256, for `embedded` 8.',
  }),
  modelFile: optionalKnob(filePath, {
    meaning:
      'Only for `embedded`: the GGUF file. A relative path is looked up beside this file, then in `models` inside the data folder.',
  }),
  threads: knob(autoOrWholeNumber(1, 1024), {
    fallback: 'auto',
    meaning: 'Only for `embedded`: CPU threads. `auto` leaves the gateway room to breathe.',
  }),
  context: knob(autoOrWholeNumber(128, maxTokens), {
    fallback: 'auto',
    meaning:
      'Only for `embedded`: context of each sequence in tokens. `auto` takes what the model was made for.',
  }),
  gpu: knob(choice('auto', 'off', 'cuda', 'vulkan', 'metal'), {
    fallback: 'auto',
    meaning: 'Only for `embedded`: which graphics processor computes.',
  }),
  start: knob(choice('boot', 'demand'), {
    fallback: 'boot',
    meaning: 'Only for `embedded`: start with the service, or when the first request comes.',
  }),
  memoryLimit: optionalKnob(size(64 * 1024 ** 2, 2 ** 50, '8GiB'), {
    meaning:
      'Only for `embedded`: the engine is restarted when its process holds more. Without it: no limit.',
  }),
};

export const modelFields = {
  id: requiredKnob(modelName, {
    meaning: 'The model id that callers send. Unique, whatever the letter case.',
  }),
  path: optionalKnob(
    text('one path segment of letters, digits, dots and dashes', /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/),
    { meaning: 'First segment of the direct address `/<path>/v1/`. Without it the id.' },
  ),
  engines: entries(
    {
      engine: requiredKnob(text('the name of an engine'), { meaning: 'The engine.' }),
      model: optionalKnob(modelName, {
        meaning: 'The name by which the engine knows the model. Without it the id.',
      }),
      reasoning: optionalKnob(choice('fields', 'inline', 'none'), {
        meaning:
          'How this engine delivers thinking: in `fields` of its own, `inline` as tags inside the text, or not at all. Without it `fields`, or `none` when the model does not think.',
      }),
    },
    {
      meaning: 'The engines that serve this model; an entry may be the bare name of the engine.',
      shorthand: 'engine',
      fallback: [],
      fallbackWords: 'none; at least one is required',
    },
  ),
  aliases: knob(listOf(modelName), { fallback: [], meaning: 'Further ids that mean this model.' }),
  description: knob(freeText, { fallback: '', meaning: 'One sentence for people who choose a model.' }),
  suggestions: knob(listOf(freeText), {
    fallback: [],
    meaning:
      'Questions that an empty chat suggests, four at most, in a language the model speaks. Without them the chat has its own.',
  }),
  tools: knob(flag, { fallback: false, meaning: 'Whether requests may carry `tools`.' }),
  vision: knob(flag, {
    fallback: false,
    meaning: 'Whether the model looks at pictures; the chat sends it those that people bring.',
  }),
  embeddings: knob(flag, {
    fallback: false,
    meaning:
      'Whether the model turns texts into vectors instead of writing answers: chats do not offer it, and documents are searched with it (`documents.embeddings`).',
  }),
  queryPrefix: knob(freeText, {
    fallback: '',
    meaning:
      'Only with `embeddings`: what the model was taught to read before a question, such as `"query: "` for E5. Documents are searched with it; requests of programs pass as they are.',
  }),
  passagePrefix: knob(freeText, {
    fallback: '',
    meaning:
      'The same before a passage of a document, such as `"passage: "`. When it changes, vectors are made anew.',
  }),
  reasoning: knob(choice('none', 'think-tags', 'separate'), {
    fallback: 'none',
    meaning:
      'How thinking reaches the caller: not at all, between `<think>` tags in the text, or in fields of its own.',
  }),
  reasoningEffort: knob(flag, {
    fallback: false,
    meaning: 'Whether requests may carry `reasoning_effort`.',
  }),
  defaultReasoningEffort: knob(choice('low', 'medium', 'high'), {
    fallback: 'medium',
    meaning: 'The effort of requests that do not name one.',
  }),
  context: optionalKnob(wholeNumber(1, maxTokens), {
    meaning: 'Context length in tokens, as shown in the model list. Without it the engine is asked.',
  }),
  titles: knob(flag, {
    fallback: true,
    meaning:
      'Whether the model writes the titles of chats. Without one that does, a chat keeps its first words.',
  }),
  forTryingOut: knob(flag, {
    fallback: false,
    meaning: 'Whether people are told that the model is here to try the service, not to rely on.',
  }),
  template: knob(valuesByName, {
    fallback: {},
    meaning: 'Values for the chat template of requests that do not set them.',
  }),
  thinkingBudget: optionalKnob(tokensByEffort, {
    meaning:
      'Tokens of thinking for `low`, `medium` and `high` effort on an embedded engine; then the thought is closed and the answer follows.',
  }),
  costWeight: knob(numberWithin(1e-6, 1e6), {
    fallback: 1,
    meaning:
      'What a token of this model costs against one of a model of weight 1, in the fair line and in budgets.',
  }),
  sampling: knob(numbersByName, {
    fallback: {},
    meaning: 'Sampling parameters of requests that do not set them.',
  }),
};

export const networkFields = {
  cidr: requiredKnob(cidr, { meaning: 'The network.' }),
  project: optionalKnob(text('a project name, at most 100 characters', /^[^\p{Cc}]{1,100}$/u), {
    meaning: 'To whom the use from this network is accounted.',
  }),
};
