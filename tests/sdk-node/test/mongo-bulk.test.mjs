// Bulk writes of a client, over several collections, and updates with a sort, through the unmodified MongoDB driver.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Long } from 'mongodb';
import { THROUGHPUT } from '../lib/client.mjs';
import { connectMongo } from '../lib/mongo.mjs';
import { Server } from '../lib/server.mjs';

describe('a bulk write of a client', () => {
  let server;
  let client;
  const heard = [];
  before(async () => {
    server = await Server.start({ args: ['--mongo-fail-points'] });
    client = await connectMongo(server, { monitorCommands: true, serverSelectionTimeoutMS: 300_000 });
    client.on('commandStarted', ({ commandName }) => heard.push(commandName));
  });
  after(async () => {
    await client?.close();
    await server?.close();
  });

  test('is spoken to a server of release 8.0', async () => {
    const admin = client.db('admin');
    assert.equal((await admin.command({ hello: 1 })).maxWireVersion, 25);
    assert.match((await admin.command({ buildInfo: 1 })).version, /^8\.0\.\d+$/);
    const { featureCompatibilityVersion } = await admin.command({ getParameter: 1, featureCompatibilityVersion: 1 });
    assert.equal(featureCompatibilityVersion.version, '8.0');
  });

  for (const partitions of [1, 5]) {
    describe(`on ${partitions} partitions`, () => {
      const namespace = `bulk${partitions}.items`;
      const log = `bulklog${partitions}.entries`;
      const items = () => client.db(`bulk${partitions}`).collection('items');
      const entries = () => client.db(`bulklog${partitions}`).collection('entries');
      before(async () => {
        await client.db(`bulk${partitions}`).command({
          customAction: 'CreateCollection', collection: 'items', offerThroughput: THROUGHPUT[partitions],
          ...(partitions > 1 && { shardKey: 'k' }),
        });
      });

      test('makes writes of all kinds in several collections', async () => {
        heard.length = 0;
        const result = await client.bulkWrite([
          { name: 'insertOne', namespace, document: { _id: 1, k: 'a', n: 1, list: [1, 9] } },
          { name: 'insertOne', namespace: log, document: { what: 'a' } },
          { name: 'insertOne', namespace, document: { _id: 2, k: 'b', n: 2 } },
          { name: 'updateOne', namespace, filter: { _id: 1, k: 'a' }, update: { $set: { 'list.$[large]': 5 } }, arrayFilters: [{ large: { $gt: 5 } }] },
          { name: 'updateMany', namespace, filter: { n: { $gt: 0 } }, update: [{ $set: { n: { $add: ['$n', '$$more'] } } }] },
          { name: 'replaceOne', namespace, filter: { _id: 3, k: 'c' }, replacement: { _id: 3, k: 'c', n: 7 }, upsert: true },
          { name: 'deleteOne', namespace, filter: { _id: 2, k: 'b' } },
          { name: 'deleteMany', namespace: log, filter: {} },
        ], { verboseResults: true, let: { more: 10 } });

        assert.deepEqual(heard, ['bulkWrite']);
        assert.deepEqual(
          [result.insertedCount, result.matchedCount, result.modifiedCount, result.upsertedCount, result.deletedCount],
          [3, 3, 3, 1, 2]);
        assert.deepEqual(result.insertResults.get(2), { insertedId: 2 });
        assert.deepEqual(result.updateResults.get(4), { matchedCount: 2, modifiedCount: 2, didUpsert: false });
        assert.deepEqual(result.updateResults.get(5), { matchedCount: 1, modifiedCount: 0, didUpsert: true, upsertedId: 3 });
        assert.deepEqual(result.deleteResults.get(7), { deletedCount: 1 });
        assert.deepEqual(await items().find().sort({ _id: 1 }).toArray(),
          [{ _id: 1, k: 'a', n: 11, list: [1, 5] }, { _id: 3, k: 'c', n: 7 }]);
        assert.equal(await entries().countDocuments(), 0);
      });

      test('tells which of its writes have failed', async () => {
        await items().deleteMany({});
        const models = [
          { name: 'insertOne', namespace, document: { _id: 1, k: 'a' } },
          { name: 'insertOne', namespace, document: { _id: 1, k: 'a' } },
          { name: 'updateOne', namespace, filter: { _id: 1, k: 'a' }, update: { $inc: { k: 1 } } },
          { name: 'insertOne', namespace, document: { _id: 2, k: 'a' } },
        ];
        const failed = (promise) => promise.then(() => assert.fail('it should fail'), (error) => error);
        const ordered = await failed(client.bulkWrite(models));
        assert.deepEqual([...ordered.writeErrors].map(([i, { code }]) => [i, code]), [[1, 11000]]);
        assert.equal(ordered.partialResult.insertedCount, 1);
        const unordered = await failed(client.bulkWrite(models, { ordered: false }));
        assert.deepEqual([...unordered.writeErrors].map(([i, { code }]) => [i, code]), [[0, 11000], [1, 11000], [2, 14]]);
        assert.deepEqual((await items().find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id), [1, 2]);
      });

      test('with more results than a batch has, reads them all', async () => {
        await items().deleteMany({});
        const models = Array.from({ length: 2_000 }, (_, i) => ({
          name: 'updateOne', namespace, filter: { _id: `${i}-${'x'.repeat(200)}`, k: i % 7 }, update: { $set: { i } }, upsert: true,
        }));
        const result = await client.bulkWrite(models, { verboseResults: true });
        assert.equal(result.upsertedCount, 2_000);
        assert.equal(result.updateResults.size, 2_000);
        assert.equal(await items().countDocuments(), 2_000);
        const reply = await client.db('admin').command({
          bulkWrite: 1, ops: models.slice(0, 10).map(({ filter }) => ({ delete: 0, filter })), nsInfo: [{ ns: namespace }], cursor: { batchSize: 3 },
        });
        assert.equal(reply.cursor.firstBatch.length, 3);
        const rest = await client.db('admin').command({ getMore: Long.fromNumber(reply.cursor.id), collection: '$cmd.bulkWrite' });
        assert.deepEqual(rest.cursor.nextBatch.map(({ idx, n }) => [idx, n]), [3, 4, 5, 6, 7, 8, 9].map((i) => [i, 1]));
      });

      test('is made once, although its answer is lost', async () => {
        await items().deleteMany({});
        await items().insertOne({ _id: 1, k: 'a', n: 0 });
        await client.db('admin').command({ configureFailPoint: 'onPrimaryTransactionalWrite', mode: { times: 1 }, data: {} });
        heard.length = 0;
        const result = await client.bulkWrite([
          { name: 'insertOne', namespace, document: { _id: 2, k: 'b' } },
          { name: 'insertOne', namespace, document: { _id: 3, k: 'c' } },
          { name: 'updateOne', namespace, filter: { _id: 1, k: 'a' }, update: { $inc: { n: 1 } } },
          { name: 'deleteOne', namespace, filter: { _id: 3, k: 'c' } },
        ], { verboseResults: true });
        assert.deepEqual(heard, ['bulkWrite', 'bulkWrite']);
        assert.deepEqual([result.insertedCount, result.modifiedCount, result.deletedCount], [2, 1, 1]);
        assert.deepEqual(await items().find().sort({ _id: 1 }).toArray(), [{ _id: 1, k: 'a', n: 1 }, { _id: 2, k: 'b' }]);
      });

      test('may be part of a transaction', async () => {
        await items().deleteMany({});
        const write = (session, n) => client.bulkWrite([
          { name: 'insertOne', namespace, document: { _id: n, k: 'a' } },
          { name: 'updateMany', namespace, filter: { k: 'a' }, update: { $inc: { n: 1 } } },
        ], { session, verboseResults: true });
        await client.withSession(async (session) => {
          session.startTransaction();
          await write(session, 1);
          assert.equal(await items().countDocuments(), 0);
          await session.abortTransaction();
          await session.withTransaction(() => write(session, 2));
        });
        assert.deepEqual(await items().find().toArray(), [{ _id: 2, k: 'a', n: 1 }]);
      });

      test('need not be acknowledged', async () => {
        await items().deleteMany({});
        const result = await client.bulkWrite(
          [{ name: 'insertOne', namespace, document: { _id: 1, k: 'a' } }, { name: 'insertOne', namespace, document: { _id: 2, k: 'b' } }],
          { ordered: false, writeConcern: { w: 0 } });
        assert.equal(result.acknowledged, false);
        while (await items().countDocuments() < 2) {
          await new Promise((resolve) => { setImmediate(resolve); });
        }
      });

      test('takes the first by a sort, as updateOne and replaceOne do', async () => {
        await items().deleteMany({});
        await items().insertMany([3, 1, 2].map((n) => ({ _id: n, k: 'a', n })));
        await items().updateOne({ k: 'a' }, { $set: { last: true } }, { sort: { n: -1 } });
        await items().replaceOne({ k: 'a' }, { k: 'a', n: 1, first: true }, { sort: { n: 1 } });
        await client.bulkWrite([{ name: 'updateOne', namespace, filter: { k: 'a', n: { $gt: 1 } }, update: { $set: { middle: true } }, sort: { n: 1 } }]);
        assert.deepEqual(await items().find().sort({ _id: 1 }).toArray(), [
          { _id: 1, k: 'a', n: 1, first: true }, { _id: 2, k: 'a', n: 2, middle: true }, { _id: 3, k: 'a', n: 3, last: true }]);
      });
    });
  }

  test('takes as many writes as there are, in several commands', async () => {
    const models = Array.from({ length: 100_001 }, () => ({ name: 'deleteOne', namespace: 'bulk.none', filter: { _id: 1 } }));
    heard.length = 0;
    const result = await client.bulkWrite(models);
    assert.equal(result.deletedCount, 0);
    assert.deepEqual(heard, ['bulkWrite', 'bulkWrite']);
  });
});
