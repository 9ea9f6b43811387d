import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

export async function openBrowser(): Promise<Browser> {
  const executablePath = await findBrowser();
  if (executablePath === undefined)
    throw new Error('No Chromium found. Install one, or name it in GATEHOUSE_CHROMIUM.');
  return await chromium.launch({ executablePath, args: plainArguments });
}

/** A real Chromium: the one named by GATEHOUSE_CHROMIUM, one of this machine, or the packaged one where it can run. */
export async function findBrowser(): Promise<string | undefined> {
  const installed = process.env['GATEHOUSE_CHROMIUM'] ?? usualPlaces.find((path) => existsSync(path));
  if (installed !== undefined || process.platform !== 'linux' || process.arch !== 'x64') return installed;
  const { default: packaged } = await import('@sparticuz/chromium');
  return await packaged.executablePath();
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
