/** As people count: 2 before 10. Made once and used often: to make it takes longer than to compare. */
export function countedOrder(language = 'en'): (one: string, other: string) => number {
  return new Intl.Collator(language, { numeric: true }).compare;
}
