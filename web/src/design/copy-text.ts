/** False when the browser would not. Pages on plain http have no clipboard interface; an old way still works there. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const place = document.createElement('textarea');
  place.value = text;
  place.readOnly = true;
  place.className = 'fixed top-0 opacity-0';
  // Inside an open dialog, so that its focus trap does not take the selection away.
  const parent = document.activeElement?.closest('[role="dialog"]') ?? document.body;
  parent.append(place);
  place.select();
  const isCopied = document.execCommand('copy');
  place.remove();
  return isCopied;
}
