/** Pages that a question asks for by their number, in the languages of the page: "page 7", "pages 7–9", "第7页". */
export function namedPages(question: string): readonly number[] {
  const text = question.replaceAll(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - arabicZero));
  const pages = new Set<number>();
  for (const { 1: first, 2: last = first } of [...text.matchAll(wordFirst), ...text.matchAll(numberFirst)])
    for (let page = Number(first); page <= Number(last) && pages.size < maxPages; page++) pages.add(page);
  return [...pages];
}

/** Whoever names more means the whole. */
const maxPages = 10;
const arabicZero = '٠'.charCodeAt(0);

const range = String.raw`(\d{1,5})(?:\s*(?:[-–—]|to|bis|à|a|al|до|إلى|至|到)\s*(\d{1,5}))?`;
const pageWords =
  'pages?|pp?\\.|seiten?|páginas?|pág\\.|pagin[ae]|pag\\.|сторін\\p{L}+|стор\\.|(?:ال|لل)?صفح(?:ة|ات)';
const wordFirst = new RegExp(String.raw`(?<!\p{L})(?:${pageWords})\s*${range}`, 'giu');
const numberFirst = new RegExp(String.raw`第?\s*${range}\s*[页頁]`, 'gu');
