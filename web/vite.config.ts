import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { en } from './src/language/en/first.ts';
import { directionOf, type LanguageTag, wordFiles } from './src/language/languages.ts';

// `npm run dev -w web` serves the app with hot reload and hands everything else to a running server.
const serverAddress = process.env['GATEHOUSE_URL'] ?? 'http://127.0.0.1:8080';

/** What draws previews: whole files, because they run in a frame that reads them as text and can import nothing. */
const require = createRequire(import.meta.url);
const libraryFiles = {
  mermaid: { beside: require.resolve('@mermaid-js/tiny'), file: 'mermaid.tiny.js' },
  vega: { beside: require.resolve('vega'), file: 'vega.min.js' },
  'vega-lite': { beside: require.resolve('vega-lite'), file: 'vega-lite.min.js' },
};

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    woff2Only(),
    react(),
    tailwindcss(),
    characterMaps(),
    previewLibraries(),
    serviceWorker(),
    compressedCopies(),
  ],
  // The shelf that server and page share; `tsconfig.json` says the same to the compiler.
  resolve: {
    alias: [{ find: /^#contract\/(.+)$/, replacement: join(import.meta.dirname, '../src/contract/$1.ts') }],
  },
  build: {
    target: 'es2023',
    outDir: 'dist',
    emptyOutDir: true,
    // The content security policy allows no data: scripts or styles; small assets stay files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: { proxy: { '/console': { target: serverAddress, changeOrigin: false } } },
});

/** KaTeX names every font in three formats; each browser that can run this app reads the first. */
function woff2Only(): Plugin {
  return {
    name: 'woff2-only',
    enforce: 'pre',
    transform: (code, id) =>
      id.endsWith('katex.min.css')
        ? code.replaceAll(/,url\([^)]*\) format\("(?:woff|truetype)"\)/g, '')
        : undefined,
  };
}

/** Without them pdf.js cannot read many a document in Chinese, Japanese or Korean. Fetched when one needs them. */
function characterMaps(): Plugin {
  return {
    name: 'character-maps',
    apply: 'build',
    closeBundle() {
      const from = dirname(require.resolve('pdfjs-dist/package.json'));
      cpSync(join(from, 'cmaps'), join(import.meta.dirname, 'dist/assets/cmaps'), { recursive: true });
    },
  };
}

function previewLibraries(): Plugin {
  const files = Object.entries(libraryFiles).map(([name, { beside, file }]) => {
    const folder = dirname(beside);
    const about = JSON.parse(readFileSync(join(folder, '../package.json'), 'utf8')) as { version: string };
    return { name, from: join(folder, file), address: `/assets/previews/${name}-${about.version}.js` };
  });
  const addresses = Object.fromEntries(files.map(({ name, address }) => [name, address]));
  return {
    name: 'preview-libraries',
    config: () => ({ define: { previewLibraries: JSON.stringify(addresses) } }),
    closeBundle() {
      mkdirSync(join(import.meta.dirname, 'dist/assets/previews'), { recursive: true });
      for (const { from, address } of files) copyFileSync(from, join(import.meta.dirname, 'dist', address));
    },
  };
}

/** The one file at an address that stays: it holds its sentence in every language, and is asked for anew each time. */
function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    async closeBundle() {
      const sentences: Record<string, { dir: string; text: string }> = {
        en: { dir: directionOf('en'), text: en.general.unreachable },
      };
      for (const [tag, files] of Object.entries(wordFiles)) {
        const words = await files.first();
        sentences[tag] = { dir: directionOf(tag as LanguageTag), text: words.general.unreachable };
      }
      const file = join(import.meta.dirname, 'src/offline/service-worker.js');
      const script = readFileSync(file, 'utf8').replace(
        /const sentences = .*;/,
        () => `const sentences = ${JSON.stringify(sentences)};`,
      );
      writeFileSync(join(import.meta.dirname, 'dist/service-worker.js'), script);
    },
  };
}

/** Made once here, so that the service need not make them each time it starts. */
function compressedCopies(): Plugin {
  return {
    name: 'compressed-copies',
    apply: 'build',
    closeBundle() {
      const folder = join(import.meta.dirname, 'dist');
      for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
        if (!/\.(html|js|css|svg|json|txt|webmanifest)$/.test(name)) continue;
        const file = join(folder, name);
        const plain = readFileSync(file);
        const params = { [constants.BROTLI_PARAM_QUALITY]: 10 };
        writeFileSync(`${file}.br`, brotliCompressSync(plain, { params }));
        writeFileSync(`${file}.gz`, gzipSync(plain, { level: 9 }));
      }
    },
  };
}
