import { letterLanguages } from '#vocabulary/mail';
import {
  cidr,
  databaseAddress,
  hostName,
  listenAddress,
  mailServer,
  originUrl,
  withPort,
} from './address-checks.ts';
import { engineFields, modelFields, modelName, networkFields } from './catalogue-fields.ts';
import {
  choice,
  duration,
  durationOrOff,
  filePath,
  flag,
  folderPath,
  listOf,
  size,
  text,
  wholeNumber,
} from './checks.ts';
import { defaultEngines, defaultModels } from './default-catalogue.ts';
import { entries, knob, optionalKnob, secretKnob, section, type ValuesOf } from './knob.ts';
import { limitFields } from './limit-fields.ts';
import { projectFields } from './project-fields.ts';
import { sharingFields } from './sharing-fields.ts';
import { signInFields } from './sign-in-fields.ts';
import { toolFields } from './tool-fields.ts';

/** Every knob of the service. What is not here cannot be set; what is here is documented and checked. */
export const settingsTable = {
  listen: knob(listenAddress, {
    fallback: '127.0.0.1:8080',
    meaning: 'Where the service listens.',
    environment: [{ name: 'GATEHOUSE_LISTEN' }, { name: 'PORT', onto: withPort }],
  }),
  metricsListen: optionalKnob(listenAddress, {
    meaning:
      'A listener of its own for `/metrics`. Without it metrics are served where the service listens, and only to callers on the same machine.',
  }),
  sharedListen: optionalKnob(listenAddress, {
    meaning:
      'A further address, at which all gateways of this machine listen together: the system spreads the callers among them. Each keeps a `listen` of its own. Linux only.',
  }),
  dataDir: knob(folderPath, {
    fallback: 'data',
    meaning: 'Folder of the database, the usage journal and downloaded models. Made when missing.',
  }),
  database: secretKnob(databaseAddress, {
    meaning:
      'A PostgreSQL database (15 or newer) that several gateways share, as `postgres://user:password@host/name`. Without it the database is a file in `dataDir`. The whole address counts as a secret.',
    environment: [{ name: 'GATEHOUSE_DATABASE' }],
  }),
  service: optionalKnob(text('a name such as `campus`', /^.{1,200}$/), {
    meaning:
      'What the service is called by its gateways when several share a `database`: one whose data folder is new joins only if it has the same name as those before it. Without it `publicUrl`.',
    environment: [{ name: 'GATEHOUSE_SERVICE' }],
  }),
  publicUrl: optionalKnob(originUrl, {
    meaning:
      'How people reach the service, for links and sign-in. Without it the address at which it listens.',
  }),
  advertise: optionalKnob(originUrl, {
    meaning:
      'Where the other gateways of the service reach this one, when several share a database. Without it the address at which it listens; where that is every address, the name of this machine.',
    environment: [{ name: 'GATEHOUSE_ADVERTISE' }],
  }),
  hostNames: knob(listOf(hostName), {
    fallback: [],
    meaning:
      'Further names by which callers reach the direct door and `/metrics`. Known without it: the host of `publicUrl`, the name of this machine, `localhost`, every address written in digits; with `tls` every name.',
  }),
  tls: section('HTTPS. Both files or neither; they are read again when they change.', {
    certificateFile: optionalKnob(filePath, {
      meaning: 'The certificate followed by its chain, in PEM form.',
    }),
    keyFile: optionalKnob(filePath, { meaning: 'The private key, in PEM form.' }),
    http2: knob(flag, {
      fallback: true,
      meaning:
        'Whether callers are offered HTTP/2, too. Each of its streams counts as a connection, and has the limits of one.',
    }),
  }),
  directNetworks: entries(networkFields, {
    meaning:
      'Networks whose callers may use the direct door without a token; an entry may be the bare network.',
    shorthand: 'cidr',
    fallback: ['127.0.0.0/8', '::1/128'],
    environment: 'GATEHOUSE_DIRECT_NETWORKS',
    change: 'live',
  }),
  trustedProxies: knob(listOf(cidr), {
    fallback: [],
    meaning:
      'Proxies whose word about the address of a caller (`forwardedHeader`) counts. The direct door refuses what others pass on.',
    change: 'live',
  }),
  forwardedHeader: knob(choice('X-Forwarded-For', 'Forwarded'), {
    fallback: 'X-Forwarded-For',
    meaning: 'The header in which trusted proxies name the caller. The other one is ignored.',
  }),
  engines: entries(engineFields, {
    meaning:
      'The engines that generate text. An engine named `pocket`, which runs the built-in model, always exists unless one of that name is given here.',
    fallback: defaultEngines,
    fallbackWords: 'the built-in engine `pocket`',
    change: 'live',
  }),
  models: entries(modelFields, {
    meaning: 'The models that are offered. A list here replaces the built-in one.',
    fallback: defaultModels,
    fallbackWords: '`alpha-R1`, `beta-4-scout` and `gamma-oss-120b` on the built-in engine',
    change: 'live',
  }),
  projects: entries(projectFields, {
    meaning:
      'Projects: people who share a weight, models, limits and a budget. More can be made on the web and by command; those written here are changed here only.',
    fallback: [],
    change: 'live',
  }),
  limits: section('What one request, caller or engine may take.', limitFields),
  sharing: section('How the service is shared when everybody wants it.', sharingFields),
  heartbeat: knob(durationOrOff(1000, 600_000, '15s'), {
    fallback: '15s',
    meaning: 'A stream that has been silent this long gets a comment line, so that proxies keep it open.',
  }),
  drain: knob(duration(0, 86_400_000, '30s'), {
    fallback: '30s',
    meaning: 'Time running answers have to finish when the service is asked to stop.',
  }),
  whenStopping: knob(choice('refuse', 'close'), {
    fallback: 'refuse',
    meaning:
      'What new callers find while running answers finish: `refuse`, 503 with `Retry-After`; `close`, nobody, so that a balancer in front sends them to the next gateway at once.',
  }),
  restartDrain: knob(duration(0, 86_400_000, '1h'), {
    fallback: '1h',
    meaning:
      'Time running answers have to finish after `gatehouse restart`, while the new process already serves.',
  }),
  log: section('What the service writes to its standard output.', {
    level: knob(choice('debug', 'info', 'warn', 'error', 'silent'), {
      fallback: 'info',
      meaning: 'The least important line that is written.',
    }),
    format: knob(choice('auto', 'json', 'pretty'), {
      fallback: 'auto',
      meaning: '`json` for machines, `pretty` for eyes; `auto` is pretty on a terminal.',
    }),
  }),
  accounting: section('How usage is written down.', {
    durability: knob(choice('written', 'synced'), {
      fallback: 'written',
      meaning:
        'What a request waits for before an engine hears of it, and the end of its answer once more: `written`, its record has left the process and survives when that is killed; `synced`, it is on the disk and survives a power cut.',
    }),
    whenUnwritable: knob(choice('refuse', 'serve'), {
      fallback: 'refuse',
      meaning:
        'What happens while usage cannot be written, because the disk is full for instance: `refuse` new requests, or `serve` them and keep up to 100,000 entries in memory.',
    }),
  }),
  keys: section('API keys.', {
    maxLifetime: knob(durationOrOff(60_000, 3650 * 86_400_000, '365d'), {
      fallback: 'off',
      meaning: 'Every key expires at the latest this long after it was made.',
    }),
    maxPerPerson: knob(wholeNumber(1, 10_000), {
      fallback: 50,
      meaning: 'Valid keys one person may have.',
    }),
  }),
  retention: section('How long things are kept.', {
    chats: knob(durationOrOff(86_400_000, 36_500 * 86_400_000, '365d'), {
      fallback: 'off',
      meaning:
        'A chat in which nothing was written for this long is deleted, whoever it belongs to. `off`: chats are kept until their owner deletes them.',
    }),
    usage: knob(durationOrOff(86_400_000, 36_500 * 86_400_000, '400d'), {
      fallback: '400d',
      meaning:
        'The usage records of single requests, with their addresses and times, are forgotten after this long. What they add up to per day, person, key, model and project is kept. `off`: all are kept.',
    }),
  }),
  responses: section('Responses that callers ask to keep (`store`, `background`).', {
    keep: knob(duration(60_000, 3650 * 86_400_000, '30d'), {
      fallback: '30d',
      meaning: 'A kept response is forgotten after this long.',
    }),
    perOwner: knob(size(64 * 1024, 1024 ** 4, '64MB'), {
      fallback: '64MB',
      meaning:
        'Room for the kept responses of one person, or of one address that needs no key. When it is full, their oldest are forgotten.',
    }),
    total: knob(size(64 * 1024, 1024 ** 5, '4GB'), {
      fallback: '4GB',
      meaning:
        'Room for the kept responses of everybody. When it is full, nothing more is kept until something goes.',
    }),
  }),
  documents: section('What people bring into their chats.', {
    embeddings: knob(modelName, {
      fallback: 'auto',
      meaning:
        'The model by whose vectors documents are searched beside their words. `auto`: the first one with `embeddings: true`; without one, and with `off`, documents are searched by their words alone. `off` also removes the vectors there are.',
    }),
  }),
  receipts: section('Signed receipts of answers: what stands behind each one.', {
    keep: knob(flag, {
      fallback: true,
      meaning:
        'What stands behind each answer of the chat and of the proxy door is kept with its usage record, for its owner to ask for. A request without a seed gets one, so that its answer can be had again; some engines write a little more slowly with it when many ask at once.',
    }),
  }),
  status: section('The status page at `/status`, and `/status.json`: how the models are doing.', {
    readers: knob(choice('people', 'everybody'), {
      fallback: 'people',
      meaning:
        'Who may read it: `people` who are signed in, or `everybody`, also pages of others that show the badge.',
    }),
  }),
  appearance: section('How the service calls itself. What is left out is chosen on the page.', {
    name: optionalKnob(text('a name of at most 60 characters', /^.{1,60}$/), {
      meaning: 'The name that people see at the door and above their chats.',
    }),
    accent: optionalKnob(text('a colour such as `#27695d`', /^#[\da-f]{6}$/), {
      meaning: 'The colour of buttons and links; shades that can be read are made for both themes.',
    }),
    signInLead: optionalKnob(text('a sentence of at most 200 characters', /^.{1,200}$/), {
      meaning: 'Below the name on the sign-in page.',
    }),
    signInHelp: optionalKnob(text('a few sentences of at most 500 characters', /^[^]{1,500}$/), {
      meaning: 'Below the form of the sign-in page: whom to ask for an account, for instance.',
    }),
  }),
  mail: section('Letters: invitations, and sign-in links for those who forgot their password.', {
    server: secretKnob(mailServer, {
      meaning:
        'The mail server that takes letters, with user and password if it asks for them. Without it nothing is sent: invitations are links that operators pass on themselves.',
    }),
    from: optionalKnob(
      text(
        'a sender such as `Gatehouse <gatehouse@example.org>`',
        /^(?:[^<>@\r\n]+ <)?[^\s<>@]+@[^\s<>@]+>?$/,
      ),
      { meaning: 'Who writes. Needed with `server`.' },
    ),
    language: knob(choice(...letterLanguages), { fallback: 'en', meaning: 'The language of the letters.' }),
  }),
  tools: section('Tools that models may call in chats, when the person agrees.', toolFields),
  signIn: section('How people sign in to the web page.', signInFields),
  audit: section('The trail of sign-ins, keys and rights.', {
    syslog: optionalKnob(text('the address of a syslog server, such as `192.0.2.7:514`', /^\S+:\d{1,5}$/), {
      meaning:
        'Every entry is also sent there, as a line of JSON (RFC 5424 over UDP). Without it the trail stays here.',
    }),
  }),
};

export type SettingsValues = ValuesOf<typeof settingsTable>;
