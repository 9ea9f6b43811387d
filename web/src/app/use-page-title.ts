import { useEffect } from 'react';
import { useService } from './session.tsx';

export function usePageTitle(title: string): void {
  const name = useService()?.name;
  useEffect(() => {
    document.title = name === undefined || name === title ? title : `${title} · ${name}`;
  }, [title, name]);
}
