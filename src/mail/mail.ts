/** What does the service write to people? Invitations and sign-in links, handed to the operators' own mail server. */
import type { Logger } from '#vocabulary/logger';
import type { LetterFate, LetterLanguage, Postman } from '#vocabulary/mail';
import { letterWords } from './letters.ts';

export interface MailSettings {
  /** `smtp://` or `smtps://`, with user and password if the server asks for them. */
  readonly server: string;
  readonly from: string;
  readonly language: LetterLanguage;
}

/** Beyond this many letters under way the mail server is not keeping up, and more are not taken. */
const maxUnderWay = 1000;

export function createPostman(parts: {
  readonly mail: MailSettings;
  /** As the operators call their service. */
  readonly serviceName: () => Promise<string>;
  readonly logger: Logger;
}): Postman {
  const { mail, logger } = parts;
  const words = letterWords[mail.language];
  let underWay = 0;
  /** Open while letters are under way: no connection is kept for the next one. */
  let transport: ReturnType<typeof openTransport> | undefined;

  return {
    sendInvitation: async (letter) =>
      await send(letter.to, words.invitation(await parts.serviceName(), letter)),
    sendSignInLink: async (letter) =>
      await send(letter.to, words.signInLink(await parts.serviceName(), letter)),
  };

  async function send(to: string, letter: { subject: string; text: string }): Promise<LetterFate> {
    if (underWay >= maxUnderWay) {
      logger.error({ underWay }, 'a letter was not sent: the mail server does not keep up');
      return 'failed';
    }
    underWay++;
    try {
      transport ??= openTransport(mail);
      await (await transport).sendMail({ from: mail.from, to: { name: '', address: to }, ...letter });
      return 'sent';
    } catch (error) {
      logger.error({ error }, 'a letter was not sent: see what the mail server says, and the setting `mail`');
      return 'failed';
    } finally {
      underWay--;
      if (underWay === 0) {
        void transport?.then(
          (opened) => opened.close(),
          () => undefined,
        );
        transport = undefined;
      }
    }
  }
}

async function openTransport({ server }: MailSettings) {
  // Most services write no letters.
  const { createTransport } = await import('nodemailer');
  return createTransport({ url: server, pool: true, maxConnections: 2, ...patience });
}

const patience = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 30_000,
  dnsTimeout: 10_000,
};
