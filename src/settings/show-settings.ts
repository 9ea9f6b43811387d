import { Document, isCollection, isMap, isScalar } from 'yaml';
import { everyKnob } from './every-knob.ts';
import type { LoadedSettings } from './load-settings.ts';

/** The effective settings as a settings file, secrets masked, with the source of each behind it. */
export function showSettings({ shown, sources }: LoadedSettings): string {
  const document = new Document(shown, { aliasDuplicateObjects: false });
  const unset: string[] = [];
  for (const { name } of everyKnob()) {
    const path = name.split('.');
    if (document.hasIn(path)) addComment(document, path, ` ${sources.get(name) ?? 'default'}`);
    else unset.push(name);
  }
  for (const key of Object.keys(shown)) {
    const value = document.get(key);
    if (isMap(value) && value.items.length === 0) document.delete(key);
  }
  if (unset.length > 0) document.comment = ` Not set: ${unset.join(', ')}`;
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
}

function addComment(document: Document, path: readonly string[], comment: string): void {
  const value = document.getIn(path, true);
  if (isScalar(value)) value.comment = comment;
  else if (isCollection(value) && value.items.length > 0) value.commentBefore = comment;
  else if (isCollection(value)) {
    value.flow = true;
    value.comment = comment;
  }
}
