import assert from 'node:assert/strict';
import { test } from 'node:test';
import { letterLanguages } from '#vocabulary/mail';
import { letterWords } from './letters.ts';

test('letters say in every language who invites where, with the link and until when it works', () => {
  const letter = {
    to: 'ada@example.org',
    url: 'https://llm.example.org/invitation#token=abc',
    invitedBy: 'Grace Hopper',
    expiresAt: Date.UTC(2027, 2, 4, 16, 30),
  };
  const said = new Set<string>();
  for (const language of letterLanguages) {
    const { invitation, signInLink } = letterWords[language];
    for (const { subject, text } of [invitation('Campus', letter), signInLink('Campus', letter)]) {
      assert.match(subject, /Campus/, language);
      assert.match(text, /Campus/, language);
      assert.ok(text.includes(`\n\n${letter.url}\n\n`), language);
      assert.match(text, /(2027|٢٠٢٧).*UTC/, language);
      said.add(text);
    }
    assert.match(invitation('Campus', letter).text, /Grace Hopper/, language);
    assert.doesNotMatch(invitation('Campus', { ...letter, invitedBy: '' }).text, /Grace|undefined/, language);
  }
  assert.equal(said.size, letterLanguages.length * 2);
});
