// Transactional batches and bulk execution through @azure/cosmos, on one and on five physical partitions.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { failure, unique } from '../lib/check.mjs';
import { connect, THROUGHPUT } from '../lib/client.mjs';
import { Rest } from '../lib/rest.mjs';
import { Server } from '../lib/server.mjs';

let server;
let client;
let rest;

before(async () => {
  server = await Server.start();
  client = connect(server);
  rest = new Rest(server);
});
after(async () => {
  client?.dispose();
  await server?.close();
});

const create = (id, pk, more = {}) => ({ operationType: 'Create', resourceBody: { id, pk, ...more } });
const codes = (results) => results.map((result) => result.statusCode);

for (const [partitions, throughput] of Object.entries(THROUGHPUT)) {
  describe(`batches on ${partitions} physical partitions`, () => {
    let database;
    let container;

    before(async () => {
      ({ database } = await client.databases.create({ id: unique('batch') }));
      ({ container } = await database.containers.create(
        { id: unique('c'), partitionKey: { paths: ['/pk'], version: 2 }, throughput }));
    });
    after(() => database?.delete());

    test('are done as a whole', async () => {
      const pk = unique('pk');
      const response = await container.items.batch([
        create('1', pk, { n: 1 }),
        { operationType: 'Upsert', resourceBody: { id: '2', pk } },
        { operationType: 'Patch', id: '1', resourceBody: { operations: [{ op: 'incr', path: '/n', value: 4 }] } },
        { operationType: 'Read', id: '1' },
        { operationType: 'Replace', id: '2', resourceBody: { id: '2', pk, v: 2 } },
        { operationType: 'Delete', id: '2' },
      ], pk);
      assert.equal(response.code, 200);
      assert.deepEqual(codes(response.result), [201, 201, 200, 200, 200, 204]);
      assert.equal(response.result[3].resourceBody.n, 5);
      assert.equal(response.result[3].eTag, response.result[2].eTag);
      assert.equal(response.result[5].resourceBody, undefined);
      const sum = response.result.reduce((total, result) => total + result.requestCharge, 0);
      assert.ok(Math.abs(sum - Number(response.headers['x-ms-request-charge'])) < 0.05);
      const { resource } = await container.item('1', pk).read();
      assert.deepEqual(resource, response.result[3].resourceBody);
      assert.equal((await container.item('2', pk).read()).statusCode, 404);
    });

    test('are undone as a whole', async () => {
      const pk = unique('pk');
      await container.items.create({ id: 'there', pk });
      const response = await container.items.batch([create('1', pk), create('there', pk), create('2', pk)], pk);
      assert.equal(response.code, 207);
      assert.deepEqual(codes(response.result), [424, 409, 424]);
      const stale = await container.items.batch(
        [create('1', pk), { operationType: 'Delete', id: 'there', ifMatch: '"0-0"' }], pk);
      assert.deepEqual(codes(stale.result), [424, 412]);
      const { resources } = await container.items.readAll({ partitionKey: pk }).fetchAll();
      assert.deepEqual(resources.map((item) => item.id), ['there']);
    });

    test('have limits', async () => {
      const pk = unique('pk');
      const hundred = Array.from({ length: 100 }, (_, i) => create(`i${i}`, pk));
      assert.deepEqual(new Set(codes((await container.items.batch(hundred, pk)).result)), new Set([201]));
      const large = Array.from({ length: 3 }, (_, i) => create(`l${i}`, pk, { s: 'x'.repeat(700 << 10) }));
      const refused = await failure(container.items.batch(large, pk));
      assert.match(refused.message, /Request size is too large/);
      assert.equal((await container.item('l0', pk).read()).statusCode, 404);
      const headers = {
        'x-ms-cosmos-is-batch-request': 'true', 'x-ms-cosmos-batch-atomic': 'true', 'x-ms-documentdb-partitionkey': JSON.stringify([pk]),
      };
      const docs = `/dbs/${database.id}/colls/${container.id}/docs`;
      const over = Array.from({ length: 101 }, (_, i) => ({ operationType: 'Read', id: `i${i}` }));
      assert.equal((await rest.post(docs, over, { headers })).status, 400);
      assert.equal((await rest.post(docs, over.slice(0, 100), { headers })).status, 200);
    });

    test('of many keys go as bulk, each operation with its own result', async () => {
      const pk = unique('pk');
      const creates = Array.from({ length: 150 }, (_, i) => ({ ...create(`i${i}`, `${pk}-${i % 10}`), partitionKey: `${pk}-${i % 10}` }));
      const created = await container.items.executeBulkOperations(creates);
      assert.deepEqual(new Set(created.map((result) => result.response?.statusCode ?? result.error)), new Set([201]));
      const key = (i) => `${pk}-${i % 10}`;
      const mixed = await container.items.executeBulkOperations([
        { ...create('i0', key(0)), partitionKey: key(0) },
        { operationType: 'Read', id: 'i1', partitionKey: key(1) },
        { operationType: 'Read', id: 'nowhere', partitionKey: key(1) },
        { operationType: 'Patch', id: 'i2', partitionKey: key(2), resourceBody: { operations: [{ op: 'set', path: '/v', value: 3 }] } },
        { operationType: 'Delete', id: 'i3', partitionKey: key(3) },
        { operationType: 'Upsert', partitionKey: key(4), resourceBody: { id: 'i4', pk: key(4), v: 4 } },
        { operationType: 'Replace', id: 'i5', partitionKey: key(5), resourceBody: { id: 'i5', pk: key(5), v: 5 } },
      ]);
      assert.deepEqual(mixed.map((result) => Number(result.response?.statusCode ?? result.error?.code)), [409, 200, 404, 200, 204, 200, 200]);
      assert.equal((await container.item('i2', key(2)).read()).resource.v, 3);
    });

    test('of many keys go through the older bulk too', async () => {
      const pk = unique('pk');
      const operations = Array.from({ length: 30 }, (_, i) => ({ ...create(`i${i}`, `${pk}-${i % 3}`), partitionKey: `${pk}-${i % 3}` }));
      operations.push({ operationType: 'Read', id: 'i0', partitionKey: `${pk}-0` });
      const results = await container.items.bulk(operations);
      assert.deepEqual(codes(results).slice(0, 30), Array(30).fill(201));
      assert.equal(results[30].resourceBody.id, 'i0');
    });
  });
}
