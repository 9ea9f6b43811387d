import { unspacedLetters } from '#contract/unspaced-text';

/** The words of a question that can lead to a passage: the longest ones, without those that every text is full of. */
export function searchWords(question: string): readonly string[] {
  const words = question.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const telling = new Set(words.filter((word) => word.length > 1 && !everywhere.has(word)));
  return [...telling].toSorted((one, other) => other.length - one.length).slice(0, maxWords);
}

/**
 * Where a script puts no blanks between words, no word of the question stands in an index of words: two letters side by
 * side stand for one.
 */
export function searchPieces(question: string): readonly string[] {
  const runs = question.match(withoutBlanks) ?? [];
  const pairs = runs.flatMap((run) => Array.from(run.matchAll(/(?=(..))/gu), ([, pair = '']) => pair));
  return [...new Set(pairs)].slice(0, maxWords);
}

const withoutBlanks = new RegExp(`[${unspacedLetters}]+`, 'gu');

const maxWords = 32;

const everywhere: ReadonlySet<string> = new Set(
  (
    'a about an and are as at be been but by can could did do does for from give had has have how i if in into is it ' +
    'its me my no not of on or please say says so tell than that the their them then there these they this those to us ' +
    'was we were what when where which who why will with would you your ' +
    'aber als am an auch auf aus bei bin bitte das dass dem den der des die dies diese dieser doch du ein eine einem ' +
    'einen einer er es für hat haben ich ihr im in ist kann man mir mit nach nicht noch nur oder sich sie sind so über ' +
    'um und uns von vor war was wann wer wie wird wir wo zu zum zur'
  ).split(' '),
);
