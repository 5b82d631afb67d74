// The change feed as the JavaScript SDK reads it: the pull model, its older form, and the bare protocol.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ChangeFeedMode, ChangeFeedStartFrom } from '@azure/cosmos';
import { fails, unique } from '../lib/check.mjs';
import { ownServer } from '../lib/client.mjs';

/** Request units a second that one partition delivers. */
const T = 1000;

const own = ownServer('--partition-max-throughput', String(T));

const create = async (partitions) =>
  (await own.database.containers.create({ id: unique('c'), partitionKey: { paths: ['/pk'], version: 2 }, throughput: partitions * T })).container;

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

  });
}

/** Reads all versions until nothing is new. */
async function drainVersions(container, changeFeedStartFrom) {
  const iterator = container.items.getChangeFeedIterator({
    changeFeedStartFrom,
    changeFeedMode: ChangeFeedMode.AllVersionsAndDeletes,
    maxItemCount: 4,
  });
  const changes = [];
  for (;;) {
    const page = await iterator.readNext();
    if (page.statusCode === 304) {
      return { changes, continuation: page.continuationToken };
    }
    changes.push(...page.result);
  }
}

const told = ({ current, previous, metadata }) =>
  metadata.operationType === 'delete' ? `delete ${previous.id}=${previous.v}` : `${metadata.operationType} ${current.id}=${current.v}`;

describe('all versions and deletes', () => {
  const keeping = async () =>
    (
      await own.database.containers.create({
        id: unique('c'),
        partitionKey: { paths: ['/pk'], version: 2 },
        throughput: T,
        changeFeedPolicy: { retentionDuration: 60 },
      })
    ).container;

  test('are read from now and from a continuation', async () => {
    const container = await keeping();
    await put(container, 1, 2);
    const now = await drainVersions(container, ChangeFeedStartFrom.Now());
    assert.deepEqual(now.changes, []);
    await put(container, 2, 1);
    await container.item('i0', 'k0').delete();
    await container.items.create({ id: 'i0', pk: 'k0', v: 3 });

    const { changes, continuation } = await drainVersions(container, ChangeFeedStartFrom.Continuation(now.continuation));
    assert.deepEqual(changes.map(told), ['replace i0=2', 'delete i0=2', 'create i0=3']);
    assert.equal(changes[0].previous.v, 1);
    assert.equal(changes[2].previous, undefined);
    const [replaced, deleted, created] = changes.map((change) => change.metadata);
    assert.ok(replaced.lsn < deleted.lsn && deleted.lsn < created.lsn);
    assert.equal(deleted.previousImageLSN, replaced.lsn);
    assert.equal(deleted.timeToLiveExpired, false);
    assert.equal(deleted.id, 'i0');
    assert.deepEqual(deleted.partitionKey, { pk: 'k0' });
    assert.equal(typeof created.crts, 'number');
    assert.deepEqual((await drainVersions(container, ChangeFeedStartFrom.Continuation(continuation))).changes, []);
  });

  test('go on across a split and a restart', async () => {
    const container = await keeping();
    const now = await drainVersions(container, ChangeFeedStartFrom.Now());
    await put(container, 1, 10);
    await container.item('i4', 'k4').delete();
    const { resource, offer } = await container.readOffer();
    resource.content.offerThroughput = 4 * T;
    await offer.replace(resource);
    while (String((await offer.read()).headers['x-ms-offer-replace-pending']) === 'true');
    await own.server.kill();
    await own.server.restart();
    await put(container, 2, 10);

    const { changes } = await drainVersions(container, ChangeFeedStartFrom.Continuation(now.continuation));
    const wanted = ['delete i4=1'];
    for (let i = 0; i < 10; i += 1) {
      wanted.push(`create i${i}=1`, `${i === 4 ? 'create' : 'replace'} i${i}=2`);
    }
    assert.deepEqual(changes.map(told).sort(), wanted.sort());
  });

  test('are refused where they are not kept', async () => {
    const container = await create(1);
    await fails(drainVersions(container, ChangeFeedStartFrom.Now()), 400);
  });
});

/** The SDK cuts the fraction off the charge of a page of changes. */
const charge = ({ headers }) => Number(headers['x-ms-request-charge']);

test('a page costs what the same page of a query does', async () => {
  const container = await create(1);
  await Promise.all(Array.from({ length: 100 }, (_, i) => container.items.create({ id: `i${i}`, pk: 'k', fill: 'f'.repeat(100) })));

  const changes = container.items.getChangeFeedIterator({ changeFeedStartFrom: ChangeFeedStartFrom.Beginning('k'), maxItemCount: 100 });
  const page = await changes.readNext();
  const query = await container.items.query('SELECT * FROM c', { partitionKey: 'k', maxItemCount: 100 }).fetchNext();
  assert.equal(page.count, 100);
  assert.equal(query.resources.length, 100);
  assert.equal(charge(page), charge(query));
  assert.ok(charge(page) > 12 && charge(page) < 20, `charge ${charge(page)}`);

  const nothing = await changes.readNext();
  const noRow = await container.items.query('SELECT * FROM c', { partitionKey: 'nobody' }).fetchNext();
  assert.equal(nothing.statusCode, 304);
  assert.equal(charge(nothing), charge(noRow));
});

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
