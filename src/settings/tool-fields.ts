import { webUrl } from './address-checks.ts';
import { duration, freeText, listOf, size, text, textsByName, wholeNumber } from './checks.ts';
import { entries, knob, optionalKnob, requiredKnob, secretKnob } from './knob.ts';

export const toolFields = {
  servers: entries(
    {
      name: requiredKnob(text('a short name in lower case, such as `library`', /^[a-z0-9][a-z0-9-]{0,31}$/), {
        meaning: 'How logs, metrics and models call the server. Unique.',
      }),
      label: optionalKnob(text('a few words', /^[^\p{Cc}]{1,60}$/u), {
        meaning: 'How people call it. Without it the name.',
      }),
      description: knob(freeText, { fallback: '', meaning: 'One sentence for people who switch it on.' }),
      url: requiredKnob(webUrl, {
        meaning: 'Where it listens (streamable HTTP). Redirects are not followed.',
      }),
      headers: knob(textsByName, {
        fallback: {},
        meaning: 'Sent with every request to it. Not for secrets: they are shown with the settings.',
      }),
      credential: secretKnob(text('the secret itself, `${NAME}` for a variable, or use `credentialFile`'), {
        meaning: 'Sent to the server as its bearer token, or in `credentialHeader`.',
      }),
      credentialHeader: optionalKnob(
        text('the name of a header, such as `X-API-Key`', /^[A-Za-z0-9-]{1,64}$/),
        {
          meaning:
            'The header that carries `credential` as it is. Without it `Authorization`, as a bearer token.',
        },
      ),
      projects: knob(listOf(text('a project id')), {
        fallback: [],
        meaning: 'Projects whose members may use it. Empty: everybody.',
      }),
      timeLimit: knob(duration(100, 3_600_000, '30s'), {
        fallback: '30s',
        meaning: 'A call that takes longer is given up.',
      }),
      resultLimit: knob(size(1024, 16 * 1024 ** 2, '64KiB'), {
        fallback: '64KiB',
        meaning: 'Text of one result; the rest is cut off.',
      }),
    },
    {
      meaning: 'MCP servers whose tools people can switch on in their chats.',
      fallback: [],
      fallbackWords: 'none',
      change: 'live',
    },
  ),
  maxRounds: knob(wholeNumber(1, 100), {
    fallback: 8,
    meaning: 'How often the model may ask for tools before it answers one question.',
    change: 'live',
  }),
  callsPerPerson: knob(wholeNumber(1, 1000), {
    fallback: 4,
    meaning: 'Calls of one person that run at the same time; more wait.',
  }),
  calls: knob(wholeNumber(1, 10_000), {
    fallback: 64,
    meaning: 'Calls of everybody that run at the same time; more wait.',
  }),
};
