import { suite } from 'node:test';
import { testEditors } from './editors.ts';
import { testLangchain } from './langchain.ts';
import { testOpenaiAgents } from './openai-agents.ts';
import { openStage, testEveryAnswer } from './stage.ts';
import { testVercelAi } from './vercel-ai.ts';

const stage = await openStage();
suite('LangChain.js', () => testLangchain(stage));
suite("Vercel's AI SDK", () => testVercelAi(stage));
suite("OpenAI's Agents SDK", () => testOpenaiAgents(stage));
suite('editors and front ends', () => testEditors(stage));
testEveryAnswer(stage);
