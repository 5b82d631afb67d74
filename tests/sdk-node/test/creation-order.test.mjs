// Items come in the order of their creation, in each range and in each key, where a query says no other order.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { unique } from '../lib/check.mjs';
import { ownServer } from '../lib/client.mjs';

/** Request units a second that one partition delivers. */
const T = 10_000;

/** The largest key that is sorted when it is read. */
const SORTED = 1000;

const own = ownServer('--partition-max-throughput', String(T));

const create = async (partitions) =>
  (await own.database.containers.create({
    id: unique('c'), partitionKey: { paths: ['/pk'], version: 2 }, throughput: partitions * T,
  })).container;

/** Ids that do not follow the order of creation. */
const id = (number) => `i${String((number * 7919) % 9973).padStart(4, '0')}`;

async function write(container, count) {
  const written = [];
  for (let i = 0; i < count; i += 1) {
    await container.items.create({ id: id(i), pk: `k${i % 17}`, n: count - i });
    written.push(id(i));
  }
  return written;
}

/** The ids of all pages; `between` runs behind the first. */
async function pages(first, next, between = async () => {}) {
  const ids = [];
  let page = await first.fetchNext();
  let isFirst = true;
  for (;;) {
    ids.push(...(page.resources ?? []).map((each) => each.id));
    if (page.continuationToken === undefined || page.continuationToken === null) {
      return ids;
    }
    if (isFirst) {
      await between();
      isFirst = false;
    }
    page = await next(page.continuationToken).fetchNext();
  }
}

/** Fails unless the items of each range come in the order in which they were written. */
function inOrder(found, written, ofRange) {
  assert.equal(new Set(found).size, found.length, 'an item came twice');
  assert.deepEqual(found.toSorted(), written.toSorted());
  if (ofRange === 1) {
    assert.deepEqual(found, written);
  }
  // One range after the other: so often at most the order starts anew.
  const places = found.map((each) => written.indexOf(each));
  const turns = places.filter((place, i) => i > 0 && place < places[i - 1]).length;
  assert.ok(turns < ofRange, `${turns} turns in ${ofRange} ranges`);
}

async function scale(container, partitions) {
  const { resource, offer } = await container.readOffer();
  resource.content.offerThroughput = partitions * T;
  await offer.replace(resource);
  let pending;
  do {
    pending = (await offer.read()).headers['x-ms-offer-replace-pending'];
  } while (String(pending) === 'true');
}

describe('order of creation', () => {
  for (const partitions of [1, 3]) {
    test(`a read feed of ${partitions} ranges, by small pages`, async () => {
      const container = await create(partitions);
      const written = await write(container, 60);
      const feed = (continuationToken) => container.items.readAll({ maxItemCount: 7, continuationToken });
      inOrder(await pages(feed(), feed), written, partitions);
    });
  }

  test('a read feed goes on behind a split', async () => {
    const container = await create(1);
    const written = await write(container, 60);
    const feed = (continuationToken) => container.items.readAll({ maxItemCount: 7, continuationToken });
    const found = await pages(feed(), feed, () => scale(container, 3));
    // The first page came from the one range, the rest from its children.
    assert.deepEqual(found.slice(0, 7), written.slice(0, 7));
    inOrder(found.slice(7), written.slice(7), 3);
  });

  test('a query of a range, by small pages', async () => {
    const container = await create(1);
    const written = await write(container, 60);
    for (const text of ['SELECT * FROM c', 'SELECT * FROM c WHERE c.n > 0', 'SELECT * FROM c WHERE c.n > 30 OR c.n <= 30']) {
      const { resources } = await container.items.query(text, { maxItemCount: 7 }).fetchAll();
      assert.deepEqual(resources.map((each) => each.id), written, text);
    }
  });

  test('a query of one key at and past what is sorted', async () => {
    const container = await create(1);
    const written = [];
    for (const size of [SORTED, SORTED + 1, SORTED + 300]) {
      while (written.length < size) {
        const operations = [];
        while (operations.length < 100 && written.length < size) {
          const next = id(written.length);
          operations.push({ operationType: 'Create', resourceBody: { id: next, pk: 'wanted' } });
          written.push(next);
        }
        const { code } = await container.items.batch(operations, 'wanted');
        assert.equal(code, 200);
      }
      const options = { partitionKey: 'wanted', maxItemCount: 90 };
      const { resources } = await container.items.query('SELECT c.id FROM c', options).fetchAll();
      assert.deepEqual(resources.map((each) => each.id), written);
      const read = await container.items.readAll(options).fetchAll();
      assert.deepEqual(read.resources.map((each) => each.id), written);
    }
  });
});
