import type { HLJSApi, LanguageFn } from 'highlight.js';
import highlighter from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import fortran from 'highlight.js/lib/languages/fortran';
import go from 'highlight.js/lib/languages/go';
import haskell from 'highlight.js/lib/languages/haskell';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import julia from 'highlight.js/lib/languages/julia';
import kotlin from 'highlight.js/lib/languages/kotlin';
import latex from 'highlight.js/lib/languages/latex';
import lua from 'highlight.js/lib/languages/lua';
import makefile from 'highlight.js/lib/languages/makefile';
import markdown from 'highlight.js/lib/languages/markdown';
import matlab from 'highlight.js/lib/languages/matlab';
import perl from 'highlight.js/lib/languages/perl';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import r from 'highlight.js/lib/languages/r';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import scala from 'highlight.js/lib/languages/scala';
import sql from 'highlight.js/lib/languages/sql';
import swift from 'highlight.js/lib/languages/swift';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';

/** Fetched with the first piece of code. Gives a tree of class names and text; React writes the elements. */
export function highlight(code: string, language: string): readonly HighlightNode[] | undefined {
  if (highlighter.getLanguage(language) === undefined) return undefined;
  const { _emitter } = highlighter.highlight(code, { language, ignoreIllegals: true });
  return (_emitter as unknown as { rootNode: EmitterNode }).rootNode.children.map(toHighlightNode);
}

export type HighlightNode =
  | string
  | { readonly className: string; readonly children: readonly HighlightNode[] };

/** The tree highlight.js builds before it would print it as HTML. */
interface EmitterNode {
  readonly scope?: string;
  readonly children: readonly (string | EmitterNode)[];
}

function toHighlightNode(node: string | EmitterNode): HighlightNode {
  if (typeof node === 'string') return node;
  const [scope = '', ...further] = (node.scope ?? '').split('.');
  const className = [`hljs-${scope}`, ...further.map((part) => `${part}_`)].join(' ');
  return { className, children: node.children.map(toHighlightNode) };
}

const languages: Record<string, LanguageFn> = {
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  dockerfile,
  fortran,
  go,
  haskell,
  ini,
  java,
  javascript,
  json,
  julia,
  kotlin,
  latex,
  lua,
  makefile,
  markdown,
  matlab,
  perl,
  php,
  python,
  r,
  ruby,
  rust,
  scala,
  sql,
  swift,
  typescript,
  xml,
  yaml,
};

register(highlighter);

function register(api: HLJSApi): void {
  for (const [name, definition] of Object.entries(languages)) api.registerLanguage(name, definition);
}
