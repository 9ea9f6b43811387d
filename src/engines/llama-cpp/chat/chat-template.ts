import { Template } from '@huggingface/jinja';
import { Refusal } from '#vocabulary/refusal';
import type { Tokenizer } from '../native/tokenizer.ts';
import type { TemplateMessage } from './read-messages.ts';

/** The model's own chat template: from messages to the tokens it was trained on. */
export interface ChatTemplate {
  readonly source: string;
  render(input: TemplateInput): RenderedPrompt;
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
  const template = new Template(source ?? plainTemplate);
  const quoting = createQuoting(tokenizer);

  return {
    source: source ?? plainTemplate,
    render: ({ messages, tools, kwargs, continuesFinalMessage, addsGenerationPrompt }) => {
      const quoted = messages.map((message) =>
        message.role === 'user' || message.role === 'tool'
          ? { ...message, content: quoting.quote(message.content) }
          : message,
      );
      const rendered = renderTemplate(template, {
        ...kwargs,
        messages: quoted,
        ...(tools !== undefined && tools.length > 0 && { tools }),
        add_generation_prompt: addsGenerationPrompt && !continuesFinalMessage,
        bos_token: tokenizer.beginText,
        eos_token: tokenizer.endText,
      });
      const text = continuesFinalMessage ? cutAfterFinalMessage(rendered, messages) : rendered;
      return { text: quoting.unquote(text), tokens: tokenize(text) };
    },
  };

  function tokenize(text: string): readonly number[] {
    const tokens = quoting.split(text).flatMap(({ piece, isQuoted }) => tokenizer.encode(piece, !isQuoted));
    const { beginToken } = tokenizer;
    return beginToken === undefined || tokens[0] === beginToken ? tokens : [beginToken, ...tokens];
  }
}

function renderTemplate(template: Template, variables: Record<string, unknown>): string {
  try {
    return template.render(variables);
  } catch (cause) {
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
  const specials = tokenizer.specialTexts.filter((text) => text.length > 1);
  const pattern =
    specials.length === 0
      ? undefined
      : new RegExp(specials.map((text) => RegExp.escape(text)).join('|'), 'g');
  const [open, close] = ['\u{F0000}', '\u{F0001}'];
  const marks = new RegExp(`[${open}${close}]`, 'gu');
  return {
    quote: (text: string): string => {
      const clean = text.replace(marks, '');
      return pattern === undefined ? clean : clean.replace(pattern, (special) => open + special + close);
    },
    unquote: (text: string): string => text.replace(marks, ''),
    split: (text: string): { readonly piece: string; readonly isQuoted: boolean }[] =>
      text
        .split(/([\u{F0000}][^\u{F0001}]*[\u{F0001}])/u)
        .filter((piece) => piece !== '')
        .map((piece) =>
          piece.startsWith(open)
            ? { piece: piece.slice(open.length, -close.length), isQuoted: true }
            : { piece, isQuoted: false },
        ),
  };
}
