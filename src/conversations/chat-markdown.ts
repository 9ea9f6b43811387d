import type { Chat, ChatMessage } from '#vocabulary/conversation';

/** The branch one looks at, as a document. */
export function writeMarkdown(chat: Chat, branch: readonly ChatMessage[]): string {
  const parts = [`# ${chat.title.replace(/\s+/g, ' ')}`];
  if (chat.systemPrompt.trim() !== '') parts.push('## System prompt', chat.systemPrompt.trim());
  for (const message of branch) {
    parts.push(`## ${headingOf(message)}`);
    if (message.reasoning.trim() !== '') {
      parts.push(`<details><summary>Thinking</summary>\n\n${message.reasoning.trim()}\n\n</details>`);
    }
    if (message.content.trim() !== '') parts.push(message.content.trim());
    for (const call of message.toolCalls) {
      const fence = '`'.repeat(Math.max(3, longestFence(call.argumentsText) + 1));
      parts.push(`Calls \`${call.name}\`:\n\n${fence}json\n${call.argumentsText}\n${fence}`);
    }
    if (message.error !== null) parts.push(`> ${message.error.message.replace(/\n/g, '\n> ')}`);
  }
  return `${parts.join('\n\n')}\n`;
}

function headingOf({ role, model }: ChatMessage): string {
  if (role === 'user') return 'You';
  return role === 'tool' ? 'Tool result' : (model ?? 'Assistant');
}

function longestFence(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((ticks) => ticks.length));
}
