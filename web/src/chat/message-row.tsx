import { memo } from 'react';
import { AnswerMessage } from '../answer/answer-message.tsx';
import { PlainTextBoundary } from '../answer/plain-text.tsx';
import { ToolResult } from '../answer/tool-result.tsx';
import { ToolCallRow } from '../tools/tool-call-row.tsx';
import type { MessageRowProps } from './message-row-props.ts';
import { UserMessage } from './user-message.tsx';

/** Messages never change once complete, so a row is drawn again only when its place in the conversation changes. */
export const MessageRow = memo(
  function MessageRow(props: MessageRowProps) {
    return (
      <PlainTextBoundary text={props.message.content}>
        <Row {...props} />
      </PlainTextBoundary>
    );
  },
  (before, after) =>
    before.message === after.message &&
    before.isLast === after.isLast &&
    before.models === after.models &&
    before.conversation.tree === after.conversation.tree &&
    before.conversation.running === after.conversation.running &&
    before.conversation.settings.model === after.conversation.settings.model,
);

function Row(props: MessageRowProps) {
  switch (props.message.role) {
    case 'user':
      return <UserMessage {...props} />;
    case 'assistant':
      return <AnswerMessage {...props} />;
    case 'tool':
      return props.message.tool === null ? (
        <ToolResult message={props.message} />
      ) : (
        <ToolCallRow {...props} tool={props.message.tool} />
      );
  }
}
