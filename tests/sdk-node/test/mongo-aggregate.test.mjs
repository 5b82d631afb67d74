// Pipelines with the unmodified MongoDB driver, on one partition and on five, and while one splits.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Decimal128, Double, Int32, Long } from 'mongodb';
import { THROUGHPUT } from '../lib/client.mjs';
import { connectMongo, refusedWith } from '../lib/mongo.mjs';
import { Server } from '../lib/server.mjs';

const CUSTOMERS = ['ada', 'ben', 'cay'];
const ORDERS = Array.from({ length: 300 }, (_, n) => ({
  _id: n, customer: CUSTOMERS[n % 3], total: n % 10, at: new Date(Date.UTC(2026, n % 12, 1)),
  lines: Array.from({ length: n % 4 }, (_line, i) => ({ what: `w${i}`, count: i + 1 })),
}));

describe('a MongoDB client computes in pipelines', () => {
  let server;
  let client;
  let db;
  before(async () => {
    server = await Server.start();
    client = await connectMongo(server);
    db = client.db('computed');
  });
  after(async () => {
    await client?.close();
    await server?.close();
  });

  for (const partitions of [1, 5]) {
    describe(`on ${partitions} partitions`, () => {
      let orders;
      before(async () => {
        const name = `orders${partitions}`;
        await db.command({
          customAction: 'CreateCollection', collection: name, offerThroughput: THROUGHPUT[partitions],
          ...(partitions > 1 && { shardKey: '_id' }),
        });
        orders = db.collection(name);
        await orders.createIndex({ customer: 1 });
        await orders.insertMany(ORDERS, { ordered: false });
        await db.collection('customers').deleteMany({});
        await db.collection('customers').insertMany(CUSTOMERS.map((name, n) => ({ _id: name, level: n })));
      });

      const rows = (stages, options) => orders.aggregate(stages, options).toArray();

      test('groups', async () => {
        const groups = await rows([
          { $match: { customer: { $ne: 'cay' } } },
          { $group: { _id: '$customer', sum: { $sum: '$total' }, mean: { $avg: '$total' }, most: { $max: '$_id' }, n: { $count: {} } } },
          { $sort: { _id: 1 } },
        ]);
        const expected = ['ada', 'ben'].map((customer) => {
          const own = ORDERS.filter((order) => order.customer === customer);
          const sum = own.reduce((total, order) => total + order.total, 0);
          return { _id: customer, sum, mean: sum / own.length, most: Math.max(...own.map(({ _id }) => _id)), n: own.length };
        });
        assert.deepEqual(groups, expected);
      });

      test('unwinds, computes and groups by dates', async () => {
        const groups = await rows([
          { $unwind: '$lines' },
          { $group: { _id: { month: { $month: '$at' } }, count: { $sum: '$lines.count' } } },
          { $set: { month: '$_id.month' } }, { $unset: '_id' }, { $sort: { month: 1 } },
        ]);
        const counts = new Map();
        for (const { at, lines } of ORDERS) {
          for (const { count } of lines) {
            counts.set(at.getUTCMonth() + 1, (counts.get(at.getUTCMonth() + 1) ?? 0) + count);
          }
        }
        assert.deepEqual(groups, [...counts].sort(([a], [b]) => a - b).map(([month, count]) => ({ count, month })));
      });

      test('pages over what is sorted behind a group', async () => {
        const cursor = orders.aggregate([{ $group: { _id: '$_id', t: { $first: '$total' } } }, { $sort: { _id: -1 } }], { batchSize: 7 });
        const ids = [];
        for await (const { _id } of cursor) {
          ids.push(_id);
        }
        assert.deepEqual(ids, ORDERS.map(({ _id }) => _id).reverse());
        const halfway = orders.aggregate([{ $sort: { _id: 1 } }, { $unwind: '$lines' }], { batchSize: 3 });
        await halfway.next();
        const { id } = halfway;
        await halfway.close();
        await refusedWith(43, db.command({ getMore: id, collection: orders.collectionName }));
      });

      test('looks up in another collection', async () => {
        const joined = await rows([
          { $sort: { _id: 1 } }, { $limit: 40 },
          { $lookup: { from: 'customers', localField: 'customer', foreignField: '_id', as: 'who' } },
          { $unwind: '$who' }, { $project: { level: '$who.level' } },
        ]);
        assert.deepEqual(joined, ORDERS.slice(0, 40).map(({ _id }) => ({ _id, level: _id % 3 })));
        const piped = await db.collection('customers').aggregate([
          { $lookup: {
            from: orders.collectionName, let: { name: '$_id' }, as: 'best',
            pipeline: [{ $match: { $expr: { $eq: ['$customer', '$$name'] } } }, { $sort: { total: -1, _id: 1 } }, { $limit: 1 }, { $project: { total: 1 } }],
          } },
          { $sort: { _id: 1 } },
        ]).toArray();
        assert.deepEqual(piped.map(({ best }) => best), CUSTOMERS.map((customer) => {
          const [{ _id, total }] = ORDERS.filter((order) => order.customer === customer).sort((a, b) => b.total - a.total || a._id - b._id);
          return [{ _id, total }];
        }));
      });

      test('takes facets and buckets', async () => {
        const [facets] = await rows([
          { $facet: {
            byTotal: [{ $bucket: { groupBy: '$total', boundaries: [0, 5, 10] } }],
            page: [{ $sort: { _id: 1 } }, { $skip: 10 }, { $limit: 2 }, { $project: { _id: 1 } }],
            count: [{ $count: 'n' }],
            common: [{ $sortByCount: '$customer' }, { $limit: 1 }, { $project: { _id: 0, count: 1 } }],
          } },
        ]);
        assert.deepEqual(facets, {
          byTotal: [{ _id: 0, count: 150 }, { _id: 5, count: 150 }], page: [{ _id: 10 }, { _id: 11 }],
          count: [{ n: 300 }], common: [{ count: 100 }],
        });
        assert.equal((await rows([{ $sample: { size: 17 } }])).length, 17);
        const both = await rows([{ $match: { _id: 1 } }, { $project: { _id: 1 } }, { $unionWith: { coll: 'customers', pipeline: [{ $match: { level: 2 } }] } }]);
        assert.deepEqual(both, [{ _id: 1 }, { _id: 'cay', level: 2 }]);
      });

      test('merges into another collection', async () => {
        const name = `sums${partitions}`;
        const merge = (whenMatched) => rows([
          { $group: { _id: '$customer', n: { $sum: 1 } } },
          { $merge: { into: name, ...(whenMatched && { whenMatched }) } },
        ]);
        assert.deepEqual(await merge(), []);
        await db.collection(name).updateOne({ _id: 'ada' }, { $set: { note: 'first' } });
        await merge([{ $set: { n: { $add: ['$n', '$$new.n'] } } }]);
        assert.deepEqual(await db.collection(name).find().sort({ _id: 1 }).toArray(), [
          { _id: 'ada', n: 200, note: 'first' }, { _id: 'ben', n: 200 }, { _id: 'cay', n: 200 }]);
        await refusedWith(11000, merge('fail'));
      });

      test('replaces another collection', async () => {
        const out = () => rows([{ $match: { customer: 'ben' } }, { $group: { _id: '$total' } }, { $out: `out${partitions}` }]);
        assert.deepEqual(await out(), []);
        await db.collection(`out${partitions}`).createIndex({ n: 1 });
        await db.collection(`out${partitions}`).insertOne({ _id: 'more' });
        await out();
        assert.equal(await db.collection(`out${partitions}`).countDocuments({}), 10);
        assert.equal((await db.collection(`out${partitions}`).indexes()).length, 2);
      });

      test('compares by a collation', async () => {
        assert.deepEqual(
          await rows([{ $match: { customer: 'ADA' } }, { $group: { _id: null, n: { $sum: 1 } } }], { collation: { locale: 'en', strength: 2 } }),
          [{ _id: null, n: 100 }]);
      });
    });
  }

  test('adds up as exactly as the server', async () => {
    const numbers = db.collection('numbers');
    const sum = async (...values) => {
      await numbers.deleteMany({});
      await numbers.insertMany(values.map((v) => ({ v })));
      const [{ s }] = await numbers.aggregate([{ $group: { _id: null, s: { $sum: '$v' } } }], { promoteValues: false }).toArray();
      return s;
    };
    assert.deepEqual(await sum(1, 2, 'x', null), new Int32(3));
    assert.deepEqual(await sum(2147483647, 1), Long.fromString('2147483648'));
    assert.deepEqual(await sum(Long.fromNumber(1), 1), Long.fromNumber(2));
    assert.deepEqual(await sum(Long.MAX_VALUE, 1), new Double(9223372036854775808));
    assert.deepEqual(await sum(...Array.from({ length: 10 }, () => 0.1)), new Double(1));
    assert.deepEqual(await sum(Decimal128.fromString('1.10'), 2), Decimal128.fromString('3.10'));
  });

  test('refuses what takes too much memory, and what is not there', async () => {
    const large = db.collection('large');
    const text = 'x'.repeat(500_000);
    for (let n = 0; n < 120; n += 20) {
      await large.insertMany(Array.from({ length: 20 }, (_, i) => ({ _id: n + i, text })));
    }
    const stages = [{ $group: { _id: null, all: { $push: { t: '$text', n: '$_id' } } } }];
    await refusedWith(292, large.aggregate(stages, { allowDiskUse: true }).toArray());
    await refusedWith(292, large.aggregate([{ $set: { n: { $mod: ['$_id', 7] } } }, { $sort: { n: 1 } }]).toArray());
    assert.equal((await large.aggregate([{ $set: { n: { $mod: ['$_id', 7] } } }, { $sort: { n: -1, _id: 1 } }, { $limit: 2 }]).toArray())[1].n, 6);
    await refusedWith(238, large.aggregate([{ $setWindowFields: { output: {} } }]).toArray());
    await refusedWith(40324, large.aggregate([{ $frob: 1 }]).toArray());
    await refusedWith(10334, large.aggregate([{ $match: { _id: { $lt: 40 } } }, { $group: { _id: null, all: { $push: '$text' } } }]).toArray());
  });

  test('goes on while partitions split', async () => {
    await db.command({ customAction: 'CreateCollection', collection: 'split', shardKey: 'k', offerThroughput: 10000 });
    const items = db.collection('split');
    await items.insertMany(Array.from({ length: 600 }, (_, n) => ({ _id: n, k: n % 50 })), { ordered: false });
    const cursor = items.aggregate(
      [{ $unwind: { path: '$none', preserveNullAndEmptyArrays: true } }, { $lookup: { from: 'customers', pipeline: [{ $limit: 1 }], as: 'c' } }],
      { batchSize: 5 });
    const seen = new Set();
    for (let n = 0; n < 12; n += 1) {
      seen.add((await cursor.next())._id);
    }
    await db.command({ customAction: 'UpdateCollection', collection: 'split', offerThroughput: 40000 });
    for await (const { _id } of cursor) {
      assert.ok(!seen.has(_id), `${_id} came twice`);
      seen.add(_id);
    }
    assert.equal(seen.size, 600);
    const groups = await items.aggregate([{ $group: { _id: '$k', n: { $sum: 1 } } }]).toArray();
    assert.equal(groups.length, 50);
    assert.ok(groups.every(({ n }) => n === 12));
  });
});
