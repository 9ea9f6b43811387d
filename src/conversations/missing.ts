import { Refusal } from '#vocabulary/refusal';

/** The same words whether it never was, is gone, or belongs to somebody else. */
export function noSuchChat(): Refusal {
  return new Refusal('not_found', 'There is no such chat. It may have been deleted.');
}

export function noSuchMessage(): Refusal {
  return new Refusal('not_found', 'There is no such message in this chat. It may have been deleted.');
}

export function noSuchDocument(): Refusal {
  return new Refusal('not_found', 'There is no such document. It may have been deleted; bring it again.');
}

export function noSuchGeneration(): Refusal {
  return new Refusal('not_found', 'There is no such answer under way. Load the chat to see how it ended.');
}

export function noSuchShare(): Refusal {
  return new Refusal(
    'not_found',
    'This link leads nowhere any more. Ask the person who shared it for a new one.',
  );
}

export function nobodyIsAsked(): Refusal {
  return new Refusal('conflict', 'Nobody is asked about this call any more.');
}
