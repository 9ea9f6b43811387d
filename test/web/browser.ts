import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/** A real Chromium: the one named by GATEHOUSE_CHROMIUM, one of this machine, or the packaged one. */
export async function openBrowser(): Promise<Browser> {
  const installed = process.env['GATEHOUSE_CHROMIUM'] ?? usualPlaces.find((path) => existsSync(path));
  if (installed !== undefined)
    return await chromium.launch({ executablePath: installed, args: plainArguments });
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('No Chromium found. Install one, or name it in GATEHOUSE_CHROMIUM.');
  }
  const { default: packaged } = await import('@sparticuz/chromium');
  return await chromium.launch({ executablePath: await packaged.executablePath(), args: plainArguments });
}

const usualPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const plainArguments = [
  '--no-sandbox',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--font-render-hinting=none',
];
