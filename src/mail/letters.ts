import type { InvitationLetter, LetterLanguage, LinkLetter } from '#vocabulary/mail';

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
  fr: {
    invitation: (service, { url, invitedBy, expiresAt }) => ({
      subject: `Invitation à ${service}`,
      text: `Bonjour,

${invitedBy === '' ? 'vous êtes invité·e' : `${invitedBy} vous invite`} à ${service}. Ce lien crée votre compte ; il sert une seule fois, jusqu’au ${moment(expiresAt, 'fr-FR')} :

${url}

Si vous n’attendiez pas ce message, ignorez-le.
`,
    }),
    signInLink: (service, { url, expiresAt }) => ({
      subject: `Se connecter à ${service}`,
      text: `Bonjour,

ce lien vous connecte à ${service} sans mot de passe et vous permet d’en choisir un nouveau. Il sert une seule fois, jusqu’au ${moment(expiresAt, 'fr-FR')} :

${url}

Si vous ne l’avez pas demandé, ignorez ce message : personne n’entre sans ce lien.
`,
    }),
  },
  es: {
    invitation: (service, { url, invitedBy, expiresAt }) => ({
      subject: `Invitación a ${service}`,
      text: `Hola:

${invitedBy === '' ? 'Ha recibido una invitación' : `${invitedBy} le invita`} a ${service}. Este enlace crea su cuenta; sirve una sola vez, hasta el ${moment(expiresAt, 'es-ES')}:

${url}

Si no esperaba este mensaje, no haga nada.
`,
    }),
    signInLink: (service, { url, expiresAt }) => ({
      subject: `Entrar en ${service}`,
      text: `Hola:

Con este enlace entra en ${service} sin contraseña y puede elegir una nueva. Sirve una sola vez, hasta el ${moment(expiresAt, 'es-ES')}:

${url}

Si no lo ha pedido, no haga nada: sin el enlace no entra nadie.
`,
    }),
  },
  it: {
    invitation: (service, { url, invitedBy, expiresAt }) => ({
      subject: `Invito a ${service}`,
      text: `Buongiorno,

${invitedBy === '' ? 'ha ricevuto un invito' : `${invitedBy} La invita`} a ${service}. Questo link crea il Suo account; vale una sola volta, fino a: ${moment(expiresAt, 'it-IT')}

${url}

Se non si aspettava questo messaggio, lo ignori.
`,
    }),
    signInLink: (service, { url, expiresAt }) => ({
      subject: `Accesso a ${service}`,
      text: `Buongiorno,

con questo link accede a ${service} senza password e può sceglierne una nuova. Vale una sola volta, fino a: ${moment(expiresAt, 'it-IT')}

${url}

Se non lo ha richiesto, ignori questo messaggio: senza il link non entra nessuno.
`,
    }),
  },
  uk: {
    invitation: (service, { url, invitedBy, expiresAt }) => ({
      subject: `Запрошення до ${service}`,
      text: `Вітаємо!

${invitedBy === '' ? 'Вас запрошено' : `${invitedBy} запрошує вас`} до ${service}. За цим посиланням ви створите обліковий запис; воно діє один раз, до: ${moment(expiresAt, 'uk-UA')}

${url}

Якщо ви цього не очікували, просто не зважайте на цей лист.
`,
    }),
    signInLink: (service, { url, expiresAt }) => ({
      subject: `Вхід до ${service}`,
      text: `Вітаємо!

За цим посиланням ви увійдете до ${service} без пароля й зможете вибрати новий. Воно діє один раз, до: ${moment(expiresAt, 'uk-UA')}

${url}

Якщо ви його не просили, не зважайте на цей лист: без посилання ніхто не увійде.
`,
    }),
  },
  zh: {
    invitation: (service, { url, invitedBy, expiresAt }) => ({
      subject: `邀请您使用 ${service}`,
      text: `您好：

${invitedBy === '' ? '您受邀' : `${invitedBy} 邀请您`}使用 ${service}。请用此链接创建账户，链接只能使用一次，有效期至 ${moment(expiresAt, 'zh-CN')}：

${url}

如果您不知道此事，请忽略本邮件。
`,
    }),
    signInLink: (service, { url, expiresAt }) => ({
      subject: `登录 ${service}`,
      text: `您好：

用此链接无需密码即可登录 ${service}，并可设置新密码。链接只能使用一次，有效期至 ${moment(expiresAt, 'zh-CN')}：

${url}

如果这不是您请求的，请忽略本邮件：没有此链接，任何人都无法登录。
`,
    }),
  },
  ar: {
    invitation: (service, { url, invitedBy, expiresAt }) => ({
      subject: `دعوة إلى ${service}`,
      text: `مرحبًا،

${invitedBy === '' ? 'وصلتك دعوة' : `وصلتك دعوة من ${invitedBy}`} إلى ${service}. بهذا الرابط تنشئ حسابك، وهو صالح لمرة واحدة حتى ${moment(expiresAt, 'ar')}:

${url}

إن لم تكن تتوقع هذه الرسالة فتجاهلها.
`,
    }),
    signInLink: (service, { url, expiresAt }) => ({
      subject: `تسجيل الدخول إلى ${service}`,
      text: `مرحبًا،

بهذا الرابط تسجّل الدخول إلى ${service} بلا كلمة مرور، ويمكنك اختيار كلمة جديدة. وهو صالح لمرة واحدة حتى ${moment(expiresAt, 'ar')}:

${url}

إن لم تطلبه فتجاهل هذه الرسالة: لا يدخل أحد بلا الرابط.
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
