import { fileURLToPath } from 'node:url';

/**
 * What is served without a settings file: three models from one set of small weights, told apart by how they
 * are asked. Written as an operator would write it, and read through the same checks.
 */
export const pocketModelFile = fileURLToPath(new URL('../../models/pocket-v1.gguf', import.meta.url));

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
    description: 'Thinks aloud before it answers. Slower and verbose, best for problems with several steps.',
    suggestions: [
      'What is 137 plus 48?',
      'Why is the sky blue?',
      'How does photosynthesis work?',
      'Write a Python function that checks whether a number is even.',
    ],
    reasoning: 'think-tags',
    context: contextTokens,
    titles: false,
    defaultReasoningEffort: 'high',
    template: { reasoning_effort: 'high' },
    thinkingBudget: { low: 512, medium: 768, high: 1024 },
    sampling: { temperature: 0.2 },
  },
  {
    id: 'beta-4-scout',
    path: 'beta-4-scout',
    engines: ['pocket'],
    description: 'Answers at once and briefly. Can call tools.',
    suggestions: [
      'Give me three tips for better sleep.',
      'What is a neural network?',
      'What is the capital of Japan?',
      'Write a Python function that adds two numbers.',
    ],
    tools: true,
    reasoning: 'none',
    context: contextTokens,
    titles: false,
    template: { enable_thinking: false },
    sampling: { temperature: 0.1 },
  },
  {
    id: 'gamma-oss-120b',
    path: 'gamma-oss-120b',
    engines: ['pocket'],
    description: 'Thinks as hard as you ask it to, with low, medium or high effort. Can call tools.',
    suggestions: [
      'What is 17 plus 25?',
      'Why is the sky blue?',
      'Write a short email asking where my order is.',
      'Write a Python function that checks whether a number is even.',
    ],
    tools: true,
    reasoning: 'separate',
    reasoningEffort: true,
    defaultReasoningEffort: 'medium',
    context: contextTokens,
    titles: false,
    thinkingBudget: { low: 128, medium: 384, high: 896 },
    sampling: { temperature: 0.2 },
  },
];
