// Change streams with the unmodified MongoDB driver, on one and on five partitions, over splits and restarts.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { THROUGHPUT, connect } from '../lib/client.mjs';
import { connectMongo, refusedWith } from '../lib/mongo.mjs';
import { Server } from '../lib/server.mjs';

const T = 2000;

/** An answer without events comes soon. */
const QUICK = { maxAwaitTimeMS: 50 };

/** The next events of a stream. */
async function take(stream, count) {
  const events = [];
  while (events.length < count) {
    events.push(await stream.next());
  }
  return events;
}

const kinds = (events) => events.map(({ operationType }) => operationType);
const ids = (events) => events.map(({ documentKey }) => documentKey._id);

/** Opens a stream: an unopened one starts with its first read. */
async function opened(stream) {
  assert.equal(await stream.tryNext(), null);
  return stream;
}

describe('a change stream', () => {
  let server;
  let client;
  before(async () => {
    server = await Server.start();
    client = await connectMongo(server);
  });
  after(async () => {
    await client?.close();
    await server?.close();
  });

  // The first test: later ones watch all databases, and new collections keep their changes from then on.
  test('costs nothing where nobody has watched', async () => {
    const db = client.db('costs');
    await db.createCollection('a');
    await db.createCollection('b');
    const options = async () => Object.fromEntries((await db.listCollections().toArray()).map(({ name, options: { changeStreamPreAndPostImages: images } }) => [name, images]));
    assert.deepEqual(await options(), { a: undefined, b: undefined });
    await (await opened(db.collection('a').watch([], QUICK))).close();
    assert.deepEqual(await options(), { a: { enabled: true }, b: undefined });
    await db.command({ collMod: 'a', changeStreamPreAndPostImages: { enabled: false } });
    await db.createCollection('c', { changeStreamPreAndPostImages: { enabled: true } });
    assert.deepEqual(await options(), { a: undefined, b: undefined, c: { enabled: true } });
  });

  for (const partitions of [1, 5]) {
    describe(`on ${partitions} partitions`, () => {
      let db;
      let orders;
      before(async () => {
        db = client.db(`streams${partitions}`);
        await db.command({
          customAction: 'CreateCollection', collection: 'orders', offerThroughput: THROUGHPUT[partitions],
          ...(partitions > 1 && { shardKey: 'customer' }),
        });
        orders = db.collection('orders');
      });

      test('tells each write', async () => {
        const stream = await opened(orders.watch([], { ...QUICK, fullDocument: 'updateLookup', fullDocumentBeforeChange: 'whenAvailable' }));
        await orders.insertOne({ _id: 1, customer: 'ada', total: 5, lines: ['pen', 'ink', 'cap'] });
        await orders.updateOne({ customer: 'ada', _id: 1 }, { $inc: { total: 1 }, $pop: { lines: 1 }, $set: { 'at.city': 'x' } });
        await orders.replaceOne({ customer: 'ada', _id: 1 }, { customer: 'ada', total: 9 });
        await orders.bulkWrite([
          { insertOne: { document: { _id: 2, customer: 'ada' } } },
          { updateMany: { filter: { customer: 'ada' }, update: { $set: { seen: true } } } },
          { deleteOne: { filter: { customer: 'ada', _id: 2 } } },
        ]);
        await orders.findOneAndDelete({ customer: 'ada', _id: 1 });
        const events = await take(stream, 8);
        assert.deepEqual(kinds(events), ['insert', 'update', 'replace', 'insert', 'update', 'update', 'delete', 'delete']);
        assert.deepEqual(events[1].updateDescription, {
          updatedFields: { total: 6, at: { city: 'x' } }, removedFields: [], truncatedArrays: [{ field: 'lines', newSize: 2 }],
        });
        assert.equal(events[1].fullDocumentBeforeChange.total, 5);
        assert.equal(events[2].fullDocument.total, 9);
        assert.deepEqual(events[0].ns, { db: db.databaseName, coll: 'orders' });
        assert.deepEqual(events[0].documentKey, partitions > 1 ? { customer: 'ada', _id: 1 } : { _id: 1 });
        assert.ok(events[0].wallTime instanceof Date && events[0].clusterTime.high > 0);
        await stream.close();
      });

      test('goes on behind any of its events', async () => {
        const stream = await opened(orders.watch([], QUICK));
        const customers = ['ada', 'ben', 'cyd', 'dan', 'eve'];
        await orders.insertMany(customers.map((customer, i) => ({ _id: 10 + i, customer })));
        const events = await take(stream, customers.length);
        await stream.close();
        assert.deepEqual(ids(events).toSorted(), [10, 11, 12, 13, 14]);
        for (const [at, event] of events.entries()) {
          for (const option of ['resumeAfter', 'startAfter']) {
            const resumed = orders.watch([], { ...QUICK, [option]: event._id });
            const rest = await take(resumed, events.length - at - 1);
            assert.deepEqual([...ids(events.slice(0, at + 1)), ...ids(rest)].toSorted(), [10, 11, 12, 13, 14]);
            assert.equal(await resumed.tryNext(), null);
            await resumed.close();
          }
        }
      });

      test('takes stages behind it', async () => {
        const stream = await opened(orders.watch([
          { $match: { operationType: { $in: ['insert', 'update'] }, 'fullDocument.total': { $gte: 10 } } },
          { $set: { 'fullDocument.double': { $multiply: ['$fullDocument.total', 2] } } },
          { $project: { 'fullDocument.double': 1, operationType: 1 } },
        ], QUICK));
        await orders.insertMany([{ _id: 20, customer: 'ada', total: 3 }, { _id: 21, customer: 'ada', total: 12 }]);
        const [event] = await take(stream, 1);
        assert.deepEqual([event.operationType, event.fullDocument], ['insert', { double: 24 }]);
        await stream.close();
        await refusedWith(20, orders.watch([{ $limit: 1 }]).next());
        await refusedWith(260, orders.watch([], { resumeAfter: { _data: 'no token' } }).next());
        const blind = await opened(orders.watch([{ $project: { operationType: 1, _id: 0 } }], QUICK));
        await orders.insertOne({ _id: 22, customer: 'ada' });
        await assert.rejects(blind.next());
        await blind.close();
      });

      test('starts at the time of a session', async () => {
        const session = client.startSession();
        await orders.insertOne({ _id: 30, customer: 'ada' });
        await orders.insertOne({ _id: 31, customer: 'ben' }, { session });
        const stream = orders.watch([], { startAtOperationTime: session.operationTime });
        await orders.insertOne({ _id: 32, customer: 'cyd' });
        const seen = [];
        while (!seen.includes(32)) {
          seen.push((await stream.next()).documentKey._id);
        }
        assert.ok(seen.includes(31), `sees ${seen}`);
        await stream.close();
        await session.endSession();
      });

      test('names the transaction of its events', async () => {
        const stream = await opened(orders.watch([], QUICK));
        await client.withSession((session) => session.withTransaction(async () => {
          await orders.insertMany([{ _id: 40, customer: 'ada' }, { _id: 41, customer: 'ada' }], { session });
          await orders.updateOne({ customer: 'ada', _id: 40 }, { $set: { paid: true } }, { session });
        }));
        const events = await take(stream, 3);
        assert.deepEqual(kinds(events), ['insert', 'insert', 'update']);
        assert.ok(events.every(({ txnNumber, lsid }) => Number(txnNumber) === Number(events[0].txnNumber) && lsid.id.sub_type === 4));
        await stream.close();
      });

      test('is over a database and over all', async () => {
        const ofDatabase = await opened(db.watch([], QUICK));
        const ofAll = await opened(client.watch([{ $match: { 'ns.db': db.databaseName } }], QUICK));
        await db.collection('later').insertOne({ _id: 1 });
        await orders.insertOne({ _id: 50, customer: 'ada' });
        for (const stream of [ofDatabase, ofAll]) {
          const events = await take(stream, 2);
          assert.deepEqual(events.map(({ ns }) => ns.coll).toSorted(), ['later', 'orders']);
        }
        await db.collection('later').drop();
        for (const stream of [ofDatabase, ofAll]) {
          assert.deepEqual(kinds(await take(stream, 1)), ['drop']);
          await stream.close();
        }
      });
    });
  }

  test('ends with its collection and begins anew', async () => {
    const items = client.db('ends').collection('items');
    await items.insertOne({ _id: 1 });
    const stream = await opened(items.watch([], QUICK));
    await items.drop();
    const events = await take(stream, 2);
    assert.deepEqual(kinds(events), ['drop', 'invalidate']);
    assert.ok(stream.closed || (await stream.tryNext().catch(() => null)) === null);
    const anew = await opened(items.watch([], { ...QUICK, startAfter: events[1]._id }));
    await items.insertOne({ _id: 2 });
    assert.deepEqual(ids(await take(anew, 1)), [2]);
    await anew.close();

    const ofDatabase = await opened(client.db('ends').watch([], QUICK));
    await client.db('ends').dropDatabase();
    assert.deepEqual(kinds(await take(ofDatabase, 3)), ['drop', 'dropDatabase', 'invalidate']);
  });

  test('shows a document that expires as deleted', async () => {
    const items = client.db('expires').collection('items');
    await items.createIndex({ until: 1 }, { expireAfterSeconds: 0 });
    const stream = await opened(items.watch([], { ...QUICK, fullDocumentBeforeChange: 'required' }));
    await items.insertOne({ _id: 1, until: new Date(0) });
    const events = await take(stream, 2);
    assert.deepEqual(kinds(events), ['insert', 'delete']);
    assert.equal(events[1].fullDocumentBeforeChange._id, 1);
    await stream.close();
  });

  test('ends when an operator ends its wait', async () => {
    const items = client.db('ended').collection('items');
    await items.insertOne({ _id: 1 });
    const stream = items.watch([], { maxAwaitTimeMS: 600_000 });
    const waiting = refusedWith(11601, stream.next());
    const admin = client.db('admin');
    let waits = [];
    while (waits.length === 0) {
      ({ inprog: waits } = await admin.command({ currentOp: 1, op: 'getmore', ns: 'ended.items' }));
    }
    await admin.command({ killOp: 1, op: waits[0].opid });
    await waiting;
    assert.deepEqual((await admin.command({ currentOp: 1, op: 'getmore', ns: 'ended.items' })).inprog, []);
  });
});

test('a change stream shows everything although the throughput is used up', async () => {
  const server = await Server.start({ throttling: true });
  const client = await connectMongo(server, { monitorCommands: true });
  try {
    const items = client.db('throttled').collection('items');
    await items.insertOne({ _id: 0 });
    const stream = await opened(items.watch([], QUICK));
    const batches = [];
    client.on('commandSucceeded', ({ commandName, reply }) => {
      if (commandName === 'getMore') {
        batches.push(reply.cursor.nextBatch.length);
      }
    });
    const fill = 'f'.repeat(100_000);
    let written = 0;
    for (let isThrottled = false; !isThrottled && written < 1000;) {
      await items.insertOne({ _id: written + 1, fill }).then(
        () => { written += 1; },
        ({ code, message }) => {
          assert.equal(code, 16500, message);
          isThrottled = true;
        });
    }
    assert.ok(written > 0 && written < 1000);
    const events = await take(stream, written);
    assert.deepEqual(ids(events), Array.from({ length: written }, (_, i) => i + 1));
    assert.ok(events.every(({ fullDocument }) => fullDocument.fill === fill));
    assert.equal(batches[0], 0, 'the throughput was used up when the stream asked first');
    await stream.close();
  } finally {
    await client.close();
    await server.close();
  }
});

test('a stream of all databases goes on over a restart', async () => {
  const server = await Server.start();
  let client = await connectMongo(server);
  try {
    const before = await opened(client.watch([], QUICK));
    await client.db('first').collection('items').insertMany([{ _id: 1 }, { _id: 2 }]);
    const [{ _id: token }] = await take(before, 1);
    await client.db('second').collection('items').insertOne({ _id: 3 });
    await client.close();
    await server.restart();

    client = await connectMongo(server);
    const after = client.watch([], { ...QUICK, resumeAfter: token });
    const missed = await take(after, 2);
    assert.deepEqual(missed.map(({ ns: { db }, documentKey: { _id } }) => [db, _id]).toSorted(), [['first', 2], ['second', 3]]);
    // The mark outlives the restart as well: a new database is watched from its first document on.
    await client.db('third').collection('items').insertOne({ _id: 4 });
    await client.db('first').collection('items').deleteOne({ _id: 1 });
    const later = await take(after, 2);
    assert.deepEqual(later.map(({ ns: { db }, operationType }) => [db, operationType]).toSorted(), [['first', 'delete'], ['third', 'insert']]);
    const resumed = client.watch([], { ...QUICK, resumeAfter: later[0]._id });
    assert.deepEqual(ids(await take(resumed, 1)), ids([later[1]]));
    await after.close();
    await resumed.close();
  } finally {
    await client.close();
    await server.close();
  }
});

test('a change stream goes on over splits and restarts', async () => {
  const server = await Server.start({ args: ['--partition-max-throughput', String(T)] });
  let client = await connectMongo(server);
  const cosmos = connect(server);
  try {
    let db = client.db('grows');
    await db.command({ customAction: 'CreateCollection', collection: 'items', offerThroughput: T, shardKey: 'tenant' });
    let items = db.collection('items');
    let stream = await opened(items.watch([], QUICK));
    const seen = [];
    let token;
    let next = 0;
    const write = async (count) => {
      const first = next;
      next += count;
      await items.insertMany(Array.from({ length: count }, (_, i) => ({ _id: first + i, tenant: `t${(first + i) % 7}` })));
    };
    const read = async (count) => {
      for (const event of await take(stream, count)) {
        seen.push(event.documentKey._id);
        token = event._id;
      }
    };
    for (const partitions of [2, 5]) {
      await write(30);
      await read(10);
      await db.command({ customAction: 'UpdateCollection', collection: 'items', offerThroughput: partitions * T });
      const container = cosmos.database('grows').container('items');
      const { offer } = await container.readOffer();
      let pending;
      do {
        await write(5);
        pending = (await offer.read()).headers['x-ms-offer-replace-pending'];
      } while (String(pending) === 'true');
      await read(next - seen.length);
    }
    await write(20);
    await read(7);
    await stream.close();
    await client.close();
    await server.restart();
    client = await connectMongo(server);
    db = client.db('grows');
    items = db.collection('items');
    stream = items.watch([], { resumeAfter: token });
    await read(next - seen.length);
    await write(3);
    await read(3);
    await stream.close();
    assert.deepEqual(seen.toSorted((a, b) => a - b), Array.from({ length: next }, (_, i) => i));
    for (let tenant = 0; tenant < 7; tenant += 1) {
      const mine = seen.filter((id) => id % 7 === tenant);
      assert.deepEqual(mine, mine.toSorted((a, b) => a - b), `tenant ${tenant} in order`);
    }
  } finally {
    cosmos.dispose();
    await client.close();
    await server.close();
  }
});
