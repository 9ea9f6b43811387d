import { randomUUIDv7 } from 'node:crypto';
import type { SentContext } from '#contract/context';
import type { WhenFull } from '#contract/summaries';
import type { ChatInference } from '#vocabulary/chat-inference';
import type { Clock } from '#vocabulary/clock';
import type { ChatMessage } from '#vocabulary/conversation';
import type { ConversationStore } from '#vocabulary/conversation-store';
import type { DocumentStore, MeaningSearch } from '#vocabulary/documents';
import { mintId } from '#vocabulary/ids';
import type { OfferedTool, ToolBench } from '#vocabulary/tools';
import { buildChatRequest, type AskedFor } from './chat-request.ts';
import type { PassageSearch } from './choose-sources.ts';
import type { Overflow } from './choose-view.ts';
import { newMessage } from './new-message.ts';
import { offerTools, withTools } from './offer-tools.ts';
import type { PersonEvents } from './person-events.ts';
import { planContext, type PlannedContext, type PlannedMessage } from './plan-context.ts';
import { withPictures } from './read-pictures.ts';
import type { RunningAnswer } from './running-answer.ts';
import type { TokenCounts } from './token-counts.ts';
import { writeSummary } from './write-summary.ts';

/** How long an engine may count before the rest is estimated; little when somebody waits for an answer. */
const previewPatienceMs = 1500;
const askingPatienceMs = 300;

export type ChatRequest = ReturnType<typeof buildChatRequest>;

export interface Above<Message = PlannedMessage> {
  readonly messages: readonly Message[];
  readonly isWhole: boolean;
}

/** An answer as it begins, and what the model is asked for it. */
export interface Prepared {
  readonly answer: ChatMessage;
  /** As the person wants it, without what servers offer. */
  readonly asked: AskedFor;
  readonly tools: readonly OfferedTool[];
  readonly request: ChatRequest;
  /** What is to be summarised before the model is asked. */
  readonly overflow: Overflow | undefined;
  /** The question once more, where the branch has got a summary meanwhile. */
  again(
    branch: readonly PlannedMessage[],
  ): Promise<{ readonly request: ChatRequest; readonly sent: SentContext }>;
  readonly branch: Above;
}

interface Asker {
  readonly personId: string;
  readonly address: string;
}

export interface AnswerPreparer {
  /** What the model would be given. */
  preview(personId: string, asked: AskedFor, branch: Above): Promise<SentContext>;
  prepare(personId: string, asked: AskedFor, branch: Above, parentId: string | null): Promise<Prepared>;
  /** Writes the summary that is wanted, and gives the request with it; without it where it cannot be written. */
  summarise(prepared: Prepared, asker: Asker, chatId: string, answer: RunningAnswer): Promise<ChatRequest>;
}

export function createAnswerPreparer(parts: {
  readonly store: ConversationStore;
  readonly documents: DocumentStore;
  readonly meaning: MeaningSearch | undefined;
  readonly counts: TokenCounts;
  readonly tools: ToolBench;
  readonly inference: ChatInference;
  /** What a person wants where a chat does not say. */
  readonly whenFull: (personId: string) => Promise<WhenFull>;
  readonly events: PersonEvents;
  readonly clock: Clock;
}): AnswerPreparer {
  const { store, documents, meaning, counts, events, clock } = parts;

  return {
    async preview(personId, asked, branch) {
      const tools = await offerTools(parts.tools, personId, asked, branch.messages);
      const settings = withTools(asked, tools);
      // Which passages it will be is seen later: that they fill the room is known.
      const meter = { counts, personId, asked: settings, patienceMs: previewPatienceMs };
      return (await planContext({ store: documents }, meter, branch)).sent;
    },

    async prepare(personId, asked, branch, parentId) {
      const { model, effort } = asked;
      const tools = await offerTools(parts.tools, personId, asked, branch.messages);
      const settings = withTools(asked, tools);
      const again = async (messages: readonly PlannedMessage[]) => {
        const planned = await plan(personId, settings, { ...branch, messages });
        const pictured = await withPictures(documents, personId, model, planned.branch);
        return { ...planned, request: buildChatRequest(settings, pictured) };
      };
      const { sent, overflow, request } = await again(branch.messages);
      const wanted = asked.parameters.whenFull ?? (await parts.whenFull(personId));
      const answer = newMessage({
        parentId,
        role: 'assistant',
        content: '',
        createdAt: clock.wallMs(),
        model: model.id,
        effort: model.supportsReasoningEffort ? effort : null,
        state: 'running',
        generationId: mintId('generation'),
        requestIds: [randomUUIDv7()],
        context: sent,
      });
      return {
        answer,
        asked,
        tools,
        request,
        overflow: wanted === 'summarise' ? overflow : undefined,
        again,
        branch,
      };
    },

    async summarise({ asked, request, overflow, again, branch }, asker, chatId, answer) {
      const { context } = answer.message();
      if (overflow === undefined || context === null) return request;
      answer.beginSummary();
      const { cancellation } = answer;
      const { contextTokens } = context.parts;
      const summary = await writeSummary(parts, {
        ...asker,
        projectId: asked.space?.projectId,
        model: asked.model,
        contextTokens,
        overflow,
        cancellation,
      });
      if (cancellation.isCancelled) return request;
      if (typeof summary === 'string' || !(await store.saveSummary(chatId, overflow.lastId, summary))) {
        answer.endSummary({
          ...context,
          summaryProblem: typeof summary === 'string' ? summary : 'not_found',
        });
        return request;
      }
      const message = await store.findMessage(chatId, overflow.lastId);
      if (message !== undefined)
        events.announce(asker.personId, { type: 'messagesAdded', chatId, messages: [message] });
      const messages = branch.messages.map((each) =>
        each.id === overflow.lastId ? { ...each, summary } : each,
      );
      const planned = await again(messages);
      answer.endSummary(planned.sent);
      return planned.request;
    },
  };

  function plan(personId: string, asked: AskedFor, branch: Above): Promise<PlannedContext> {
    const projectId = asked.space?.projectId;
    const search: PassageSearch = {
      store: documents,
      findByMeaning: meaning && ((ask) => meaning.search({ ...ask, personId, projectId })),
    };
    return planContext(search, { counts, personId, asked, patienceMs: askingPatienceMs }, branch);
  }
}
