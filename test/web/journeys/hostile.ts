import assert from 'node:assert/strict';
import type { House } from '../house.ts';

/** What a model, a file or a name could try. None of it may run, load or leave the page. */
const corpus = [
  '<script>window.pwned = 1</script>',
  '<img src=x onerror="window.pwned = 2">',
  '<svg onload="window.pwned = 3"></svg>',
  '<iframe srcdoc="<script>parent.pwned = 4</script>"></iframe>',
  '<style>* { display: none !important }</style>',
  '[click](javascript:window.pwned=5)',
  '[click](JaVaScRiPt:window.pwned=6)',
  '[click](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)',
  '![picture](https://tracker.example/pixel.png)',
  '![picture](x" onerror="window.pwned=7)',
  '<https://example.org/" onmouseover="window.pwned=8>',
  '<a href="javascript:window.pwned=9">raw</a>',
  '<base href="https://tracker.example/">',
  '<meta http-equiv="refresh" content="0;url=https://tracker.example/">',
  '<link rel="stylesheet" href="https://tracker.example/a.css">',
  '<form action="https://tracker.example/"><input name=x><button>go</button></form>',
  '```html\n</code></pre><script>window.pwned = 10</script>\n```',
  '```"><img src=x onerror=window.pwned=11>\ncode\n```',
  '$$\\href{javascript:window.pwned=12}{x}$$',
  '$\\htmlStyle{background:url(https://tracker.example/)}{x}$ and $\\includegraphics{https://tracker.example/a.png}$',
  '$\\htmlData{onload=window.pwned=13}{x}$ $\\unicode{x}$ $\\url{javascript:window.pwned=14}$',
  '| <img src=x onerror=window.pwned=15> |\n|---|\n| <script>window.pwned=16</script> |',
  '>'.repeat(5000),
  '- '.repeat(5000),
  '\\a'.repeat(20_000),
  `$${'\\a'.repeat(20_000)}$`,
  `$${'{'.repeat(3000)}x${'}'.repeat(3000)}$`,
  '$x$ '.repeat(3000),
  '['.repeat(20_000),
  '\u202egnp.exe <math><mtext><table><mglyph><style><img src=x onerror=window.pwned=17>',
];

export const hostileJourneys = {
  'nothing that a model, a title, a tool or a name says is run, loaded or followed': async (house: House) => {
    const context = await house.visitSignedIn();
    const page = await context.newPage();
    const foreign: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(house.gateway.url) && !request.url().startsWith('data:'))
        foreign.push(request.url());
    });
    await page.goto('/settings/data');
    await page.locator('input[type=file]').setInputFiles({
      name: 'hostile.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(hostileArchive())),
    });
    await page.getByText('One chat imported').waitFor();
    await page.getByRole('link', { name: /hostile title/ }).click();
    await page.getByText('The end of the corpus.').waitFor();
    for (const fold of await page.getByRole('button', { name: /^Though/ }).all()) await fold.click();
    await page.waitForTimeout(500);
    assert.equal(await page.evaluate(() => (globalThis as { pwned?: number }).pwned), undefined);
    assert.deepEqual(foreign, []);
    const messages = page.getByRole('list', { name: 'Messages' });
    assert.equal(
      await messages
        .locator('script, img, iframe, style, base, meta, link, form[action], object, embed')
        .count(),
      0,
    );
    const targets = await messages
      .locator('a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
    for (const target of targets) assert.match(target, /^(https?|mailto):/);

    await page.goto('/settings/account');
    await page.getByRole('textbox', { name: 'Name' }).fill('<img src=x onerror=window.pwned=20>');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved').waitFor();
    await page.goto('/administration/people');
    await page.getByText('<img src=x onerror=window.pwned=20>').first().waitFor();
    assert.equal(await page.evaluate(() => (globalThis as { pwned?: number }).pwned), undefined);
    assert.deepEqual(foreign, []);
    await context.close();
  },
};

function hostileArchive(): object {
  const now = Date.now();
  const messages = corpus.flatMap((text, index) => [
    {
      id: `q${index}`,
      parentId: index === 0 ? null : `a${index - 1}`,
      role: 'user',
      content: text,
      createdAt: now,
    },
    {
      id: `a${index}`,
      parentId: `q${index}`,
      role: 'assistant',
      content: index === corpus.length - 1 ? `${text}\n\nThe end of the corpus.` : text,
      reasoning: text,
      toolCalls: [{ id: `c${index}`, name: text, argumentsText: JSON.stringify({ [text]: text }) }],
      model: text.slice(0, 100),
      createdAt: now,
    },
  ]);
  const title = `hostile title <img src=x onerror=window.pwned=0>`;
  const leaf = `a${corpus.length - 1}`;
  const chat = { title, model: 'beta-4-scout', createdAt: now, updatedAt: now, activeLeafId: leaf, messages };
  return { format: 'gatehouse-chats', version: 1, exportedAt: now, chats: [chat] };
}
