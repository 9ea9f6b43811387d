import { totalmem } from 'node:os';
import { assembleProjects } from './assemble-projects.ts';
import { assembleCatalogue } from './assemble-catalogue.ts';
import { assembleTools } from './assemble-tools.ts';
import { isFile, type Assembly } from './assembly.ts';
import type { ProviderSettings, Settings, SignInSettings, TlsSettings } from './settings-shape.ts';
import type { SettingsValues } from './settings-table.ts';

/** Gives the values of the table their final shape and checks what no knob can check alone. */
export function assembleSettings(values: SettingsValues, assembly: Assembly): Settings {
  const { limits, signIn } = values;
  return {
    listen: values.listen,
    metricsListen: values.metricsListen,
    sharedListen: values.sharedListen,
    dataDir: values.dataDir,
    database: values.database,
    service: values.service ?? values.publicUrl,
    publicUrl: values.publicUrl,
    advertise: values.advertise,
    hostNames: values.hostNames,
    tls: tlsSettings(values.tls, assembly),
    forwardedHeader: values.forwardedHeader,
    catalogue: assembleCatalogue(values, assembly),
    limits: {
      maxBodyBytes: limits.maxBody,
      totalBufferedBytes: totalBufferedBytes(limits, assembly),
      maxHeaderBytes: limits.maxHeader,
      headerTimeoutMs: limits.headerTimeout,
      bodyTimeoutMs: limits.bodyTimeout,
      slowReaderMs: limits.slowReader,
      maxConnections: limits.maxConnections,
      maxConnectionsPerAddress: limits.maxConnectionsPerAddress,
      waitingLine: {
        maxWaiting: limits.waitingLine.maxWaiting,
        maxWaitingPerMember: limits.waitingLine.maxWaitingPerMember,
        maxRunningPerMember: limits.waitingLine.maxRunningPerMember,
        maxWaitMs: limits.waitingLine.maxWait,
      },
      resume: {
        longestMs: limits.resume.longest,
        streamsPerKey: limits.resume.maxPerKey,
        bytesPerKey: limits.resume.bytesPerKey,
        totalBytes: limits.resume.totalBytes,
      },
      storagePerPersonBytes: limits.storagePerPerson,
      storagePerProjectBytes: limits.storagePerProject,
      maxDocumentBytes: limits.documentSize,
      documentsTotalBytes: limits.documentsTotal,
      maxOutputTokens: limits.maxOutputTokens,
      maxChoices: limits.maxChoices,
      maxTools: limits.maxTools,
      maxPrompts: limits.maxPrompts,
      maxStopStrings: limits.maxStopStrings,
      maxLogprobs: limits.maxLogprobs,
      maxJsonDepth: limits.maxJsonDepth,
      maxJsonValues: limits.maxJsonValues,
      engineSilenceMs: limits.engineSilence,
    },
    sharing: {
      factors: values.sharing.cost,
      backgroundShare: values.sharing.backgroundShare,
      quantum: values.sharing.localityQuantum,
      assumedOutputTokens: values.sharing.assumedOutputTokens,
    },
    projects: {
      projects: assembleProjects(values, assembly),
      defaultLimits: values.sharing.limits,
    },
    heartbeatMs: values.heartbeat,
    drainMs: values.drain,
    whenStopping: values.whenStopping,
    restartDrainMs: values.restartDrain,
    log: values.log,
    accounting: values.accounting,
    keys: {
      maxLifetimeMs: values.keys.maxLifetime === 0 ? undefined : values.keys.maxLifetime,
      maxPerPerson: values.keys.maxPerPerson,
    },
    retention: {
      chatsMs: values.retention.chats === 0 ? undefined : values.retention.chats,
      usageMs: values.retention.usage === 0 ? undefined : values.retention.usage,
    },
    responses: {
      keepMs: values.responses.keep,
      ownerBytes: values.responses.perOwner,
      totalBytes: values.responses.total,
    },
    documents: documentSettings(values, assembly),
    receipts: values.receipts,
    status: values.status,
    appearance: Object.fromEntries(
      Object.entries(values.appearance).filter(([, value]) => value !== undefined),
    ),
    mail: mailSettings(values.mail, assembly),
    audit: { syslog: syslogServer(values.audit.syslog, assembly) },
    tools: assembleTools(values, assembly),
    signIn: {
      hasLocalAccounts: signIn.localAccounts,
      admin: firstAdministrator(signIn, assembly),
      sessionIdleMs: signIn.sessionIdle,
      sessionLifetimeMs: signIn.sessionLifetime,
      recheckMs: signIn.recheck,
      keysRecheckMs: signIn.keysRecheck,
      providers: signInProviders(signIn.providers, assembly),
    },
  };
}

/** Room for the largest request four times over: a quarter is kept for answers, and nobody is to be the only one. */
function totalBufferedBytes(
  { totalBuffered, maxBody }: SettingsValues['limits'],
  { isSound, refuse }: Assembly,
): number {
  const leastBytes = 4 * maxBody;
  if (totalBuffered === 'auto') {
    const memoryBytes = Math.min(totalmem(), process.constrainedMemory() || Infinity);
    return Math.max(leastBytes, Math.floor(memoryBytes / 8));
  }
  if (totalBuffered < leastBytes && isSound('limits.')) {
    const problem = 'It is less than four times maxBody.';
    refuse('limits.totalBuffered', problem, 'Raise it, lower maxBody, or leave it out.');
  }
  return totalBuffered;
}

function documentSettings(
  { documents: { embeddings }, models }: SettingsValues,
  { isSound, refuse }: Assembly,
): Settings['documents'] {
  if (embeddings === 'auto' || embeddings === 'off') return { embeddings };
  const isOffered = models.some(({ id }) => id === embeddings);
  if (!isOffered && isSound('models'))
    refuse(
      'documents.embeddings',
      `There is no model called "${embeddings}".`,
      'Write auto, off or the id of a model.',
    );
  return { embeddings };
}

function syslogServer(written: string | undefined, { refuse }: Assembly): Settings['audit']['syslog'] {
  if (written === undefined) return undefined;
  const url = URL.parse(`udp://${written}`);
  if (url === null || url.hostname === '' || url.port === '') {
    refuse('audit.syslog', `${written} is no address.`, 'Write a host and a port, such as `192.0.2.7:514`.');
    return undefined;
  }
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port) };
}

function mailSettings(
  { server, from, language }: SettingsValues['mail'],
  { isSound, refuse }: Assembly,
): Settings['mail'] {
  if (server !== undefined && from !== undefined) return { server, from, language };
  if ((server !== undefined || from !== undefined) && isSound('mail.')) {
    const given = server === undefined ? 'from' : 'server';
    refuse(`mail.${given}`, `Only ${given} is given.`, 'Give both server and from, or neither.');
  }
  return undefined;
}

function tlsSettings(written: SettingsValues['tls'], { isSound, refuse }: Assembly): TlsSettings | undefined {
  const { certificateFile, keyFile, http2 } = written;
  for (const [knob, file] of [
    ['tls.certificateFile', certificateFile],
    ['tls.keyFile', keyFile],
  ] as const) {
    if (file !== undefined && !isFile(file)) {
      refuse(knob, `There is no file ${file}.`, 'Name a file in PEM form.');
    }
  }
  if (certificateFile !== undefined && keyFile !== undefined) return { certificateFile, keyFile, http2 };
  if ((certificateFile !== undefined || keyFile !== undefined) && isSound('tls.')) {
    const given = certificateFile === undefined ? 'keyFile' : 'certificateFile';
    refuse(`tls.${given}`, `Only ${given} is given.`, 'Give both certificateFile and keyFile, or neither.');
  }
  return undefined;
}

function firstAdministrator(
  { adminEmail: email, adminPassword: password }: SettingsValues['signIn'],
  { isSound, refuse }: Assembly,
): SignInSettings['admin'] {
  if (email !== undefined && password !== undefined) return { email, password };
  if ((email !== undefined || password !== undefined) && isSound('signIn.admin')) {
    const given = email === undefined ? 'adminPassword' : 'adminEmail';
    refuse(
      `signIn.${given}`,
      `Only ${given} is given.`,
      'Give both adminEmail and adminPassword, or neither.',
    );
  }
  return undefined;
}

function signInProviders(
  written: SettingsValues['signIn']['providers'],
  { isSound, refuse }: Assembly,
): readonly ProviderSettings[] {
  const names = new Set<string>();
  return written.flatMap((provider, index) => {
    const knob = `signIn.providers[${index}]`;
    if (!isSound(knob)) return [];
    if (names.has(provider.name)) {
      const problem = `Another provider is already called "${provider.name}".`;
      refuse(`${knob}.name`, problem, 'Give each provider a name of its own.');
    }
    if (!provider.scopes.includes('openid')) {
      refuse(`${knob}.scopes`, 'The scope openid is missing.', 'Add it; without it there is no sign-in.');
    }
    names.add(provider.name);
    return [{ ...provider, label: provider.label ?? provider.name }];
  });
}
