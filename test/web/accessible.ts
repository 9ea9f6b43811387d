import assert from 'node:assert/strict';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Everything in the light, and what darkness can change: the colours. */
export async function assertAccessible(page: Page, place: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  await assertNoViolations(new AxeBuilder({ page }).withTags(rules), `${place} in the light`);
  await page.emulateMedia({ colorScheme: 'dark' });
  await assertNoViolations(new AxeBuilder({ page }).withRules('color-contrast'), `${place} in the dark`);
}

async function assertNoViolations(axe: AxeBuilder, place: string): Promise<void> {
  // Everything is in one frame: the quicker way of asking does.
  const { violations } = await axe.setLegacyMode().analyze();
  const told = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
  );
  assert.deepEqual(told, [], place);
}
