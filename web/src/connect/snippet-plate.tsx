import { CodeBlock } from '../answer/code-block.tsx';
import type { Snippet } from './snippets.ts';

export function SnippetPlate({ snippet }: { readonly snippet: Pick<Snippet, 'language' | 'text'> }) {
  return <CodeBlock code={snippet.text} language={snippet.language} isGrowing={false} />;
}
