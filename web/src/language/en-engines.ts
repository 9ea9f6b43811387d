/** Administration, Models and engines: the test of an engine. */
export const enEngines = {
  test: 'Test',
  testOf: (engine: string) => `Test ${engine}`,
  lead: 'Asks the engine to say hello, past the line, and shows what it says. It is written into the audit trail and counts for nobody.',
  model: 'Model',
  ask: 'Ask',
  asking: 'Waiting for the answer, up to a minute…',
  answered: (time: string) => `Answered in ${time}`,
  failed: (time: string) => `Failed after ${time}`,
};

export type EnginesWords = typeof enEngines;
