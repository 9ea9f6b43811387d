import assert from 'node:assert/strict';
import { AxeBuilder } from '@axe-core/playwright';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Everything in the light, and what darkness can change: the colours. */
export async function assertAccessible(page: Page, place: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await assertNoViolations(new AxeBuilder({ page }).withTags(rules), `${place} in the light`);
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await assertNoViolations(new AxeBuilder({ page }).withRules('color-contrast'), `${place} in the dark`);
}

async function assertNoViolations(axe: AxeBuilder, place: string): Promise<void> {
  let told = await violationsOf(axe);
  // What is still being drawn or is changing its colours is looked at again; what is wrong stays wrong.
  for (let look = 1; told.length > 0 && look < 5; look += 1) {
    await delay(look * 500);
    told = await violationsOf(axe);
  }
  assert.deepEqual(told, [], place);
}

async function violationsOf(axe: AxeBuilder): Promise<readonly string[]> {
  // Everything is in one frame: the quicker way of asking does.
  const { violations } = await axe.setLegacyMode().analyze();
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
  );
}
