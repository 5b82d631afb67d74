// Writes to many documents with the unmodified MongoDB driver: each document is written once, and the counts are true.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { THROUGHPUT } from '../lib/client.mjs';
import { connectMongo, refusedWith } from '../lib/mongo.mjs';
import { Server } from '../lib/server.mjs';

const COUNT = 20_000;

describe('a MongoDB client writes many documents', () => {
  let server;
  let client;
  let db;
  before(async () => {
    server = await Server.start();
    client = await connectMongo(server);
    db = client.db('many');
  });
  after(async () => {
    await client?.close();
    await server?.close();
  });

  for (const partitions of [1, 5]) {
    test(`each once, on ${partitions} partitions`, async () => {
      const name = `c${partitions}`;
      await db.command({
        customAction: 'CreateCollection', collection: name, offerThroughput: THROUGHPUT[partitions],
        ...(partitions > 1 && { shardKey: 'tenant' }),
      });
      const items = db.collection(name);
      await items.createIndex({ a: 1 });
      for (let from = 0; from < COUNT; from += 1000) {
        await items.insertMany(
          Array.from({ length: 1000 }, (_, i) => ({ _id: from + i, tenant: `t${(from + i) % 97}`, a: from + i })),
          { ordered: false });
      }

      const all = await items.updateMany({ a: { $gte: 0 } }, { $inc: { a: 1 } });
      assert.equal(all.matchedCount, COUNT);
      assert.equal(all.modifiedCount, COUNT);
      assert.equal(await items.countDocuments({ $expr: { $eq: ['$a', { $add: ['$_id', 1] }] } }), COUNT);

      const few = await items.updateMany({ a: { $in: [1, 2, 3] } }, { $set: { a: 3 } });
      assert.equal(few.matchedCount, 3);
      assert.equal(few.modifiedCount, 2);

      assert.equal((await items.deleteMany({})).deletedCount, COUNT);
      assert.equal(await items.countDocuments({}), 0);
    });
  }

  test('up to the first that cannot be changed', async () => {
    const items = db.collection('mixed');
    await items.insertMany([{ _id: 1, a: 1 }, { _id: 2, a: 2 }, { _id: 3, a: 'three' }, { _id: 4, a: 4 }]);
    const increment = { updateMany: { filter: {}, update: { $inc: { a: 1 } } } };
    const error = await refusedWith(14, items.bulkWrite([increment]));
    assert.equal(error.result.matchedCount, 2);
    assert.equal(error.result.modifiedCount, 2);
    assert.deepEqual((await items.find().sort({ _id: 1 }).toArray()).map(({ a }) => a), [2, 3, 'three', 4]);

    await items.createIndex({ a: 1 }, { unique: true });
    await refusedWith(11000, items.updateMany({ _id: { $lt: 3 } }, { $set: { a: 7 } }));
    assert.deepEqual((await items.find().sort({ _id: 1 }).toArray()).map(({ a }) => a), [7, 3, 'three', 4]);
  });

  /** Updates all documents, which ends early with a failure of the whole command. */
  const ended = (code, items, field, options) => refusedWith(code, db.command({
    update: items.collectionName, updates: [{ q: { a: { $gte: 0 } }, u: { $inc: { [field]: 1, a: 1 } }, multi: true }], ...options,
  }));

  /** How many documents an update has written before it ended: each of them once, and from the answer on no other. */
  async function leftBy(items, field) {
    const written = await items.countDocuments({ [field]: { $exists: true } });
    // A write to each key comes after all that was on its way to a partition.
    for (let tenant = 0; tenant < 97; tenant += 1) {
      await items.updateOne({ tenant: `t${tenant}` }, { $set: { later: field } });
    }
    assert.deepEqual((await client.db('admin').command({ currentOp: 1, op: 'update' })).inprog, []);
    assert.equal(await items.countDocuments({ [field]: { $exists: true } }), written);
    assert.equal(await items.countDocuments({ [field]: 1 }), written);
    assert.ok(written < COUNT);
    return written;
  }

  for (const partitions of [1, 5]) {
    describe(`and ends early on ${partitions} partitions`, () => {
      let items;
      before(async () => {
        const name = `ended${partitions}`;
        await db.command({
          customAction: 'CreateCollection', collection: name, offerThroughput: THROUGHPUT[partitions],
          shardKey: 'tenant',
        });
        items = db.collection(name);
        await items.createIndex({ a: 1 });
        for (let from = 0; from < COUNT; from += 1000) {
          await items.insertMany(
            Array.from({ length: 1000 }, (_, i) => ({ _id: from + i, tenant: `t${(from + i) % 97}`, a: from + i })),
            { ordered: false });
        }
      });

      test('when its time is over', async () => {
        // Twice the time again and again: at one of these times the update is cut in two, however fast the machine is.
        for (let [time, written] = [1, 0]; written === 0; time *= 2) {
          await ended(50, items, `time${time}`, { maxTimeMS: time });
          written = await leftBy(items, `time${time}`);
        }
      });

      test('when an operator ends it', async () => {
        const admin = client.db('admin');
        const answer = ended(11601, items, 'killed', { comment: 'long' });
        while (await items.countDocuments({ killed: 1 }, { limit: 1 }) === 0) {
          await new Promise((resolve) => { setImmediate(resolve); });
        }
        const { inprog } = await admin.command({ currentOp: 1, op: 'update', ns: `many.${items.collectionName}`, 'command.comment': 'long' });
        assert.equal(inprog.length, 1);
        await admin.command({ killOp: 1, op: inprog[0].opid });
        await answer;
        assert.ok(await leftBy(items, 'killed') > 0);
      });
    });
  }
});
