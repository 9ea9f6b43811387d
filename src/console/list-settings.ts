import type { SettingInEffect } from '#contract/administration';

/** Every knob on a line of its own, under its whole name. */
export function listSettings({
  shown,
  sources,
}: {
  readonly shown: Readonly<Record<string, unknown>>;
  readonly sources: ReadonlyMap<string, string>;
}): SettingInEffect[] {
  const lines: SettingInEffect[] = [];
  walk(shown, '');
  return lines;

  function walk(value: unknown, name: string): void {
    if (Array.isArray(value) && value.some((item) => typeof item === 'object')) {
      for (const [index, item] of value.entries()) walk(item, `${name}[${index}]`);
    } else if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      for (const [key, inner] of Object.entries(value)) walk(inner, name === '' ? key : `${name}.${key}`);
    } else {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      lines.push({ name, value: text ?? '', source: sourceOf(name) });
    }
  }

  /** A value inside something larger was said where the larger thing was said. */
  function sourceOf(name: string): string {
    for (let part = name; part !== ''; part = part.replace(/(?:\.|\[)[^.[]*$|^[^.[]*$/, '')) {
      const source = sources.get(part);
      if (source !== undefined) return source;
    }
    return 'default';
  }
}
