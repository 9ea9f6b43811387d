import { useState } from 'react';
import type { ConnectFacts } from '#contract/connect';
import { TextField } from '../design/field.tsx';
import { Section } from '../design/section.tsx';
import { usePagesWords } from '../language/pages-words.ts';
import { SnippetPlate } from './snippet-plate.tsx';
import { forwardTunnel, sshuttleTunnel } from './tunnels.ts';

/** For people outside the networks who have an instance inside. What is typed here stays here. */
export function TunnelSection({ facts, path }: { readonly facts: ConnectFacts; readonly path: string }) {
  const words = usePagesWords();
  const [login, setLogin] = useState('');
  const [instance, setInstance] = useState('');
  const [localPort, setLocalPort] = useState('8443');
  const tunnel = {
    ...facts,
    path,
    login: login.trim(),
    instance: instance.trim(),
    localPort: localPort.trim(),
  };
  const forward = forwardTunnel(tunnel);
  return (
    <Section title={words.tunnels.title} lead={words.tunnels.lead}>
      <div className="mb-6 grid gap-4 sm:grid-cols-3">
        <TextField
          label={words.tunnels.login}
          placeholder="LOGIN"
          value={login}
          onChange={(event) => setLogin(event.target.value)}
        />
        <TextField
          label={words.tunnels.instance}
          placeholder="203.0.113.7"
          value={instance}
          onChange={(event) => setInstance(event.target.value)}
        />
        <TextField
          label={words.tunnels.localPort}
          inputMode="numeric"
          value={localPort}
          onChange={(event) => setLocalPort(event.target.value)}
        />
      </div>
      <h3 className="font-[600]">{words.tunnels.sshuttle}</h3>
      <p className="mt-1 mb-2.5 text-[0.9375rem] text-ink-soft">{words.tunnels.sshuttleExplained}</p>
      <SnippetPlate snippet={{ language: 'bash', text: sshuttleTunnel(tunnel) }} />
      <h3 className="mt-7 font-[600]">{words.tunnels.forward}</h3>
      <p className="mt-1 mb-2.5 text-[0.9375rem] text-ink-soft">{words.tunnels.forwardExplained}</p>
      <ol className="flex list-decimal flex-col gap-3 ps-5 text-[0.9375rem]">
        {forward.hostsLine !== null && (
          <li>
            <p className="mb-1.5">{words.tunnels.hostsLine}</p>
            <SnippetPlate snippet={{ language: '', text: forward.hostsLine }} />
          </li>
        )}
        <li>
          <p className="mb-1.5">{words.tunnels.openTunnel}</p>
          <SnippetPlate snippet={{ language: 'bash', text: forward.command }} />
        </li>
        <li>
          <p className="mb-1.5">{words.tunnels.thenUse}</p>
          <SnippetPlate snippet={{ language: '', text: `${forward.directBase}\n` }} />
        </li>
      </ol>
    </Section>
  );
}
