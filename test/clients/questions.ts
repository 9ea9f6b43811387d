import { ask } from '#harness/service';

/** Questions a small model answers reliably, and the tool of the contract. */
export const sum = ask('What is 17 plus 25?');
export const boston = ask('What is the weather in Boston in celsius?');

/** Keeps the engine busy until it is told to stop. */
export const endless = { ignore_eos: true, max_tokens: 1900 };

/** Long enough to be let in on a busy machine, and far too short for `endless`. */
export const patienceMs = 1500;

export const weatherTool = {
  type: 'function' as const,
  function: {
    name: 'get_current_weather',
    description: 'Get the current weather',
    parameters: {
      type: 'object',
      properties: {
        location: { type: 'string', description: 'The city, e.g. San Francisco' },
        format: { type: 'string', enum: ['celsius', 'fahrenheit'] },
      },
      required: ['location', 'format'],
    },
  },
};
export const weatherArguments = { location: 'Boston', format: 'celsius' };
export const weatherResult = JSON.stringify({ temperature: 21, unit: 'celsius' });
