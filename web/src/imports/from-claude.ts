import { fenced } from './fenced.ts';
import type { ForeignChat, ForeignNode, Host, Skipped } from './foreign-chat.ts';
import { listOf, momentOf, objectOf, textOf } from './loose.ts';

/** `conversations.json` of an export from Claude: a list of chats, whose messages name those that they follow. */
export function isFromClaude(chat: unknown): boolean {
  return Array.isArray(objectOf(chat)['chat_messages']);
}

export function readClaude(value: unknown, host: Host, skipped: Skipped): ForeignChat {
  const chat = objectOf(value);
  const createdAt = momentOf(chat['created_at']) ?? host.now;
  const messages = listOf(chat['chat_messages']).map(objectOf);
  const nodes = messages.map((message, index) =>
    // Old exports know no tree: each message follows the one before.
    readNode(message, textOf(message['parent_message_uuid'] ?? messages[index - 1]?.['uuid']), skipped),
  );
  return {
    title: textOf(chat['name']),
    createdAt,
    updatedAt: momentOf(chat['updated_at']) ?? createdAt,
    isPinned: chat['is_starred'] === true,
    isArchived: false,
    systemPrompt: '',
    currentId: textOf(chat['current_leaf_message_uuid']) || nodes.at(-1)?.id,
    nodes,
  };
}

function readNode(
  message: Readonly<Record<string, unknown>>,
  parentId: string,
  skipped: Skipped,
): ForeignNode {
  const sender = textOf(message['sender']);
  const place = {
    id: textOf(message['uuid']),
    parentId: parentId || undefined,
    // Which one is not told.
    model: 'Claude',
    at: momentOf(message['created_at']),
  };
  const { text, reasoning } = readContent(message, skipped);
  const brought = readFiles(message, skipped);
  if (sender === 'human' || sender === 'assistant')
    return {
      ...place,
      role: sender === 'human' ? 'user' : 'assistant',
      text: [...brought, text].filter(Boolean).join('\n\n'),
      reasoning,
    };
  if (text !== '') skipped.messages += 1;
  return { ...place, role: undefined, text: '', reasoning: '' };
}

/** The text of attachments stands in the export; of other files only their names. */
function readFiles(message: Readonly<Record<string, unknown>>, skipped: Skipped): readonly string[] {
  const attachments = listOf(message['attachments']).map(objectOf);
  const files = [...listOf(message['files']), ...listOf(message['files_v2'])].map(
    (file) => textOf(objectOf(file)['file_name']) || 'file',
  );
  const names = [...new Set(files)];
  skipped.files += names.length;
  return [
    ...attachments.flatMap(({ file_name: name, extracted_content: text }) => [
      textOf(name) && `[${textOf(name)}]`,
      textOf(text).trim(),
    ]),
    ...names.map((name) => `[${name}]`),
  ];
}

/** The blocks say more than the plain text, which stands in for what it cannot show. */
function readContent(
  message: Readonly<Record<string, unknown>>,
  skipped: Skipped,
): { readonly text: string; readonly reasoning: string } {
  const texts: string[] = [];
  const thoughts: string[] = [];
  for (const block of listOf(message['content']).map(objectOf)) {
    if (block['type'] === 'thinking') thoughts.push(textOf(block['thinking']));
    else texts.push(readBlock(block, skipped));
  }
  const text = texts.filter(Boolean).join('\n\n').trim();
  return { text: text || textOf(message['text']).trim(), reasoning: thoughts.filter(Boolean).join('\n\n') };
}

function readBlock(block: Readonly<Record<string, unknown>>, skipped: Skipped): string {
  switch (block['type']) {
    case 'text':
      return textOf(block['text']);
    case 'tool_use': {
      const input = objectOf(block['input']);
      // What it writes beside the chat is the work of the answer.
      const written = textOf(input['content']) || textOf(input['code']);
      if (written !== '') return fenced(written, languageOf(input));
      return fenced(`${textOf(block['name'])}(${JSON.stringify(input)})`);
    }
    case 'tool_result':
      if (block['name'] === 'artifacts') return '';
      return fenced(
        listOf(block['content'])
          .map((part) => textOf(objectOf(part)['text']))
          .filter(Boolean)
          .join('\n\n'),
      );
    case 'image':
      skipped.files += 1;
      return '[image]';
    default:
      return '';
  }
}

function languageOf(input: Readonly<Record<string, unknown>>): string {
  const language = textOf(input['language']) || languages[textOf(input['type'])];
  return language !== undefined && /^[\w+#-]{1,30}$/.test(language) ? language : '';
}

const languages: Readonly<Record<string, string>> = {
  'text/html': 'html',
  'text/markdown': 'markdown',
  'image/svg+xml': 'svg',
  'application/vnd.ant.mermaid': 'mermaid',
  'application/vnd.ant.react': 'jsx',
};
