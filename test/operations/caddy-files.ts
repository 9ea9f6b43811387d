import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runProgram } from '#harness/system-programs';

const deploy = fileURLToPath(new URL('../../deploy/', import.meta.url));

export function proveCaddyFiles(): void {
  for (const file of ['caddy/Caddyfile', 'compose/Caddyfile']) {
    test(`Caddy takes ${file}, streams at once and limits uploads`, (context) => {
      const home = mkdtempSync(join(tmpdir(), 'gatehouse-caddy-'));
      context.after(() => rmSync(home, { recursive: true, force: true }));
      const env = {
        HOME: home,
        GATEHOUSE_HOST: 'llm.example.org',
        LOGIN_HOST: 'login.example.org',
      };
      const words = ['--config', join(deploy, file), '--adapter', 'caddyfile'];
      const validated = runProgram('caddy', ['validate', ...words], { env });
      assert.equal(validated.status, 0, validated.output);
      const { output: adapted } = runProgram('caddy', ['adapt', ...words], { env });
      assert.match(adapted, /"flush_interval":-1/);
      assert.match(adapted, /"max_size":33554432/, 'as limits.maxBody');
      assert.match(adapted, /"dial":"[\w.]+:8080"/);
    });
  }
}
