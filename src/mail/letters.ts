import type { InvitationLetter, LinkLetter } from '#vocabulary/mail';

export type LetterLanguage = 'en' | 'de';

interface LetterText {
  readonly subject: string;
  readonly text: string;
}

/** What the letters say. Plain text: it reads the same everywhere, and no link hides behind another. */
interface LetterWords {
  invitation(service: string, letter: InvitationLetter): LetterText;
  signInLink(service: string, letter: LinkLetter): LetterText;
}

export const letterWords: Readonly<Record<LetterLanguage, LetterWords>> = {
  en: {
    invitation: (service, { url, invitedBy, expiresAt }) => ({
      subject: `You are invited to ${service}`,
      text: `Hello,

${invitedBy === '' ? 'you are invited' : `${invitedBy} invites you`} to ${service}. This link makes your account; it works once, until ${moment(expiresAt, 'en-GB')}:

${url}

If you did not expect this, leave it be.
`,
    }),
    signInLink: (service, { url, expiresAt }) => ({
      subject: `Sign in to ${service}`,
      text: `Hello,

with this link you sign in to ${service} without your password, and can choose a new one. It works once, until ${moment(expiresAt, 'en-GB')}:

${url}

If you did not ask for it, leave it be: nobody gets in without it.
`,
    }),
  },
  de: {
    invitation: (service, { url, invitedBy, expiresAt }) => ({
      subject: `Einladung zu ${service}`,
      text: `Guten Tag,

${invitedBy === '' ? `Sie sind zu ${service} eingeladen` : `${invitedBy} lädt Sie zu ${service} ein`}. Mit diesem Link legen Sie Ihr Konto an; er gilt einmal, bis ${moment(expiresAt, 'de-DE')}:

${url}

Wenn Sie damit nichts anfangen können, lassen Sie diese Nachricht einfach liegen.
`,
    }),
    signInLink: (service, { url, expiresAt }) => ({
      subject: `Anmelden bei ${service}`,
      text: `Guten Tag,

mit diesem Link melden Sie sich ohne Passwort bei ${service} an und können ein neues wählen. Er gilt einmal, bis ${moment(expiresAt, 'de-DE')}:

${url}

Wenn Sie ihn nicht verlangt haben, lassen Sie diese Nachricht einfach liegen: ohne den Link kommt niemand hinein.
`,
    }),
  },
};

function moment(atMs: number, locale: string): string {
  return new Intl.DateTimeFormat(locale, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  })
    .format(atMs)
    .concat(' UTC');
}
