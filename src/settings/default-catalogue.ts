import { fileURLToPath } from 'node:url';

/**
 * What is served without a settings file: three models from one set of small weights, told apart by how they
 * are asked. Written as an operator would write it, and read through the same checks.
 */
export const pocketModelFile = fileURLToPath(new URL('../../models/pocket-v2.gguf', import.meta.url));

/** Of the pocket model. */
const contextTokens = 2048;

export const defaultEngines = [
  { name: 'pocket', kind: 'embedded', modelFile: pocketModelFile, maxConcurrent: 8 },
];

export const defaultModels = [
  {
    id: 'alpha-R1',
    path: 'engine-b',
    engines: ['pocket'],
    description:
      'A small model for trying out. Thinks aloud before it answers: slower, best for problems with several steps.',
    suggestions: [
      'What is 137 plus 48?',
      'A shirt costs 40 dollars and is 25 percent off. What is the new price?',
      'What is the difference between weather and climate?',
      'Write a Python function that counts the vowels in a string.',
    ],
    reasoning: 'think-tags',
    context: contextTokens,
    titles: false,
    forTryingOut: true,
    defaultReasoningEffort: 'high',
    template: { reasoning_effort: 'high' },
    thinkingBudget: { low: 512, medium: 768, high: 1024 },
    sampling: { temperature: 0.2 },
  },
  {
    id: 'beta-4-scout',
    path: 'beta-4-scout',
    engines: ['pocket'],
    description: 'A small model for trying out. Answers at once and briefly. Can call tools.',
    suggestions: [
      'Give me three tips for better sleep.',
      'What are the pros and cons of electric cars?',
      'Write an email to my landlord about a broken heater.',
      'Write a haiku about autumn.',
    ],
    tools: true,
    reasoning: 'none',
    context: contextTokens,
    titles: false,
    forTryingOut: true,
    template: { enable_thinking: false },
    sampling: { temperature: 0.1 },
  },
  {
    id: 'gamma-oss-120b',
    path: 'gamma-oss-120b',
    engines: ['pocket'],
    description:
      'A small model for trying out. Thinks as hard as you ask it to, with low, medium or high effort. Can call tools.',
    suggestions: [
      'What is 12 times 14?',
      'How do airplanes fly?',
      'Give me a recipe for pancakes.',
      'Write a SQL query that finds the five customers with the highest total.',
    ],
    tools: true,
    reasoning: 'separate',
    reasoningEffort: true,
    defaultReasoningEffort: 'medium',
    context: contextTokens,
    titles: false,
    forTryingOut: true,
    thinkingBudget: { low: 128, medium: 384, high: 896 },
    sampling: { temperature: 0.2 },
  },
];
