// Documents and collections with the unmodified MongoDB driver, over TLS and with the connection string that a start prints.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Binary, Decimal128, Long, MongoClient, ObjectId } from 'mongodb';
import { connect, THROUGHPUT } from '../lib/client.mjs';
import { connectMongo, refusedWith } from '../lib/mongo.mjs';
import { Server } from '../lib/server.mjs';

/** Request units a second that one partition delivers. */
const T = 1000;

const idsOf = (documents) => documents.map(({ _id }) => _id);
const numbers = (count, first = 0) => Array.from({ length: count }, (_, i) => first + i);
const documents = (count) => numbers(count).map((n) => ({ _id: n, n, tenant: `t${n % 7}`, tags: [n % 2 ? 'odd' : 'even', `by${n % 3}`] }));

describe('a MongoDB client', () => {
  let server;
  let client;
  let db;
  before(async () => {
    server = await Server.start();
    client = await connectMongo(server);
    db = client.db('shop');
  });
  after(async () => {
    await client?.close();
    await server?.close();
  });

  /** A collection on one partition, or sharded by `tenant` on five. */
  async function collection(partitions) {
    const name = `c${new ObjectId().toHexString()}`;
    await db.command({
      customAction: 'CreateCollection', collection: name, offerThroughput: THROUGHPUT[partitions],
      ...(partitions > 1 && { shardKey: 'tenant' }),
    });
    return db.collection(name);
  }

  test('connects with what a start prints, and only with the key', async () => {
    const uri = new URL(server.mongoConnectionString);
    assert.deepEqual(Object.fromEntries(uri.searchParams), {
      tls: 'true', tlsCAFile: server.certificate, replicaSet: 'globaldb',
    });
    assert.equal((await db.command({ ping: 1 })).ok, 1);
    uri.password = encodeURIComponent(Buffer.from('wrong').toString('base64'));
    const stranger = new MongoClient(uri.href);
    await refusedWith(18, stranger.connect());
    await stranger.close();
    uri.username = '';
    uri.password = '';
    const nameless = await new MongoClient(uri.href).connect();
    try {
      await refusedWith(13, nameless.db('shop').collection('any').findOne());
    } finally {
      await nameless.close();
    }
  });

  for (const partitions of [1, 5]) {
    describe(`on ${partitions} partitions`, () => {
      let items;
      before(async () => {
        items = await collection(partitions);
        await items.createIndex({ n: 1 });
        assert.equal((await items.insertMany(documents(40))).insertedCount, 40);
      });

      test('finds in order, in part and in pages', async () => {
        assert.deepEqual(idsOf(await items.find({ n: { $gte: 30 } }).sort({ n: -1 }).toArray()), numbers(10, 30).reverse());
        assert.deepEqual(idsOf(await items.find().sort({ n: 1 }).skip(5).limit(3).toArray()), [5, 6, 7]);
        assert.deepEqual(await items.find({ n: 8 }).project({ _id: 0, n: 1, tags: 1 }).toArray(), [{ n: 8, tags: ['even', 'by2'] }]);
        assert.deepEqual(await items.findOne({ tenant: 't3', tags: 'even' }, { sort: { n: 1 }, projection: { tags: 0 } }), { _id: 10, n: 10, tenant: 't3' });
        assert.deepEqual(
          idsOf(await items.find({ $or: [{ n: { $in: [1, 2] } }, { tags: { $all: ['odd', 'by0'] } }], tenant: { $ne: 't1' } }).sort({ n: 1 }).toArray()),
          [2, 3, 9, 21, 27, 33, 39]);
        assert.deepEqual((await items.distinct('tenant', { n: { $lt: 5 } })).sort(), ['t0', 't1', 't2', 't3', 't4']);
        assert.equal(await items.countDocuments({ tags: 'odd' }), 20);
        assert.equal(await items.countDocuments({ tags: 'odd' }, { skip: 5, limit: 10 }), 10);
        assert.equal(await items.estimatedDocumentCount(), 40);
        const cursor = items.find({}, { batchSize: 7, sort: { n: 1 } });
        assert.deepEqual(idsOf(await cursor.toArray()), numbers(40));
        const early = items.find({}, { batchSize: 3 });
        assert.ok(await early.next());
        await early.close();
      });

      test('changes, replaces and deletes', async () => {
        const one = { tenant: 'writes', _id: 'one' };
        assert.equal((await items.updateOne(one, { $set: { n: 1 } }, { upsert: true })).upsertedId, 'one');
        const changed = await items.updateOne(one, { $inc: { n: 2 }, $push: { tags: { $each: ['b', 'a'], $sort: 1 } } });
        assert.deepEqual([changed.matchedCount, changed.modifiedCount], [1, 1]);
        const unchanged = await items.updateOne(one, { $set: { n: 3 } });
        assert.deepEqual([unchanged.matchedCount, unchanged.modifiedCount], [1, 0]);
        assert.deepEqual(await items.findOne(one), { _id: 'one', n: 3, tags: ['a', 'b'], tenant: 'writes' });
        await items.replaceOne(one, { tenant: 'writes', fresh: true });
        assert.deepEqual(await items.findOneAndUpdate(one, { $unset: { fresh: '' } }), { _id: 'one', tenant: 'writes', fresh: true });
        assert.deepEqual(
          await items.findOneAndReplace(one, { tenant: 'writes', n: 4 }, { returnDocument: 'after' }), { _id: 'one', tenant: 'writes', n: 4 });
        assert.equal(
          (await items.findOneAndUpdate({ tenant: 'writes', _id: 'two' }, { $setOnInsert: { n: 9 } }, { upsert: true, returnDocument: 'after' })).n, 9);
        const many = await items.updateMany({ tenant: 'writes' }, { $mul: { n: 10 } });
        assert.deepEqual([many.matchedCount, many.modifiedCount], [2, 2]);
        assert.equal((await items.findOneAndDelete(one)).n, 40);
        assert.equal(await items.findOne(one), null);
        assert.equal((await items.deleteOne({ tenant: 'writes' })).deletedCount, 1);
        assert.equal((await items.deleteMany({ tenant: 'writes' })).deletedCount, 0);
      });

      test('carries out what it can of a list in any order', async () => {
        const tenant = 'bulk';
        await items.insertOne({ _id: 'there', tenant });
        const error = await refusedWith(11000, items.bulkWrite([
          { insertOne: { document: { _id: 'there', tenant } } },
          { insertOne: { document: { _id: 'new', tenant, n: 1 } } },
          { updateOne: { filter: { _id: 'new', tenant }, update: { $set: { n: 2 } } } },
          { deleteOne: { filter: { _id: 'nobody', tenant } } },
        ], { ordered: false }));
        assert.deepEqual(error.writeErrors.map(({ index, code }) => [index, code]), [[0, 11000]]);
        assert.deepEqual([error.insertedCount, error.modifiedCount, error.deletedCount], [1, 1, 0]);
        await refusedWith(11000, items.insertMany([{ _id: 'a', tenant }, { _id: 'a', tenant }, { _id: 'b', tenant }]));
        assert.deepEqual(idsOf(await items.find({ tenant }).toArray()).sort(), ['a', 'new', 'there']);
        assert.equal((await items.deleteMany({ tenant })).deletedCount, 3);
      });

      test('keeps values that must differ apart', async () => {
        const lonely = await collection(partitions);
        // Values are unique within one value of the shard key.
        const key = partitions > 1 ? { tenant: 1, email: 1 } : { email: 1 };
        if (partitions > 1) {
          await refusedWith(67, lonely.createIndex({ email: 1 }, { unique: true }));
        }
        const name = await lonely.createIndex(key, { unique: true });
        assert.equal(name, partitions > 1 ? 'tenant_1_email_1' : 'email_1');
        assert.deepEqual((await lonely.indexes()).map((index) => index.name), ['_id_', name]);
        await lonely.insertOne({ tenant: 't', email: 'a@example.org' });
        const error = await refusedWith(11000, lonely.insertOne({ tenant: 't', email: 'a@example.org' }));
        assert.match(error.message, /^E11000 duplicate key error/);
        await lonely.dropIndex(name);
        await lonely.insertOne({ tenant: 't', email: 'a@example.org' });
      });
    });
  }

  test('keeps every type', async () => {
    const all = {
      _id: new ObjectId(), text: 'x', int: 1, double: 1.5, long: Long.fromString('9007199254740993'), decimal: Decimal128.fromString('0.10'),
      date: new Date(0), bytes: new Binary(Buffer.from([1, 2])), none: null, is: true, pattern: /a+/i, nested: { list: [1, [2, { three: 3 }]] },
    };
    const types = db.collection('types');
    await types.insertOne(all);
    assert.deepEqual(await types.findOne({ _id: all._id }, { promoteLongs: false, promoteValues: true }), all);
  });

  test('shards a collection in the words of the service', async () => {
    const there = await collection(5);
    for (const [name, key] of [['shop.sharded', 'customer.id'], ['shop.sharded', 'customer.id'], [there.namespace, 'tenant']]) {
      // The driver shows the times of the cluster with every answer.
      const { operationTime, $clusterTime, ...answer } = await db.command({ shardCollection: name, key: { [key]: 'hashed' } });
      assert.deepEqual(answer, { _t: 'ShardCollectionResponse', ok: 1, collectionsharded: name });
    }
    await refusedWith(20, db.command({ shardCollection: 'shop.sharded', key: { other: 'hashed' } }));
    await db.createCollection('whole');
    await refusedWith(20, db.command({ shardCollection: 'shop.whole', key: { other: 'hashed' } }));
    const described = await db.command({ customAction: 'GetCollection', collection: 'sharded' });
    assert.deepEqual(described.shardKeyDefinition, { 'customer.id': 'hashed' });
  });

  test('is refused what is not there, by name', async () => {
    const items = db.collection('refused');
    await items.insertOne({ _id: 1, text: 'word' });
    const refusals = [
      [238, /\$setWindowFields/, () => items.aggregate([{ $setWindowFields: { output: {} } }]).toArray()],
      [238, /showExpandedEvents/, () => items.watch([], { showExpandedEvents: true }).next()],
      [2, /\$text/, () => items.find({ $text: { $search: 'word' } }).toArray()],
      [2, /\$near/, () => items.find({ at: { $near: [1, 2] } }).toArray()],
      [67, /'text'/, () => items.createIndex({ text: 'text' })],
      [67, /'2dsphere'/, () => items.createIndex({ at: '2dsphere' })],
      [2, /collation/, () => items.find().collation({ locale: 'fr', strength: 2 }).toArray()],
    ];
    for (const [code, message, call] of refusals) {
      assert.match((await refusedWith(code, call())).message, message);
    }
    await refusedWith(59, db.command({ noSuchCommand: 1 }));
    assert.deepEqual(idsOf(await items.find().toArray()), [1]);
  });

  test('goes on with a cursor over another connection', async () => {
    const items = await collection(5);
    await items.insertMany(documents(20));
    const { cursor } = await db.command({ find: items.collectionName, sort: { _id: 1 }, batchSize: 8 }, { promoteLongs: false });
    const other = await connectMongo(server);
    try {
      const rest = await other.db('shop').command({ getMore: cursor.id, collection: items.collectionName });
      assert.deepEqual([...cursor.firstBatch, ...rest.cursor.nextBatch].map(({ _id }) => Number(_id)), numbers(20));
      await refusedWith(43, db.command({ getMore: cursor.id, collection: items.collectionName }));
    } finally {
      await other.close();
    }
  });

  test('writes what SQL reads', async () => {
    const items = await collection(5);
    await items.insertOne({ _id: 'k1', tenant: 'acme', n: 7, at: { city: 'Oslo' } });
    const cosmos = connect(server);
    try {
      const container = cosmos.database('shop').container(items.collectionName);
      assert.equal((await container.readPartitionKeyRanges().fetchAll()).resources.length, 5);
      const { resource } = await container.item('k1', 'acme').read();
      const { resources } = await container.items.query("SELECT * FROM c WHERE c.at.city = 'Oslo'").fetchAll();
      for (const item of [resource, ...resources]) {
        const { _id, id, tenant, n, at } = item;
        assert.deepEqual({ _id, id, tenant, n, at }, { _id: 'k1', id: 'k1', tenant: 'acme', n: 7, at: { city: 'Oslo' } });
      }
      assert.equal(resources.length, 1);
    } finally {
      cosmos.dispose();
    }
  });

  for (const partitions of [1, 5]) {
    test(`reads what SQL writes, and both change one item, on ${partitions} partitions`, async () => {
      const items = await collection(partitions);
      const key = partitions > 1 ? { tenant: 'acme' } : {};
      const cosmos = connect(server);
      try {
        const container = cosmos.database('shop').container(items.collectionName);
        await container.items.create({ id: 'sql', ...key, n: 0, list: [1, 2.5, null, { a: true }] });
        assert.deepEqual(await items.findOne({ 'list.a': true }), { _id: 'sql', ...key, n: 0, list: [1, 2.5, null, { a: true }] });

        const item = container.item('sql', key.tenant);
        await Promise.all(numbers(50).flatMap(() => [
          items.updateOne({ _id: 'sql', ...key }, { $inc: { n: 1 } }),
          item.patch([{ op: 'incr', path: '/n', value: 1 }]),
        ]));
        assert.equal((await items.findOne({ _id: 'sql' })).n, 100);
        assert.equal((await item.read()).resource.n, 100);

        const { resource } = await item.read();
        await assert.rejects(item.replace({ ...resource, _id: 'other' }), { code: 400 });
        await refusedWith(66, items.updateOne({ _id: 'sql', ...key }, { $set: { _id: 'other' } }));
        await refusedWith(11000, items.insertOne({ _id: 'sql', ...key }));
        await item.delete();
        assert.equal(await items.countDocuments(), 0);
      } finally {
        cosmos.dispose();
      }
    });
  }
});

describe('a collection', () => {
  test('is there after a restart', async () => {
    const server = await Server.start();
    try {
      let client = await connectMongo(server);
      await client.db('kept').collection('items').insertMany(documents(20));
      await client.db('kept').collection('items').createIndex({ n: 1 }, { unique: true });
      await client.close();
      await server.restart();
      client = await connectMongo(server);
      try {
        const items = client.db('kept').collection('items');
        assert.deepEqual(await items.find().sort({ _id: 1 }).toArray(), documents(20));
        await refusedWith(11000, items.insertOne({ _id: 'other', n: 3 }));
      } finally {
        await client.close();
      }
    } finally {
      await server.close();
    }
  });

  test('is split while a cursor is read', async () => {
    const server = await Server.start({ args: ['--partition-max-throughput', String(T)] });
    const client = await connectMongo(server);
    const cosmos = connect(server);
    try {
      const db = client.db('grows');
      await db.command({ customAction: 'CreateCollection', collection: 'items', offerThroughput: T, shardKey: 'tenant' });
      const items = db.collection('items');
      await items.createIndex({ n: 1 });
      await items.insertMany(documents(200));
      const cursors = [
        { cursor: items.find({}, { batchSize: 10 }), seen: [], expected: numbers(200) },
        { cursor: items.find({ n: { $gte: 50 } }, { batchSize: 10, sort: { n: -1 } }), seen: [], expected: numbers(150, 50).reverse(), ordered: true },
        { cursor: items.find({ tenant: 't3' }, { batchSize: 3 }), seen: [], expected: numbers(200).filter((n) => n % 7 === 3) },
      ];
      const container = cosmos.database('grows').container('items');
      for (const partitions of [2, 5]) {
        for (const { cursor, seen } of cursors) {
          for (let i = 0; i < 11; i += 1) {
            seen.push((await cursor.next())._id);
          }
        }
        await db.command({ customAction: 'UpdateCollection', collection: 'items', offerThroughput: partitions * T });
        const { offer } = await container.readOffer();
        let pending;
        do {
          pending = (await offer.read()).headers['x-ms-offer-replace-pending'];
        } while (String(pending) === 'true');
        assert.equal((await container.readPartitionKeyRanges().fetchAll()).resources.length, partitions);
      }
      for (const { cursor, seen, expected, ordered } of cursors) {
        seen.push(...idsOf(await cursor.toArray()));
        assert.deepEqual(ordered ? seen : seen.toSorted((a, b) => a - b), expected);
      }
      assert.equal((await items.updateMany({}, { $inc: { n: 1 } })).modifiedCount, 200);
    } finally {
      cosmos.dispose();
      await client.close();
      await server.close();
    }
  });
});
