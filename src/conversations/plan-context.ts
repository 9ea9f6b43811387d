import type { ContextParts, NamedDocument, SentContext, SentOfSpace } from '#contract/context';
import type { AttachedDocument } from '#contract/documents';
import type { ChatMessage } from '#vocabulary/conversation';
import type { DocumentStore } from '#vocabulary/documents';
import type { AskedFor } from './chat-request.ts';
import { chooseSources, type ChosenSource, type PassageSearch, type Readable } from './choose-sources.ts';
import { measureContext, measureTexts, type Meter } from './measure-context.ts';
import { chooseView, withSummary, type Overflow } from './choose-view.ts';
import { writeSources } from './write-sources.ts';

/** What is assumed of a model whose engine does not say. */
const assumedContextTokens = 32_768;
/** Of the room beside question and answer, documents may take so much from an older conversation. */
const documentShare = 0.6;

export interface PlannedContext {
  readonly branch: readonly PlannedMessage[];
  readonly sent: SentContext;
  /** What a summary could stand for, where the oldest messages are left out. */
  readonly overflow: Overflow | undefined;
}

/** A message of the branch; in a temporary chat it has no id and no documents. */
export type PlannedMessage = Pick<ChatMessage, 'role' | 'content' | 'toolCalls' | 'toolCallId'> &
  Partial<Pick<ChatMessage, 'id' | 'documents' | 'summary'>>;

/**
 * What goes to the model: the question always, then as much of the documents and of the conversation, from its end
 * back, as the model takes in beside room for the answer. What does not go is told, never refused.
 */
export async function planContext(
  search: PassageSearch,
  meter: Meter,
  { messages: branch, isWhole }: { readonly messages: readonly PlannedMessage[]; readonly isWhole: boolean },
): Promise<PlannedContext> {
  const { personId, asked } = meter;
  const { store } = search;
  const contextTokens = asked.model.contextTokens ?? assumedContextTokens;
  const answer = roomForAnswer(asked, contextTokens);
  const measured = await measureContext(meter, branch, contextTokens);
  const instructions = measured.instructions.tokens;
  const questionAt = Math.max(
    0,
    branch.findLastIndex(({ role }) => role === 'user'),
  );
  const costs = measured.messages.map(({ tokens }) => tokens);
  const question = sum(costs.slice(questionAt));
  const before = sum(costs.slice(0, questionAt));
  const room = Math.max(0, contextTokens - answer - instructions - question);

  const documents = [...spaceDocuments(asked), ...(await readable(store, personId, branch))];
  const budget = Math.max(room - before, Math.floor(room * documentShare));
  const chosen = await chooseSources(search, documents, branch[questionAt]?.content ?? '', budget);
  const written = await measureTexts(meter, writtenByDocument(chosen.sources));
  const free = room - written.tokens;
  const view = await chooseView(meter, { branch, costs, questionAt, isWhole, free });
  const { first, summary } = view;
  const kept = branch.slice(first);
  const pictures = kept.flatMap(({ documents: own = [] }) => own).filter(({ kind }) => kind === 'picture');
  const lasting = new Set(spaceDocuments(asked).map(({ id }) => id));
  const placed = place(kept, chosen.sources, chosen.whole, lasting, questionAt - first);
  const parts: ContextParts = {
    contextTokens,
    instructions,
    documents: written.tokens,
    conversation: Math.ceil(sum(costs.slice(first)) + (summary?.size.tokens ?? 0)),
    answer,
    isEstimated: [
      measured.instructions,
      written,
      ...(summary === undefined ? [] : [summary.size]),
      ...measured.messages.slice(first),
    ].some((size) => size.isEstimated),
  };
  return {
    branch: summary === undefined ? placed : withSummary(placed, summary.text),
    overflow: view.overflow,
    sent: {
      parts,
      space: spaceInSight(asked, chosen.sources),
      beginsAt: first === 0 && isWhole ? null : (branch[first]?.id ?? null),
      summary: summary?.text ?? null,
      summaryProblem: null,
      byMeaning: chosen.byMeaning,
      sources: chosen.sources.map(({ text: _text, ...source }) => source),
      pictures: asked.model.supportsVision ? pictures.map(nameOf) : [],
      leftOut: [
        ...chosen.leftOut,
        ...(asked.model.supportsVision ? [] : pictures),
        ...spacePictures(asked),
      ].map(nameOf),
    },
  };
}

function roomForAnswer({ model, parameters }: AskedFor, contextTokens: number): number {
  const usual = Math.min(model.reasoning === 'none' ? 4096 : 16_384, Math.floor(contextTokens / 4));
  return Math.min(parameters.maxTokens ?? usual, Math.floor(contextTokens / 2));
}

/** The documents of the branch, each once, in the order in which they came. */
async function readable(
  store: DocumentStore,
  personId: string,
  branch: readonly PlannedMessage[],
): Promise<readonly Readable[]> {
  const ids = new Set(branch.flatMap(({ documents }) => documents ?? []).map(({ id }) => id));
  const found = await Promise.all([...ids].map((id) => store.find(personId, id)));
  return found.filter((document) => document !== undefined).filter(({ kind }) => kind !== 'picture');
}

/** What the space of the chat has at hand for every question. */
function spaceDocuments({ space }: AskedFor): readonly Readable[] {
  return (space?.documents ?? []).filter(({ kind }) => kind !== 'picture');
}

/** Only pictures that came with a message are looked at. */
function spacePictures({ space }: AskedFor): readonly Readable[] {
  return (space?.documents ?? []).filter(({ kind }) => kind === 'picture');
}

function spaceInSight({ space }: AskedFor, sources: readonly ChosenSource[]): SentOfSpace | null {
  if (space === undefined) return null;
  const { projectId, instructions, documents } = space;
  const used = new Set(sources.map(({ documentId }) => documentId));
  return {
    projectId,
    instructionsAt: instructions.text.trim() === '' ? null : instructions.changedAt,
    documents: documents.filter(({ id }) => used.has(id)).map(nameOf),
  };
}

/** A whole document stands where it came, so that what engines have read before stays the same; the rest at the question. */
function place(
  kept: readonly PlannedMessage[],
  sources: readonly ChosenSource[],
  whole: ReadonlySet<string>,
  lasting: ReadonlySet<string>,
  questionAt: number,
): readonly PlannedMessage[] {
  const placeOf = (documentId: string) => {
    // Those of the space are there from the beginning.
    if (whole.has(documentId) && lasting.has(documentId)) return firstQuestion;
    const index = whole.has(documentId)
      ? kept.findIndex(({ documents }) => documents?.some(({ id }) => id === documentId))
      : -1;
    return index < 0 ? questionAt : index;
  };
  const firstQuestion = Math.max(
    0,
    kept.findIndex(({ role }) => role === 'user'),
  );
  return kept.map((message, index) => {
    const own = sources.filter(({ documentId }) => placeOf(documentId) === index);
    return own.length === 0 ? message : { ...message, content: writeSources(own, message.content) };
  });
}

/** As they will stand in the prompt; one text for each document, so that a long one is one question to the engine. */
function writtenByDocument(sources: readonly ChosenSource[]): readonly string[] {
  const byDocument = Map.groupBy(sources, ({ documentId }) => documentId);
  return [...byDocument.values()].map((own) => writeSources(own, ''));
}

function nameOf({ id, name }: AttachedDocument): NamedDocument {
  return { documentId: id, name };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
