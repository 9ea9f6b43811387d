import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namedPages } from './named-pages.ts';

test('pages are understood by their numbers, and nothing else is taken for one', () => {
  const asked: readonly (readonly [string, readonly number[]])[] = [
    ['What does page 7 say, and what pages 12–14?', [7, 12, 13, 14]],
    ['See p. 3 and pp. 9-10', [3, 9, 10]],
    ['Was steht auf Seite 21 bis 22?', [21, 22]],
    ['Résumez la page 5', [5]],
    ['¿Qué dice la página 8?', [8]],
    ['Cosa dice pagina 11?', [11]],
    ['Що на сторінці 6?', [6]],
    ['第7页说什么？', [7]],
    ['ماذا تقول الصفحة ٤٢؟', [42]],
    ['Count to 12 on a homepage of 7 rampages', []],
    ['pages 1 to 99999', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
    ['pages 9 to 3', []],
  ];
  for (const [question, pages] of asked) assert.deepEqual(namedPages(question), pages, question);
});
