import { useSyncExternalStore } from 'react';

/** Whether an answer that is done is told of, and whether by the name of its chat. Kept in this browser. */
export type NotificationWish = 'off' | 'plain' | 'named';

const memory = 'gatehouse.notifications';
const changed = 'gatehouse:notifications';

export const canNotify = 'Notification' in globalThis;

/** Kept only once the browser has allowed it. */
export function notificationWish(): NotificationWish {
  if (!canNotify) return 'off';
  const wish = localStorage.getItem(memory);
  return wish === 'plain' || wish === 'named' ? wish : 'off';
}

export function useNotificationWish(): NotificationWish {
  return useSyncExternalStore(subscribe, notificationWish);
}

/** Called from a click: the browser asks the person where it has not yet. False where it does not allow it. */
export async function wishNotifications(wish: NotificationWish): Promise<boolean> {
  const isAllowed = wish === 'off' || (await Notification.requestPermission()) === 'granted';
  if (isAllowed) localStorage.setItem(memory, wish);
  dispatchEvent(new Event(changed));
  return isAllowed;
}

/** The browser does not allow it any more. */
export function forgetNotifications(): void {
  localStorage.removeItem(memory);
  dispatchEvent(new Event(changed));
}

function subscribe(listen: () => void): () => void {
  addEventListener(changed, listen);
  return () => removeEventListener(changed, listen);
}
