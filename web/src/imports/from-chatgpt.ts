import { fenced } from './fenced.ts';
import type { ForeignChat, ForeignNode, Host, Skipped } from './foreign-chat.ts';
import { listOf, momentOf, objectOf, textOf } from './loose.ts';

/** `conversations.json` of an export from ChatGPT: a list of trees, each a map from ids to nodes. */
export function isFromChatGpt(chat: unknown): boolean {
  const { mapping } = objectOf(chat);
  return typeof mapping === 'object' && mapping !== null;
}

export function readChatGpt(value: unknown, host: Host, skipped: Skipped): ForeignChat {
  const chat = objectOf(value);
  const createdAt = momentOf(chat['create_time']) ?? host.now;
  const entries = Object.entries(objectOf(chat['mapping']));
  const instructions: string[] = [];
  return {
    title: textOf(chat['title']),
    createdAt,
    updatedAt: momentOf(chat['update_time']) ?? createdAt,
    isPinned: false,
    isArchived: chat['is_archived'] === true,
    currentId: textOf(chat['current_node']) || undefined,
    nodes: entries.map(([id, node]) => readNode(id, objectOf(node), instructions, skipped)),
    systemPrompt: [...new Set(instructions)].join('\n\n'),
  };
}

function readNode(
  id: string,
  node: Readonly<Record<string, unknown>>,
  instructions: string[],
  skipped: Skipped,
): ForeignNode {
  const message = objectOf(node['message']);
  const metadata = objectOf(message['metadata']);
  const content = objectOf(message['content']);
  const role = textOf(objectOf(message['author'])['role']);
  const place = {
    id,
    parentId: textOf(node['parent']) || undefined,
    model: textOf(metadata['model_slug']) || null,
    at: momentOf(message['create_time']),
  };
  const nothing = { ...place, role: undefined, text: '', reasoning: '' };
  const type = textOf(content['content_type']);
  if (type === 'user_editable_context') {
    instructions.push(...[content['user_profile'], content['user_instructions']].map(textOf).filter(Boolean));
    return nothing;
  }
  const isHidden = metadata['is_visually_hidden_from_conversation'] === true;
  const said = readContent(type, content, skipped);
  if (role === 'system') {
    if (!isHidden && said.text !== '') instructions.push(said.text);
    return nothing;
  }
  if (isHidden) return nothing;
  const files = listOf(metadata['attachments'])
    .map((file) => textOf(objectOf(file)['name']))
    .filter(Boolean);
  skipped.files += files.length;
  const text = [...files.map((name) => `[${name}]`), said.text].filter(Boolean).join('\n\n');
  if (role === 'user') return { ...place, role: 'user', text, reasoning: '' };
  if (role === 'assistant' || role === 'tool') {
    // A call of a tool and what it gave are steps of the answer.
    const isStep = role === 'tool' || !['all', ''].includes(textOf(message['recipient']));
    return { ...place, role: 'assistant', text: isStep ? fenced(text) : text, reasoning: said.reasoning };
  }
  if (role !== '') skipped.messages += 1;
  return nothing;
}

function readContent(
  type: string,
  content: Readonly<Record<string, unknown>>,
  skipped: Skipped,
): { readonly text: string; readonly reasoning: string } {
  switch (type) {
    case 'thoughts': {
      const thoughts = listOf(content['thoughts']).map(objectOf);
      const reasoning = thoughts.map(({ summary, content: said }) => textOf(said) || textOf(summary));
      return { text: '', reasoning: reasoning.filter(Boolean).join('\n\n') };
    }
    case 'reasoning_recap':
    case 'model_editable_context':
      return { text: '', reasoning: '' };
    case 'code':
    case 'execution_output':
      return { text: textOf(content['text']), reasoning: '' };
    default: {
      const parts = listOf(content['parts']).map((part) => readPart(part, skipped));
      const text = parts.filter(Boolean).join('\n\n') || textOf(content['text']) || textOf(content['result']);
      return { text, reasoning: '' };
    }
  }
}

function readPart(part: unknown, skipped: Skipped): string {
  if (typeof part === 'string') return part;
  const { text, content_type: type } = objectOf(part);
  if (typeof text === 'string') return text;
  if (type === undefined) return '';
  skipped.files += 1;
  return `[${textOf(type).replace(/_asset_pointer$/, '')}]`;
}
