import { Unzip, UnzipInflate } from 'fflate';
import { DocumentProblem } from '../document-problem.ts';
import type { ReadDocument } from './read-document.ts';
import { paginate } from './read-text.ts';

/** A text of this size is a library; a small file that becomes one is a trap. */
const maxXmlBytes = 64 * 1024 * 1024;
const pageCharacters = 4000;

/** The text of the main part: paragraphs as lines, tables row by row. */
export function readWord(bytes: Uint8Array): ReadDocument {
  const xml = new TextDecoder().decode(unpack(bytes, 'word/document.xml'));
  return { kind: 'word', ...paginate(textOf(xml).split('\n'), pageCharacters), emptyPages: 0 };
}

/** Unpacks one file of an archive and counts as it comes, whatever the archive says about sizes. */
function unpack(bytes: Uint8Array, wanted: string): Uint8Array {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let isFound = false;
  const unzip = new Unzip((file) => {
    if (file.name !== wanted || isFound) return;
    isFound = true;
    file.ondata = (error, chunk) => {
      if (error !== null) throw new DocumentProblem('unreadable', error);
      size += chunk.length;
      if (size > maxXmlBytes) throw new DocumentProblem('tooLong');
      chunks.push(chunk);
    };
    file.start();
  });
  unzip.register(UnzipInflate);
  // Piece by piece, so that a trap is noticed before it has unfolded.
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    unzip.push(bytes.subarray(start, start + pieceBytes), start + pieceBytes >= bytes.length);
  }
  if (!isFound) throw new DocumentProblem(isEncrypted(bytes) ? 'password' : 'unreadable');
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

const pieceBytes = 16 * 1024;

/** A protected document is no archive but an old kind of container. */
function isEncrypted(bytes: Uint8Array): boolean {
  return bytes[0] === 0xd0 && bytes[1] === 0xcf;
}

/** What WordprocessingML means for the text; everything else in it is about looks. */
function textOf(xml: string): string {
  let text = '';
  for (const [, tag = '', content = ''] of xml.matchAll(/<(\/?[\w:]+)[^>]*>([^<]*)/g)) {
    switch (tag) {
      case 'w:t':
        text += decodeEntities(content);
        break;
      case 'w:tab':
        text += '\t';
        break;
      case 'w:br':
      case 'w:cr':
        text += '\n';
        break;
      case '/w:p':
        text += '\n';
        break;
      case '/w:tc':
        text = `${text.trimEnd()} | `;
        break;
      case '/w:tr':
        text = `${text.replace(/[ |]+$/, '')}\n`;
        break;
      default:
    }
  }
  return text.replaceAll(/\n{3,}/g, '\n\n').trim();
}

function decodeEntities(text: string): string {
  return text.replaceAll(/&(amp|lt|gt|quot|apos|#x?[0-9a-fA-F]{1,6});/g, (_, name: string) => {
    const named = entities[name];
    if (named !== undefined) return named;
    const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : '';
  });
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
