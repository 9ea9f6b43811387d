import type { DocumentKind } from '#contract/documents';

/** By name first: what browsers say of a type depends on what is installed. Undefined: only its bytes can tell. */
export function kindOf({ name, type }: Pick<File, 'name' | 'type'>): DocumentKind | undefined {
  const ending = /\.([^.]{1,12})$/.exec(name)?.[1]?.toLowerCase() ?? '';
  if (ending === 'pdf' || type === 'application/pdf') return 'pdf';
  if (ending === 'docx') return 'word';
  if (ending === 'ipynb') return 'notebook';
  if (ending === 'csv' || ending === 'tsv') return 'table';
  if (/^image\/(png|jpeg|webp|gif|bmp|avif)$/.test(type)) return 'picture';
  return undefined;
}
