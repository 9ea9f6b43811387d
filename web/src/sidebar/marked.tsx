import type { Snippet } from '#contract/chats';

/** A piece of text with what was searched for marked in it. */
export function Marked({ pieces }: { readonly pieces: Snippet }) {
  return pieces.map((piece, index) =>
    piece.isMatch ? (
      <mark key={index} className="rounded-xs bg-accent-wash text-accent-strong">
        {piece.text}
      </mark>
    ) : (
      <span key={index}>{piece.text}</span>
    ),
  );
}
