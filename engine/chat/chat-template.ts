import { Template } from '@huggingface/jinja';
import { Refusal } from '#vocabulary/refusal';
import type { TextPiece } from '../native/patient-encoder.ts';
import type { Tokenizer } from '../native/tokenizer.ts';
import type { TemplateMessage } from './read-messages.ts';

/** The model's own chat template: from messages to the tokens it was trained on. */
export interface ChatTemplate {
  readonly source: string;
  /** The fewest tokens that a message costs, however short it is. */
  readonly leastMessageTokens: number;
  /** `onCount` hears how many tokens there are so far; what it throws ends the work. */
  render(input: TemplateInput, onCount?: (tokens: number) => void): Promise<RenderedPrompt>;
  /** The tokens of everything that comes before the words of the last message. */
  tokensBeforeLastMessage(input: TemplateInput): Promise<readonly number[]>;
}

export interface TemplateInput {
  readonly messages: readonly TemplateMessage[];
  readonly tools: readonly unknown[] | undefined;
  readonly kwargs: Readonly<Record<string, unknown>>;
  /** Leaves the last message open for the model to go on with. */
  readonly continuesFinalMessage: boolean;
  readonly addsGenerationPrompt: boolean;
}

export interface RenderedPrompt {
  readonly text: string;
  readonly tokens: readonly number[];
}

/** For models without a template of their own; the commonest manner. */
const plainTemplate = `{%- for message in messages %}{{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}{%- endfor %}{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}`;

export function createChatTemplate(source: string | undefined, tokenizer: Tokenizer): ChatTemplate {
  const template = parseTemplate(source ?? plainTemplate);
  const quoting = createQuoting(tokenizer);

  function renderText({
    messages,
    tools,
    kwargs,
    continuesFinalMessage,
    addsGenerationPrompt,
  }: TemplateInput): string {
    const quoted = messages.map((message) =>
      message.role === 'user' || message.role === 'tool'
        ? { ...message, content: quoting.quote(message.content) }
        : message,
    );
    return renderTemplate(template, {
      ...kwargs,
      messages: quoted,
      ...(tools !== undefined && tools.length > 0 && { tools }),
      add_generation_prompt: addsGenerationPrompt && !continuesFinalMessage,
      bos_token: tokenizer.beginText,
      eos_token: tokenizer.endText,
    });
  }

  return {
    source: source ?? plainTemplate,
    leastMessageTokens: measureMessage((messages) => tokenizer.encode(renderText(messages), true).length),
    render: async (input, onCount) => {
      const rendered = renderText(input);
      const text = input.continuesFinalMessage ? cutAfterFinalMessage(rendered, input.messages) : rendered;
      return { text: quoting.unquote(text), tokens: await tokenize(text, onCount) };
    },
    tokensBeforeLastMessage: async (input) => {
      const last = input.messages.at(-1);
      if (last === undefined) return [];
      const text = renderText({
        ...input,
        messages: [...input.messages.slice(0, -1), { ...last, content: placeholder }],
      });
      return tokenize(text.slice(0, Math.max(0, text.lastIndexOf(placeholder))));
    },
  };

  async function tokenize(text: string, onCount?: (tokens: number) => void): Promise<readonly number[]> {
    const tokens = await tokenizer.encodePatiently(quoting.split(text), onCount);
    const { beginToken } = tokenizer;
    return beginToken === undefined || tokens[0] === beginToken ? tokens : [beginToken, ...tokens];
  }
}

/** From two more messages without words; a template that refuses such a chat is taken to be thrifty. */
function measureMessage(countTokens: (input: TemplateInput) => number): number {
  const empty = (roles: readonly string[]): TemplateInput => ({
    messages: roles.map((role) => ({ role, content: '' })),
    tools: undefined,
    kwargs: {},
    continuesFinalMessage: false,
    addsGenerationPrompt: false,
  });
  try {
    const more = countTokens(empty(['user', 'assistant', 'user'])) - countTokens(empty(['user']));
    return Math.max(1, Math.floor(more / 2));
  } catch {
    return 1;
  }
}

/** A model whose template we cannot read still completes texts; only its chats are refused. */
function parseTemplate(source: string): Pick<Template, 'render'> {
  try {
    return new Template(source);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const refuse = (): never => {
      throw new Refusal('not_supported_by_engine', `This model's chat template cannot be read: ${reason}`, {
        cause,
      });
    };
    return { render: refuse };
  }
}

/** Stands for words that are not known yet; from a plane of Unicode nobody writes in. */
const placeholder = '\u{F0002}';

function renderTemplate(template: Pick<Template, 'render'>, variables: Record<string, unknown>): string {
  try {
    return template.render(variables);
  } catch (cause) {
    if (cause instanceof Refusal) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Refusal('invalid_request', `The model's chat template refused these messages: ${reason}`, {
      param: 'messages',
      cause,
    });
  }
}

function cutAfterFinalMessage(rendered: string, messages: readonly TemplateMessage[]): string {
  const last = messages.at(-1)?.content.trimEnd() ?? '';
  const end = rendered.lastIndexOf(last);
  if (end < 0) {
    throw new Refusal('invalid_request', 'The last message cannot be continued with this chat template.', {
      param: 'continue_final_message',
    });
  }
  return rendered.slice(0, end + last.length);
}

/**
 * Callers' words must not become control tokens: somebody who writes `<|im_end|>` into a message is quoting,
 * not ending it. Such texts are marked before the template sees them and read as plain text afterwards.
 */
function createQuoting(tokenizer: Tokenizer) {
  const { special: pattern } = tokenizer;
  const [open, close] = ['\u{F0000}', '\u{F0001}'];
  const marks = new RegExp(`[${open}${close}]`, 'gu');
  return {
    quote: (text: string): string => {
      const clean = text.replace(marks, '');
      return pattern === undefined ? clean : clean.replace(pattern, (special) => open + special + close);
    },
    unquote: (text: string): string => text.replace(marks, ''),
    split: (text: string): TextPiece[] =>
      text
        .split(/([\u{F0000}][^\u{F0000}\u{F0001}]*[\u{F0001}])/u)
        .filter((piece) => piece !== '')
        .map((piece) =>
          piece.startsWith(open) && piece.endsWith(close)
            ? { text: piece.slice(open.length, -close.length), parsesSpecial: false }
            : { text: piece, parsesSpecial: true },
        ),
  };
}
