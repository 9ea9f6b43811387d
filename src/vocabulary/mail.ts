/** Letters of the service. Nothing waits for them: `fate` tells later whether the mail server took one. */
export interface Postman {
  sendInvitation(letter: InvitationLetter): Promise<LetterFate>;
  sendSignInLink(letter: LinkLetter): Promise<LetterFate>;
}

/** Those of the page. */
export const letterLanguages = ['en', 'de', 'fr', 'es', 'it', 'uk', 'zh', 'ar'] as const;
export type LetterLanguage = (typeof letterLanguages)[number];

export type LetterFate = 'sent' | 'failed';

export interface LinkLetter {
  readonly to: string;
  readonly url: string;
  readonly expiresAt: number;
}

export interface InvitationLetter extends LinkLetter {
  /** Empty when nobody in particular invites. */
  readonly invitedBy: string;
}
