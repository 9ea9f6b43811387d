import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Device } from '#contract/session';
import { failureSentence } from '../app/failure-sentence.ts';
import { useNotices } from '../app/notices.tsx';
import { useSignOut } from '../app/use-sign-out.ts';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { Button } from '../design/button.tsx';
import { Failure } from '../design/failure.tsx';
import { Section } from '../design/section.tsx';
import { Moment } from '../design/moment.tsx';
import { usePagesWords } from '../language/pages-words.ts';

export function DevicesSection() {
  const words = usePagesWords();
  const client = useClient();
  const queries = useQueryClient();
  const notices = useNotices();
  const signOut = useSignOut();
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.devices,
    queryFn: () => client.call('GET /console/sessions', {}),
  });
  const onSettled = () => queries.invalidateQueries({ queryKey: queryKeys.devices });
  const onError = (failure: unknown) => notices.complain(failureSentence(failure, words));
  const endOne = useMutation({
    mutationFn: (sessionId: string) => client.call('DELETE /console/sessions/:sessionId', { sessionId }),
    onSettled,
    onError,
  });
  const endOthers = useMutation({
    mutationFn: () => client.call('POST /console/sign-out', { body: { scope: 'elsewhere' } }),
    onSettled,
    onError,
  });
  const hasOthers = data !== undefined && data.sessions.length > 1;
  return (
    <Section
      title={words.settings.devices}
      lead={words.devices.lead}
      actions={
        <div className="flex flex-wrap gap-2">
          {hasOthers && <Button onClick={() => endOthers.mutate()}>{words.devices.signOutOthers}</Button>}
          <Button onClick={() => void signOut('everywhere')}>{words.devices.signOutEverywhere}</Button>
        </div>
      }
    >
      {error !== null && <Failure failure={error} retry={() => void refetch()} />}
      <ul>
        {data?.sessions.map((device) => (
          <DeviceRow key={device.id} device={device} end={() => endOne.mutate(device.id)} />
        ))}
      </ul>
    </Section>
  );
}

function DeviceRow({ device, end }: { readonly device: Device; readonly end: () => void }) {
  const words = usePagesWords();
  const { account, devices } = words;
  const ways = {
    link: account.linkWay,
    password: account.passwordWay,
    invitation: devices.invitationWay,
  } as Readonly<Record<string, string>>;
  return (
    <li className="flex items-start justify-between gap-4 border-t border-hairline py-3.5 first:border-0">
      <div className="min-w-0">
        <p className="font-[550]">
          {device.description}
          {device.isCurrent && (
            <span className="ms-2 rounded-full bg-accent-wash px-2 py-0.5 text-[0.8125rem] text-accent-strong">
              {words.devices.thisOne}
            </span>
          )}
        </p>
        <p className="text-[0.9375rem] text-ink-soft">
          {device.address} · {words.devices.method(ways[device.method] ?? device.method)} ·{' '}
          {words.devices.lastSeen} <Moment at={device.lastSeenAt} />
        </p>
      </div>
      {!device.isCurrent && (
        <Button size="small" onClick={end}>
          {words.devices.signOut}
        </Button>
      )}
    </li>
  );
}
