import { after, suite } from 'node:test';
import { testConnectSnippets } from './connect-snippets.ts';
import { testPlainTools } from './plain-tools.ts';
import { openSnippetBench } from './snippet-bench.ts';
import { openStage, testEveryAnswer } from './stage.ts';

const stage = await openStage();
const bench = await openSnippetBench();
after(() => bench.clear());
suite('fetch, curl and Python', () => testPlainTools(stage));
suite('every text of the page Connect', () => testConnectSnippets(stage, bench));
testEveryAnswer(stage);
