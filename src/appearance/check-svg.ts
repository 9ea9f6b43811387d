/**
 * Shapes, gradients and their groups: what a drawn logo needs. Everything else is refused rather than taken out, so that
 * what is stored is what was given. It is also served so that nothing in it could run.
 */
const elements = new Set(
  'svg g path rect circle ellipse line polyline polygon defs linearGradient radialGradient stop clipPath mask title desc'.split(
    ' ',
  ),
);

const attributes = new Set(
  (
    'xmlns version viewBox width height x y x1 y1 x2 y2 cx cy r rx ry fx fy d points id class role transform ' +
    'fill fill-rule fill-opacity stroke stroke-width stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity ' +
    'stroke-dasharray stroke-dashoffset opacity clip-path clip-rule clipPathUnits mask maskUnits maskContentUnits ' +
    'offset stop-color stop-opacity gradientUnits gradientTransform spreadMethod preserveAspectRatio color ' +
    'aria-label aria-hidden xml:space shape-rendering'
  ).split(' '),
);

const maxParts = 8000;
const comments = /<!--(?:(?!--)[\s\S])*-->/g;
const svgName = 'http://www.w3.org/2000/svg';
const opening = /^<([a-zA-Z]+)((?:\s+[\w:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/;
const attribute = /([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** What is wrong with this picture; undefined when it can be shown. */
export function checkSvg(bytes: Buffer): string | undefined {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).trim();
  } catch {
    return 'It is not text in UTF-8.';
  }
  let rest = text.replace(/^<\?xml\s[^?<>]*\?>\s*/, '');
  const open: string[] = [];
  let hasRoot = false;
  for (let count = 0; rest !== '' && !(hasRoot && open.length === 0); count++) {
    if (count > maxParts) return 'It is drawn of too many parts.';
    const part = nextPart(rest, open);
    if (typeof part === 'string') return part;
    hasRoot ||= part.isElement;
    rest = rest.slice(part.length);
  }
  if (!hasRoot) return 'It does not begin with <svg>.';
  if (open.length > 0) return `The element <${open.at(-1)}> does not end.`;
  return rest.replaceAll(comments, '').trim() === '' ? undefined : 'Something follows behind the picture.';
}

interface Part {
  readonly length: number;
  readonly isElement: boolean;
}

/** Reads one comment, text, or tag from the front and keeps account of what is open; a sentence when it may not be. */
function nextPart(rest: string, open: string[]): Part | string {
  const comment = /^<!--(?:(?!--)[\s\S])*-->\s*/.exec(rest);
  if (comment !== null) return { length: comment[0].length, isElement: false };
  const text = /^[^<]+/.exec(rest);
  if (text !== null) {
    if (open.length === 0) return 'It does not begin with <svg>.';
    return badReference(text[0]) ?? { length: text[0].length, isElement: false };
  }
  const closing = /^<\/([a-zA-Z]+)\s*>/.exec(rest);
  if (closing !== null) {
    if (open.pop() !== closing[1]) return `The element </${closing[1]}> ends what did not begin.`;
    return { length: closing[0].length, isElement: true };
  }
  const tag = opening.exec(rest);
  if (tag === null) return `It holds something other than shapes: ${rest.slice(0, 30)}`;
  const [whole, name = '', given = '', slash] = tag;
  if (!elements.has(name)) return `The element <${name}> may not be in a logo; shapes and gradients may.`;
  if (open.length === 0 && name !== 'svg') return 'It does not begin with <svg>.';
  const flaw = badAttribute(given);
  if (flaw !== undefined) return flaw;
  if (open.length === 0 && !given.includes(`"${svgName}"`) && !given.includes(`'${svgName}'`))
    return `It does not say xmlns="${svgName}", so browsers would not draw it.`;
  if (slash === '') open.push(name);
  return { length: whole.length, isElement: true };
}

function badAttribute(given: string): string | undefined {
  for (const [, name = '', double, single] of given.matchAll(attribute)) {
    const value = double ?? single ?? '';
    if (!attributes.has(name)) return `The attribute ${name} may not be in a logo.`;
    if (name === 'xmlns' && value !== svgName) return 'It is not a drawing in SVG.';
    // Only to a part of the drawing itself.
    const elsewhere = value.replaceAll(/url\(#[\w.-]+\)/g, '');
    if (/url\s*\(|:\s*\/\/|javascript|data:|@import/i.test(name === 'xmlns' ? '' : elsewhere))
      return `The attribute ${name} leads out of the picture.`;
    const flaw = badReference(value);
    if (flaw !== undefined) return flaw;
  }
  return undefined;
}

function badReference(text: string): string | undefined {
  return /&(?!(?:amp|lt|gt|quot|apos);)/.test(text)
    ? 'It uses entities; write the letters themselves.'
    : undefined;
}
