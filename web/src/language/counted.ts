/**
 * How a language counts: which form of a sentence goes with a number, `#` standing for it. `Form` names the forms
 * the language has, and every counted sentence must bring each of them. `none` is for nothing at all, where that is
 * said differently.
 */
export function countedIn<Form extends Intl.LDMLPluralRule>(tag: string) {
  const rules = new Intl.PluralRules(tag);
  const numbers = new Intl.NumberFormat(tag);
  return (
    count: number,
    forms: Readonly<Record<Form | 'other', string>> & { readonly none?: string },
  ): string => {
    if (count === 0 && forms.none !== undefined) return forms.none;
    const all: Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> = forms;
    return (all[rules.select(count)] ?? forms.other).replaceAll('#', numbers.format(count));
  };
}
