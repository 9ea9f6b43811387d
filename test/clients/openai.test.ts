import { suite } from 'node:test';
import { testOpenaiPackage } from './openai-package.ts';
import { testOpenaiWeather } from './openai-weather.ts';
import { testOpenaiResponses } from './openai-responses.ts';
import { openStage, testEveryAnswer } from './stage.ts';

/** One service for several clients, because starting it takes longer than many of their tests. */
const stage = await openStage();
suite('the openai package', () => testOpenaiPackage(stage));
suite('the tool of the contract', () => testOpenaiWeather(stage));
suite('the openai package, Responses', () => testOpenaiResponses(stage));
testEveryAnswer(stage);
