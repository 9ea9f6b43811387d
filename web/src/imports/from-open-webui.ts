import type { ForeignChat, ForeignNode, Host, Skipped } from './foreign-chat.ts';
import { listOf, momentOf, objectOf, textOf } from './loose.ts';

/** An export of chats from Open WebUI: a list of rows, each with the chat and its tree in `history`. */
export function isFromOpenWebUi(row: unknown): boolean {
  const { chat, history, messages } = objectOf(row);
  return typeof chat === 'object' ? chat !== null : history !== undefined || Array.isArray(messages);
}

export function readOpenWebUi(value: unknown, host: Host, skipped: Skipped): ForeignChat {
  const row = objectOf(value);
  // One chat that was exported alone is not wrapped.
  const chat = row['chat'] === undefined ? row : objectOf(row['chat']);
  const history = objectOf(chat['history']);
  const mapped = Object.entries(objectOf(history['messages']));
  const nodes =
    mapped.length > 0
      ? mapped.map(([id, message]) => readNode(id, objectOf(message), skipped))
      : inLine(
          listOf(chat['messages']).map((message, index) => readNode(`${index}`, objectOf(message), skipped)),
        );
  const createdAt = momentOf(row['created_at']) ?? momentOf(chat['timestamp']) ?? host.now;
  const said = [chat['system'], objectOf(chat['params'])['system']].map(textOf);
  return {
    title: textOf(row['title']) || textOf(chat['title']),
    createdAt,
    updatedAt: momentOf(row['updated_at']) ?? createdAt,
    isPinned: row['pinned'] === true,
    isArchived: row['archived'] === true,
    systemPrompt: said.find((text) => text.trim() !== '') ?? '',
    currentId: textOf(history['currentId']) || undefined,
    nodes,
  };
}

function readNode(id: string, message: Readonly<Record<string, unknown>>, skipped: Skipped): ForeignNode {
  const role = textOf(message['role']);
  const files = listOf(message['files']).map(objectOf);
  skipped.files += files.length;
  const names = files.map(({ name, type }) => `[${textOf(name) || textOf(type) || 'file'}]`);
  const { text, reasoning } = withoutThoughts(readContent(message['content'], skipped));
  const place = {
    id,
    parentId: textOf(message['parentId']) || undefined,
    model: textOf(message['model']) || textOf(message['modelName']) || null,
    at: momentOf(message['timestamp']),
  };
  if (role === 'user' || role === 'assistant')
    return { ...place, role, text: [...names, text].filter(Boolean).join('\n\n'), reasoning };
  if (text !== '') skipped.messages += 1;
  return { ...place, role: undefined, text: '', reasoning: '' };
}

function readContent(content: unknown, skipped: Skipped): string {
  if (typeof content === 'string') return content;
  return listOf(content)
    .map((part) => {
      const { type, text } = objectOf(part);
      if (typeof text === 'string') return text;
      skipped.files += 1;
      return `[${textOf(type) || 'file'}]`;
    })
    .join('\n\n');
}

/** It writes the thinking of a model into the answer, folded. */
function withoutThoughts(content: string): { readonly text: string; readonly reasoning: string } {
  const thoughts: string[] = [];
  const text = content.replaceAll(
    /<details\b[^>]{0,200}\btype="reasoning"[^>]{0,200}>([^]*?)<\/details>/g,
    (_, inside: string) => {
      const words = inside.replace(/<summary>[^]*?<\/summary>/, '').replaceAll(/^> ?/gm, '');
      thoughts.push(words.trim());
      return '';
    },
  );
  return { text: text.trim(), reasoning: thoughts.join('\n\n') };
}

/** Old exports know no tree: each message follows the one before. */
function inLine(nodes: readonly ForeignNode[]): readonly ForeignNode[] {
  return nodes.map((node, index) => ({ ...node, parentId: index === 0 ? undefined : `${index - 1}` }));
}
