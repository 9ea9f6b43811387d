import { Component, type ReactNode } from 'react';
import { Icon } from '../design/icon.tsx';
import { useWords } from '../language/language.tsx';

/** A text as it was written, when it cannot be laid out. */
export function PlainText({ text }: { readonly text: string }) {
  const words = useWords();
  return (
    <div className="text-[1.0625rem] leading-[1.6]">
      <p className="mb-2 flex items-center gap-2 text-[0.9375rem] text-wait">
        <Icon name="info" size={16} />
        {words.answer.plainText}
      </p>
      <p dir="auto" className="[overflow-wrap:anywhere] whitespace-pre-wrap">
        {text}
      </p>
    </div>
  );
}

interface PlainTextBoundaryProps {
  readonly text: string;
  readonly children: ReactNode;
}

/** Whatever goes wrong while a message is drawn, its words stay readable and the others stand. */
export class PlainTextBoundary extends Component<PlainTextBoundaryProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    return this.state.hasFailed ? <PlainText text={this.props.text} /> : this.props.children;
  }
}
