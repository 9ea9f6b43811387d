import type { Chat, ChatMessage } from '#vocabulary/conversation';

/** The branch one looks at, as a document, piece by piece. */
export async function* writeMarkdown(
  chat: Chat,
  branch: AsyncIterable<readonly ChatMessage[]>,
): AsyncIterable<string> {
  yield `# ${chat.title.replace(/\s+/g, ' ')}\n`;
  if (chat.systemPrompt.trim() !== '') yield `\n## System prompt\n\n${chat.systemPrompt.trim()}\n`;
  for await (const slice of branch) {
    for (const message of slice) yield `\n${writeMessage(message).join('\n\n')}\n`;
  }
}

function writeMessage(message: ChatMessage): string[] {
  const parts = [`## ${headingOf(message)}`];
  if (message.reasoning.trim() !== '') {
    parts.push(`<details><summary>Thinking</summary>\n\n${message.reasoning.trim()}\n\n</details>`);
  }
  if (message.content.trim() !== '') parts.push(message.content.trim());
  for (const call of message.toolCalls) {
    const fence = '`'.repeat(Math.max(3, longestFence(call.argumentsText) + 1));
    parts.push(`Calls \`${call.name}\`:\n\n${fence}json\n${call.argumentsText}\n${fence}`);
  }
  if (message.error !== null) parts.push(`> ${message.error.message.replace(/\n/g, '\n> ')}`);
  return parts;
}

function headingOf({ role, model }: ChatMessage): string {
  if (role === 'user') return 'You';
  return role === 'tool' ? 'Tool result' : (model ?? 'Assistant');
}

function longestFence(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((ticks) => ticks.length));
}
