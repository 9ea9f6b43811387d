import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Client } from 'pg';
import { sharedPostgres } from '#harness/databases';
import { OperatorProblem } from '#vocabulary/operator-problem';
import { inspectPostgres, openDatabase, openStorage } from '../storage.ts';
import { silentLogger } from '#vocabulary/logger';

const scratch = mkdtempSync(join(tmpdir(), 'gatehouse-prepare-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

let directories = 0;
const freshDirectory = () => join(scratch, String((directories += 1)));
const open = (database: string, dataDir = freshDirectory(), service?: string) =>
  openDatabase({ dataDir, database, service, logger: silentLogger });
const joining = (database: string, service: string) => open(database, freshDirectory(), service);

async function execute(address: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: address });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

async function refused(opening: ReturnType<typeof open>, sentence: RegExp): Promise<void> {
  await assert.rejects(opening, (problem: unknown) => {
    assert.ok(problem instanceof OperatorProblem, String(problem));
    assert.match(problem.message, sentence);
    assert.doesNotMatch(problem.message, /a-secret-of-the-test/);
    return true;
  });
}

test('gateways that start together make one schema and find one service', async () => {
  const address = await (await sharedPostgres()).createDatabase();
  const storages = await Promise.all(Array.from({ length: 5 }, () => joining(address, 'campus')));
  assert.deepEqual(await Promise.all(storages.map(({ people }) => people.count())), [0, 0, 0, 0, 0]);
  await Promise.all(storages.map((storage) => storage.close()));
});

test('a database that cannot be used is explained in a sentence, without its password', async () => {
  const server = await sharedPostgres();
  const address = await server.createDatabase();
  await refused(open(address.replace(/[^/]*$/, 'missing')), /missing on 127.* There is no such database/);
  await refused(open(address.replace('a-secret-of-the-test', 'wrong')), /The password is wrong/);

  await execute(address, 'CREATE TABLE invoices (id int); CREATE TABLE orders (id int)');
  await refused(open(address), /holds something else \(invoices, orders\)/);

  const newer = await server.createDatabase();
  await (await open(newer)).close();
  await execute(newer, "INSERT INTO migrations VALUES (999, 'from the future', 0)");
  await refused(open(newer), /newer version of Gatehouse \(schema step 999\)/);
  assert.deepEqual((await inspectPostgres(newer)).unknown, [999]);
  await assert.rejects(inspectPostgres(address), /holds something else/);
  assert.equal((await inspectPostgres(await server.createDatabase())).newest, 0);

  const fixed = await server.createDatabase();
  await execute(fixed, `ALTER DATABASE ${fixed.split('/').at(-1)} SET default_transaction_read_only = on`);
  await refused(open(fixed), /is read-only, perhaps a standby/);

  // A server of these days says that it is one of former days.
  const old = await server.createDatabase();
  await execute(
    old,
    `CREATE FUNCTION public.current_setting(text) RETURNS text LANGUAGE sql AS
       $$ SELECT CASE WHEN $1 = 'server_version_num' THEN '140012' ELSE pg_catalog.current_setting($1) END $$;
     ALTER DATABASE ${old.split('/').at(-1)} SET search_path = public, pg_catalog`,
  );
  await refused(open(old), /served by PostgreSQL 14\. Gatehouse needs 15 or newer/);

  const latin = await server.createDatabase("ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");
  await refused(open(latin), /encoded as LATIN1/);
});

test('a data directory and the database of another service are not brought together', async () => {
  const server = await sharedPostgres();
  const [one, other] = [await server.createDatabase(), await server.createDatabase()];
  const dataDir = freshDirectory();
  await (await open(one, dataDir)).close();
  await (await open(one, dataDir)).close();
  await (await open(other)).close();
  await refused(open(other, dataDir), /belongs to another service than the database/);

  const own = freshDirectory();
  await openStorage({ dataDir: own, logger: silentLogger }).close();
  await refused(open(await server.createDatabase(), own), /holds a database of its own/);
  await refused(open(one, own), /belongs to another service/);
});

test('two services on one database by mistake: the second is refused, also when both start at once', async () => {
  const server = await sharedPostgres();
  const unnamed = await server.createDatabase();
  const starts = await Promise.allSettled([open(unnamed), open(unnamed)]);
  const [first, ...more] = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
  assert.deepEqual(more, []);
  await first?.close();
  const refusal = await open(unnamed).then(
    () => '',
    (problem: unknown) => String(problem),
  );
  const id =
    /belongs to another service, and .* is new, .*, set "service: ([-\w]+)"/.exec(refusal)?.[1] ?? '';
  await (await joining(unnamed, id)).close();
  await refused(joining(unnamed, 'campus'), /belongs to another service, .* is of "campus"/);

  const named = await server.createDatabase();
  const home = freshDirectory();
  await (await open(named, home, 'campus')).close();
  await refused(open(named), /belongs to the service "campus", .* does not say that it belongs there/);
  await refused(joining(named, 'library'), /"campus", .* is of "library"\. .* set "service: campus"/);
  await (await joining(named, 'campus')).close();
  // Whoever belongs there may lose the name, or give it another one.
  await (await open(named, home)).close();
  await (await open(named, home, 'university')).close();
  await refused(joining(named, 'campus'), /the service "university"/);
  await (await joining(named, 'university')).close();
});

test('a duty is done by one gateway at a time, and by the next when it is done or its gateway is gone', async () => {
  const address = await (await sharedPostgres()).createDatabase();
  const [one, other] = [await joining(address, 'campus'), await joining(address, 'campus')];
  const done: string[] = [];
  await one.once('sweep', async () => {
    done.push('one');
    await other.once('sweep', async () => void done.push('other, too early'));
    await other.once('another duty', async () => void done.push('other, something else'));
  });
  await other.once('sweep', async () => void done.push('other'));
  await assert.rejects(
    one.once('sweep', () => Promise.reject(new Error('half way'))),
    /half way/,
  );
  await other.once('sweep', async () => void done.push('other again'));
  assert.deepEqual(done, ['one', 'other, something else', 'other', 'other again']);
  await Promise.all([one.close(), other.close()]);
});

test('a connection that is lost between two statements is a refusal and no end of the process', async () => {
  const address = await (await sharedPostgres()).createDatabase();
  const storage = await open(address);
  const lost = storage.once('sweep', async () => {
    await execute(
      address,
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND query LIKE '%pg_try_advisory_lock%'",
    );
    // Whatever comes over the connection is read before this goes on.
    await execute(address, 'SELECT pg_sleep(0.2)');
  });
  await assert.rejects(lost, /database/);
  await storage.once('sweep', async () => {});
  await storage.close();
});
