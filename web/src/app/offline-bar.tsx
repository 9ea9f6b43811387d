import { Icon } from '../design/icon.tsx';
import { useWords } from '../language/language.tsx';
import { useOnline } from './use-online.ts';

/** Why nothing can be sent now: this browser has no network, or the service is not there. */
export function OfflineBar({ isReachable }: { readonly isReachable: boolean }) {
  const words = useWords();
  const isOnline = useOnline();
  if (isOnline && isReachable) return null;
  return (
    <div
      role="status"
      className="flex items-center justify-center gap-2 bg-wait-wash px-4 py-1.5 text-[0.9375rem] text-wait"
    >
      <Icon name="wifiOff" size={16} />
      {isOnline ? words.general.unreachable : words.general.offline}
    </div>
  );
}
