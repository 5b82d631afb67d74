// Keys of several levels, keys that were added later, and what a container says about conflicts.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fails, unique } from '../lib/check.mjs';
import { connect, THROUGHPUT } from '../lib/client.mjs';
import { Server } from '../lib/server.mjs';

let server;
let client;
let database;

before(async () => {
  server = await Server.start();
  client = connect(server);
  ({ database } = await client.databases.create({ id: 'db' }));
});
after(async () => {
  client?.dispose();
  await server?.close();
});

const PATHS = ['tenant', 'user', 'session'];

/** Every combination of a text, null and nothing on so many levels. */
const combinations = (levels) =>
  levels === 0 ? [[]] : combinations(levels - 1).flatMap((key) => [`v${levels}`, null, undefined].map((value) => [...key, value]));

const name = (key) => key.map((value) => String(value)).join(' ');

function item(key) {
  const body = { id: 'x', of: name(key) };
  key.forEach((value, i) => {
    if (value !== undefined) {
      body[PATHS[i]] = value;
    }
  });
  return body;
}

const ids = async (container, partitionKey) =>
  (await container.items.query('SELECT VALUE c.of FROM c', partitionKey === undefined ? {} : { partitionKey }).fetchAll()).resources.sort();

for (const [partitions, throughput] of Object.entries(THROUGHPUT)) {
  describe(`keys on ${partitions} physical partitions`, () => {
    const create = async (partitionKey, more = {}) =>
      (await database.containers.create({ id: unique('c'), partitionKey, throughput, ...more })).container;

    for (const levels of [2, 3]) {
      test(`of ${levels} levels, with null and missing values and by prefix`, async () => {
        const container = await create({ paths: PATHS.slice(0, levels).map((path) => `/${path}`), kind: 'MultiHash', version: 2 });
        const keys = combinations(levels);
        for (const key of keys) {
          assert.equal((await container.items.create(item(key))).statusCode, 201, name(key));
        }
        assert.deepEqual(await ids(container), keys.map(name).sort());
        for (const key of keys) {
          const { resource } = await container.item('x', key).read();
          assert.equal(resource?.of, name(key));
          assert.deepEqual(await ids(container, key), [name(key)]);
          await fails(container.items.create(item(key)), 409);
        }
        for (const value of ['v1', null]) {
          const under = keys.filter((key) => key[0] === value).map(name).sort();
          assert.deepEqual(await ids(container, [value]), under, `under ${value}`);
        }
        for (const key of keys) {
          await container.item('x', key).delete();
          assert.equal((await container.item('x', key).read()).statusCode, 404);
        }
        assert.deepEqual(await ids(container), []);
      });
    }

    test('that were added to a container which was fixed once', async () => {
      const container = await create({ paths: ['/_partitionKey'], kind: 'Hash', version: 1, systemKey: true });
      const definition = (await container.read()).resource.partitionKey;
      assert.deepEqual(definition.paths, ['/_partitionKey']);
      assert.equal(definition.systemKey, true);
      await container.items.create({ id: '1', of: 'none' });
      await container.items.create({ id: '1', of: 'a', _partitionKey: 'a' });
      assert.equal((await container.item('1', undefined).read()).resource.of, 'none');
      assert.equal((await container.item('1', 'a').read()).resource.of, 'a');
      assert.deepEqual(await ids(container), ['a', 'none']);
      assert.deepEqual(await ids(container, 'a'), ['a']);
      await container.item('1', undefined).delete();
      assert.equal((await container.item('1', undefined).read()).statusCode, 404);
      assert.deepEqual(await ids(container), ['a']);
    });

    test('and the conflict resolution policy is kept', async () => {
      const conflictResolutionPolicy = { mode: 'LastWriterWins', conflictResolutionPath: '/version', conflictResolutionProcedure: '' };
      const container = await create({ paths: ['/pk'], version: 2 }, { conflictResolutionPolicy });
      assert.deepEqual((await container.read()).resource.conflictResolutionPolicy, conflictResolutionPolicy);
      const own = { mode: 'Custom', conflictResolutionPath: '', conflictResolutionProcedure: '' };
      const custom = await create({ paths: ['/pk'], version: 2 }, { conflictResolutionPolicy: own });
      assert.deepEqual((await custom.read()).resource.conflictResolutionPolicy, own);
    });
  });
}
