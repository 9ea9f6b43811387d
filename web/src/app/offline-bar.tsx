import { Icon } from '../design/icon.tsx';
import { useWords } from '../language/language.tsx';
import { useOnline } from './use-online.ts';

export function OfflineBar() {
  const words = useWords();
  const isOnline = useOnline();
  if (isOnline) return null;
  return (
    <div
      role="status"
      className="flex items-center justify-center gap-2 bg-wait-wash px-4 py-1.5 text-[0.9375rem] text-wait"
    >
      <Icon name="wifiOff" size={16} />
      {words.general.offline}
    </div>
  );
}
