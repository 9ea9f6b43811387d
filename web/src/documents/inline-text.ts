import type { Attachment } from './attachment.ts';

/** A question of a temporary chat: what came along stands before it as text, because nothing of it is kept. */
export function inlineText(attachments: readonly Attachment[], question: string): string {
  const texts = attachments
    .filter(({ pages }) => pages.length > 0)
    .map(({ name, pages }) => {
      const text = pages.map((page) => page.text.trimEnd()).join('\n');
      // Longer than any fence inside.
      const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
      const fence = '`'.repeat(longest + 1);
      return `${name}:\n${fence}\n${text}\n${fence}`;
    });
  return [...texts, question].join('\n\n');
}
