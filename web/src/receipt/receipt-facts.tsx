import type { SignedReceipt } from '#contract/receipts';
import { useLanguageTag, useListed } from '../language/language.tsx';
import { useWorkingWords } from '../language/working-words.ts';
import { tellingParameters } from './asked-again.ts';

/** The receipt in words. What nobody knows is said to be unknown. */
export function ReceiptFacts({ signed }: { readonly signed: SignedReceipt }) {
  const { receipt, signature } = signed;
  const words = useWorkingWords().receipt;
  const tag = useLanguageTag();
  const listed = useListed();
  const { names } = words;
  const { engine, weights, seed, usage } = receipt;
  const known = (value: string | null) => value ?? words.unknown;
  const when = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeStyle: 'long' });
  const parameters = Object.entries({ ...receipt.defaults, ...tellingParameters(signed) });
  const facts: readonly (readonly [string, string, 'plain' | 'code'])[] = [
    [names.when, when.format(new Date(receipt.created_at)), 'plain'],
    [names.model, receipt.model, 'plain'],
    [names.engine, `${engine.kind}, ${known(engine.version)}`, 'plain'],
    [names.weights, known(weights.name), 'plain'],
    ...(weights.sha256 === null ? [] : [[names.weightsDigest, weights.sha256, 'code'] as const]),
    ...(receipt.chat_template.sha256 === null
      ? []
      : [[names.template, receipt.chat_template.sha256, 'code'] as const]),
    [names.seed, seed === null ? words.noSeed : words.seed(seed.value, seed.chosen_by), 'plain'],
    ...(parameters.length === 0
      ? []
      : [
          [
            names.parameters,
            parameters.map(([name, value]) => `${name} = ${JSON.stringify(value)}`).join('\n'),
            'code',
          ] as const,
        ]),
    ...(receipt.ignored_parameters.length === 0
      ? []
      : [[names.ignored, listed(receipt.ignored_parameters), 'code'] as const]),
    [names.tokens, words.tokens(usage.input_tokens, usage.output_tokens, usage.is_estimated), 'plain'],
    ...(receipt.continuations === 0
      ? []
      : [[names.continuations, String(receipt.continuations), 'plain'] as const]),
    [names.ending, words.endings[receipt.ending] ?? receipt.ending, 'plain'],
    [names.prompt, receipt.prompt.sha256, 'code'],
    [names.answer, receipt.answer.sha256, 'code'],
    [names.request, receipt.request_id, 'code'],
    [names.signature, `Ed25519, ${signature.key_id}`, 'code'],
  ];
  return (
    <dl
      className="grid max-h-[26rem] grid-cols-1 gap-x-6 overflow-y-auto text-[0.9375rem] sm:grid-cols-[max-content_minmax(0,1fr)] sm:gap-y-1.5"
      tabIndex={0}
      aria-label={words.title}
    >
      {facts.map(([name, value, form]) => (
        <div key={name} className="contents">
          <dt className="text-ink-soft">{name}</dt>
          <dd className={form === 'code' ? code : 'mb-2 sm:mb-0'}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const code = 'mb-2 font-mono rtl:text-right text-[0.8125rem] leading-6 break-all whitespace-pre-wrap sm:mb-0';
