// The change feed as the JavaScript SDK reads it: the pull model, its older form, and the bare protocol.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ChangeFeedMode, ChangeFeedStartFrom } from '@azure/cosmos';
import { fails, unique } from '../lib/check.mjs';
import { connect } from '../lib/client.mjs';
import { Server } from '../lib/server.mjs';

/** What one partition delivers. */
const T = 1000;

let server;
let client;
let database;

before(async () => {
  server = await Server.start({ args: ['--partition-max-throughput', String(T), '--no-throttling'] });
  client = connect(server);
  ({ database } = await client.databases.create({ id: 'db' }));
});
after(async () => {
  client?.dispose();
  await server?.close();
});

const create = async (partitions) =>
  (await database.containers.create({ id: unique('c'), partitionKey: { paths: ['/pk'], version: 2 }, throughput: partitions * T })).container;

async function put(container, version, count) {
  for (let i = 0; i < count; i += 1) {
    await container.items.upsert({ id: `i${i}`, pk: `k${i}`, v: version });
  }
}

/** Reads until nothing is new; returns the versions by id and where to go on. */
async function drain(container, changeFeedStartFrom, options = {}) {
  const iterator = container.items.getChangeFeedIterator({ changeFeedStartFrom, maxItemCount: 4, ...options });
  const seen = new Map();
  let continuation;
  for (;;) {
    const page = await iterator.readNext();
    continuation = page.continuationToken;
    if (page.statusCode === 304) {
      return { seen, continuation };
    }
    assert.equal(page.statusCode, 200);
    for (const item of page.result) {
      assert.ok(!seen.has(item.id), `${item.id} was seen twice`);
      assert.equal(typeof item._lsn, 'number');
      seen.set(item.id, item.v);
    }
  }
}

for (const partitions of [1, 5]) {
  describe(`the change feed over ${partitions} partitions`, () => {
    test('begins at the beginning and goes on from a continuation', async () => {
      const container = await create(partitions);
      await put(container, 1, 20);
      const first = await drain(container, ChangeFeedStartFrom.Beginning());
      assert.equal(first.seen.size, 20);
      await put(container, 2, 3);
      const second = await drain(container, ChangeFeedStartFrom.Continuation(first.continuation));
      assert.deepEqual([...second.seen].sort(), [['i0', 2], ['i1', 2], ['i2', 2]]);
    });

    test('begins now', async () => {
      const container = await create(partitions);
      await put(container, 1, 5);
      const now = await drain(container, ChangeFeedStartFrom.Now());
      assert.equal(now.seen.size, 0);
      await put(container, 2, 2);
      assert.equal((await drain(container, ChangeFeedStartFrom.Continuation(now.continuation))).seen.size, 2);
    });

    test('begins at a time', async () => {
      const container = await create(partitions);
      await put(container, 1, 5);
      const hour = 3_600_000;
      assert.equal((await drain(container, ChangeFeedStartFrom.Time(new Date(Date.now() - hour)))).seen.size, 5);
      assert.equal((await drain(container, ChangeFeedStartFrom.Time(new Date(Date.now() + hour)))).seen.size, 0);
    });

    test('is read by key and by range', async () => {
      const container = await create(partitions);
      await put(container, 1, 20);
      assert.deepEqual([...(await drain(container, ChangeFeedStartFrom.Beginning('k7'))).seen], [['i7', 1]]);
      let count = 0;
      for (const range of await container.getFeedRanges()) {
        count += (await drain(container, ChangeFeedStartFrom.Beginning(range))).seen.size;
      }
      assert.equal(count, 20);
    });

    test('is read in its older form', async () => {
      const container = await create(partitions);
      await put(container, 1, 3);
      const iterator = container.items.changeFeed('k1', { startFromBeginning: true });
      const page = await iterator.fetchNext();
      assert.deepEqual(page.result.map((item) => item.id), ['i1']);
      assert.ok(iterator.hasMoreResults);
      assert.equal((await iterator.fetchNext()).statusCode, 304);
      assert.ok(!iterator.hasMoreResults);
      const rest = container.items.changeFeed('k1', { continuation: page.headers.etag });
      assert.equal((await rest.fetchNext()).count, 0);
    });

    test('with all versions and deletes is refused', async () => {
      const container = await create(partitions);
      const iterator = container.items.getChangeFeedIterator({
        changeFeedStartFrom: ChangeFeedStartFrom.Now(),
        changeFeedMode: ChangeFeedMode.AllVersionsAndDeletes,
      });
      await fails(iterator.readNext(), 501);
    });
  });
}

test('a reader goes on across a split', async () => {
  const container = await create(1);
  await put(container, 1, 40);
  const iterator = container.items.getChangeFeedIterator({ changeFeedStartFrom: ChangeFeedStartFrom.Beginning(), maxItemCount: 10 });
  const seen = (await iterator.readNext()).result.map((item) => item.id);
  assert.equal(seen.length, 10);
  const { resource, offer } = await container.readOffer();
  resource.content.offerThroughput = 4 * T;
  await offer.replace(resource);
  while (String((await offer.read()).headers['x-ms-offer-replace-pending']) === 'true');
  for (let page = await iterator.readNext(); page.statusCode === 200; page = await iterator.readNext()) {
    seen.push(...page.result.map((item) => item.id));
  }
  assert.equal(seen.length, 40);
  assert.equal(new Set(seen).size, 40);
});
