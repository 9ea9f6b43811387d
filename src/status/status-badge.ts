import type { ServiceState } from '#contract/status';

const words: Readonly<Record<ServiceState, string>> = {
  operational: 'operational',
  degraded: 'degraded',
  outage: 'outage',
  unknown: 'unknown',
};

/** White on these is easily read. */
const colours: Readonly<Record<ServiceState, string>> = {
  operational: '#27695d',
  degraded: '#825400',
  outage: '#9c3526',
  unknown: '#565147',
};

const letterWidth = 6.6;
const padding = 10;

/** A small picture for other people's pages: a name and how it is doing. No script, no address, nothing to load. */
export function drawBadge(name: string, state: ServiceState): string {
  const shown = escapeXml(name.length > 60 ? `${name.slice(0, 59)}…` : name);
  const left = Math.round(Math.min(name.length, 60) * letterWidth) + padding;
  const right = Math.round(words[state].length * letterWidth) + padding;
  const title = `${shown}: ${words[state]}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${title}"><title>${title}</title><clipPath id="r"><rect width="${left + right}" height="20" rx="4"/></clipPath><g clip-path="url(#r)"><rect width="${left}" height="20" fill="#3a3732"/><rect x="${left}" width="${right}" height="20" fill="${colours[state]}"/></g><g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11"><text x="${left / 2}" y="14" textLength="${left - padding}">${shown}</text><text x="${left + right / 2}" y="14" textLength="${right - padding}">${words[state]}</text></g></svg>`;
}

function escapeXml(text: string): string {
  // What XML does not allow at all would make the whole picture unreadable.
  const allowed = text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '');
  return allowed.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
