/**
 * Shades of one colour that can be read in both themes: of the same hue, as dark or as light as the papers behind them
 * need. Whatever somebody chooses, text keeps a contrast of 4.5 to 1 (WCAG 2.2, 1.4.3).
 */
export interface AccentShades {
  readonly accent: string;
  readonly strong: string;
  readonly wash: string;
  readonly onAccent: string;
}

export interface Papers {
  readonly paper: string;
  /** Everything that the accent is written on. */
  readonly all: readonly string[];
}

const leastContrast = 4.5;

export function shadesOf(colour: string, { paper, all }: Papers): AccentShades {
  const isDark = luminance(paper) < 0.2;
  const end = isDark ? '#ffffff' : '#000000';
  for (let part = 0; part <= 1; part += 0.02) {
    const accent = mix(colour, end, part);
    const wash = mix(paper, accent, isDark ? 0.16 : 0.1);
    const onAccent = isDark ? mix(accent, '#000000', 0.85) : '#fdfcf8';
    const strong = mix(accent, end, 0.2);
    const isReadable =
      [...all, wash].every((behind) => contrast(accent, behind) >= leastContrast) &&
      contrast(onAccent, accent) >= leastContrast &&
      contrast(onAccent, strong) >= leastContrast;
    if (isReadable) return { accent, strong, wash, onAccent };
  }
  const ink = isDark ? '#e8e5dd' : '#211f1b';
  return { accent: ink, strong: ink, wash: mix(paper, ink, 0.1), onAccent: paper };
}

export function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = partsOf(colour).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function mix(from: string, to: string, part: number): string {
  const ends = partsOf(to);
  const mixed = partsOf(from).map((value, index) => Math.round(value + ((ends[index] ?? 0) - value) * part));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

function partsOf(colour: string): readonly number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}
