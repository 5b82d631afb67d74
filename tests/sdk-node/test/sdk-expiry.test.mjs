// Expiry, unique keys and the deletion of whole keys through @azure/cosmos, on one and on five physical partitions.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fails, unique } from '../lib/check.mjs';
import { connect, THROUGHPUT } from '../lib/client.mjs';
import { Server } from '../lib/server.mjs';

let server;
let client;

before(async () => {
  server = await Server.start();
  client = connect(server);
});
after(async () => {
  client?.dispose();
  await server?.close();
});

/** Waits until it is so. */
async function until(condition) {
  const deadline = Date.now() + 60_000;
  while (!(await condition())) {
    assert.ok(Date.now() < deadline, 'in time');
    await pause(25);
  }
}

for (const [partitions, throughput] of Object.entries(THROUGHPUT)) {
  describe(`on ${partitions} physical partitions`, () => {
    let database;
    const create = async (settings, paths = ['/pk']) => {
      const kind = paths.length > 1 ? { kind: 'MultiHash' } : {};
      const { container } = await database.containers.create(
        { id: unique('c'), partitionKey: { paths, version: 2, ...kind }, throughput, ...settings });
      return container;
    };
    const values = async (container, query) => (await container.items.query(query).fetchAll()).resources;

    before(async () => {
      ({ database } = await client.databases.create({ id: unique('expiry') }));
    });
    after(() => database?.delete());

    test('items expire by their own word or the container\'s', async () => {
      const container = await create({ defaultTtl: 2 });
      assert.equal((await container.read()).resource.defaultTtl, 2);
      await container.items.create({ id: 'stays', pk: 'a', n: 1, ttl: -1 });
      await container.items.create({ id: 'longer', pk: 'b', n: 2, ttl: 3600 });
      await container.items.create({ id: 'goes', pk: 'a', n: 3 });
      await container.items.create({ id: 'sooner', pk: 'b', n: 4, ttl: 1 });
      await until(async () => (await container.item('goes', 'a').read()).statusCode === 404);
      await until(async () => (await container.item('sooner', 'b').read()).statusCode === 404);
      assert.deepEqual(await values(container, 'SELECT VALUE COUNT(1) FROM c'), [2]);
      assert.deepEqual(await values(container, 'SELECT VALUE c.n FROM c ORDER BY c.n'), [1, 2]);
      assert.deepEqual((await container.items.readAll().fetchAll()).resources.map((item) => item.n).toSorted(), [1, 2]);
      await fails(container.item('goes', 'a').delete(), 404);
      assert.equal((await container.items.create({ id: 'goes', pk: 'a' })).statusCode, 201);
    });

    test('a lifetime is -1 or 1 to 2147483647 seconds', async () => {
      const container = await create({ defaultTtl: -1 });
      for (const ttl of [-1, 1, 2147483647]) {
        await container.items.upsert({ id: 'x', pk: 'a', ttl });
      }
      for (const ttl of [0, -2, 2147483648, 0.5, '1', null]) {
        await fails(container.items.upsert({ id: 'x', pk: 'a', ttl }), 400, { message: /The input ttl/ });
      }
      await fails(create({ defaultTtl: 0 }), 400);
      await fails(create({ defaultTtl: 5, indexingPolicy: { indexingMode: 'none', automatic: false } }), 400);
    });

    test('switching expiry off keeps what there is', async () => {
      const container = await create({ defaultTtl: -1 });
      await container.items.create({ id: 'x', pk: 'a', ttl: 3600 });
      const { resource } = await container.read();
      delete resource.defaultTtl;
      assert.equal((await container.replace(resource)).resource.defaultTtl, undefined);
      await fails(container.items.upsert({ id: 'y', pk: 'a', ttl: 'anything' }), 400, { message: /The input ttl/ });
      await container.items.upsert({ id: 'y', pk: 'a', ttl: 1 });
      assert.equal((await container.item('x', 'a').read()).statusCode, 200);
    });

    test('unique keys hold within a partition key', async () => {
      const container = await create({ uniqueKeyPolicy: { uniqueKeys: [{ paths: ['/email'] }, { paths: ['/a', '/b/c'] }] } });
      assert.deepEqual((await container.read()).resource.uniqueKeyPolicy, { uniqueKeys: [{ paths: ['/email'] }, { paths: ['/a', '/b/c'] }] });
      await container.items.create({ id: '1', pk: 'a', email: 'x', a: 1, b: { c: 1 } });
      await fails(container.items.create({ id: '2', pk: 'a', email: 'x', a: 2 }), 409, { message: /Unique index constraint violation/ });
      await fails(container.items.create({ id: '2', pk: 'a', email: 'y', a: 1, b: { c: 1.0 } }), 409);
      await container.items.create({ id: '2', pk: 'a', email: 'y', a: 1, b: { c: '1' } });
      await container.items.create({ id: '1', pk: 'b', email: 'x' });
      await fails(container.item('2', 'a').patch([{ op: 'set', path: '/email', value: 'x' }]), 409);
      const response = await container.items.batch([
        { operationType: 'Delete', id: '1' },
        { operationType: 'Upsert', resourceBody: { id: '2', pk: 'a', email: 'x' } },
      ], 'a');
      assert.deepEqual(response.result.map((result) => result.statusCode), [204, 200]);
    });

    test('all items of a key are deleted at once', async () => {
      const container = await create({});
      for (let i = 0; i < 20; i += 1) {
        await container.items.create({ id: `${i}`, pk: 'a' });
      }
      await container.items.create({ id: 'stays', pk: 'b' });
      const response = await container.deleteAllItemsForPartitionKey('a');
      assert.equal(response.statusCode, 200);
      assert.deepEqual(await values(container, 'SELECT VALUE c.id FROM c'), ['stays']);
      assert.equal((await container.item('3', 'a').read()).statusCode, 404);
      await container.items.create({ id: '3', pk: 'a' });
      assert.deepEqual(await values(container, 'SELECT VALUE COUNT(1) FROM c'), [2]);
    });

    test('all items under a part of a hierarchical key are deleted at once', async () => {
      const container = await create({}, ['/tenant', '/user']);
      for (const tenant of ['a', 'b']) {
        for (const user of ['x', 'y', null]) {
          await container.items.create({ id: '1', tenant, user });
        }
      }
      await container.deleteAllItemsForPartitionKey(['a', null]);
      assert.deepEqual((await values(container, "SELECT VALUE c.user FROM c WHERE c.tenant = 'a'")).toSorted(), ['x', 'y']);
      await container.deleteAllItemsForPartitionKey(['a']);
      assert.deepEqual(await values(container, 'SELECT DISTINCT VALUE c.tenant FROM c'), ['b']);
    });
  });
}
