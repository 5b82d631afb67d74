// Mongoose, unmodified: models with validation, indexes, subdocuments, versions, aggregation and transactions, on one and on
// five partitions.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import mongoose from 'mongoose';
import { THROUGHPUT } from '../lib/client.mjs';
import { refusedWith } from '../lib/mongo.mjs';
import { Server } from '../lib/server.mjs';

const { Schema } = mongoose;

const orderSchema = new Schema({
  customer: { type: String, required: true },
  number: { type: Number, required: true },
  total: { type: Number, min: 0, index: true },
  tags: [String],
  lines: [{ what: String, count: { type: Number, default: 1 } }],
  address: { city: String, lines: Map },
  paid: { type: Schema.Types.Decimal128 },
  placed: { type: Date, default: () => new Date(0) },
  big: { type: BigInt },
}, { timestamps: true, optimisticConcurrency: true });
orderSchema.index({ customer: 1, number: 1 }, { unique: true });
orderSchema.virtual('count').get(function count() { return this.lines.length; });

const customerSchema = new Schema({ _id: String, name: String });

let server;
before(async () => { server = await Server.start(); });
after(() => server?.close());

for (const partitions of [1, 5]) {
  describe(`Mongoose on ${partitions} partitions`, () => {
    let connection;
    let Order;
    let Customer;
    before(async () => {
      connection = await mongoose.createConnection(server.mongoConnectionString, { dbName: `shop${partitions}`, autoCreate: false, autoIndex: false }).asPromise();
      await connection.db.command({
        customAction: 'CreateCollection', collection: 'orders', offerThroughput: THROUGHPUT[partitions],
        ...(partitions > 1 && { shardKey: 'customer' }),
      });
      // A model knows the shard key, so that saves and deletes of documents name it.
      orderSchema.set('shardKey', partitions > 1 ? { customer: 1 } : undefined);
      Order = connection.model('Order', orderSchema.clone());
      Customer = connection.model('Customer', customerSchema);
      await Order.createCollection();
      await Order.createIndexes();
      await Customer.init();
    });
    after(() => connection?.close());

    test('makes the indexes of its schemas', async () => {
      const names = (await Order.listIndexes()).map(({ name }) => name).sort();
      assert.deepEqual(names, ['_id_', 'customer_1_number_1', 'total_1']);
      assert.deepEqual(await Order.diffIndexes(), { toDrop: [], toCreate: [] });
      assert.deepEqual(await Order.syncIndexes(), []);
    });

    test('saves, reads and deletes documents', async () => {
      const order = await Order.create({
        customer: 'ada', number: 1, total: 30, tags: ['new'], lines: [{ what: 'pen', count: 2 }, { what: 'ink' }],
        address: { city: 'Oslo', lines: { first: 'a' } }, paid: '12.50', big: 9007199254740993n,
      });
      const found = await Order.findOne({ customer: 'ada', _id: order._id });
      assert.deepEqual(
        [found.customer, found.total, found.count, found.lines[1].count, found.address.lines.get('first'), String(found.paid), found.big, found.placed.getTime()],
        ['ada', 30, 2, 1, 'a', '12.50', 9007199254740993n, 0]);
      assert.ok(found.createdAt instanceof Date);

      found.lines.push({ what: 'paper', count: 3 });
      found.lines[0].count = 5;
      found.tags.addToSet('seen');
      found.address.city = undefined;
      await found.save();
      const stored = await Order.findById(order._id).lean();
      assert.deepEqual(stored.lines.map(({ what, count }) => [what, count]), [['pen', 5], ['ink', 1], ['paper', 3]]);
      assert.deepEqual([stored.tags, 'city' in stored.address, stored.__v], [['new', 'seen'], false, 1]);

      // Somebody who has an old version must not write over a new one.
      order.total = 31;
      order.lines = [];
      await assert.rejects(order.save(), mongoose.Error.VersionError);
      await assert.rejects(Order.create({ customer: 'ada' }), mongoose.Error.ValidationError);
      const twice = await refusedWith(11000, Order.create({ customer: 'ada', number: 1 }));
      assert.deepEqual(Object.keys(twice.keyPattern), ['customer', 'number']);
      await found.deleteOne();
      assert.equal(await Order.countDocuments({ customer: 'ada' }), 0);
    });

    test('queries, updates and pages', async () => {
      await Order.insertMany(Array.from({ length: 30 }, (_, n) => ({ customer: `c${n % 3}`, number: n, total: n, tags: n % 2 ? ['odd'] : [] })));
      const page = await Order.find({ total: { $gte: 10 } }).sort('-total').skip(5).limit(3).select('total -_id').lean();
      assert.deepEqual(page, [{ total: 24 }, { total: 23 }, { total: 22 }]);
      assert.equal(await Order.countDocuments({ tags: 'odd' }), 15);
      assert.equal(await Order.estimatedDocumentCount(), 30);
      assert.deepEqual((await Order.distinct('customer')).sort(), ['c0', 'c1', 'c2']);
      assert.ok(await Order.exists({ customer: 'c1', number: 1 }));
      const updated = await Order.findOneAndUpdate({ customer: 'c1', number: 1 }, { $inc: { total: 100 } }, { returnDocument: 'after' });
      assert.equal(updated.total, 101);
      const { matchedCount, modifiedCount } = await Order.updateMany({ customer: 'c2' }, { $set: { total: 0 } });
      assert.deepEqual([matchedCount, modifiedCount], [10, 10]);
      const upserted = await Order.findOneAndUpdate({ customer: 'new', number: 1 }, { total: 7 }, { upsert: true, returnDocument: 'after' });
      assert.equal(upserted.total, 7);
      const seen = [];
      for await (const { number } of Order.find({ customer: 'c0' }).sort({ number: 1 }).cursor({ batchSize: 3 })) {
        seen.push(number);
      }
      assert.deepEqual(seen, [0, 3, 6, 9, 12, 15, 18, 21, 24, 27]);
      const bulk = await Order.bulkWrite([
        { updateOne: { filter: { customer: 'c0', number: 0 }, update: { total: 5 } } },
        { deleteMany: { filter: { customer: 'c1' } } },
        { insertOne: { document: { customer: 'c3', number: 1 } } },
      ]);
      assert.deepEqual([bulk.modifiedCount, bulk.deletedCount, bulk.insertedCount], [1, 10, 1]);
      assert.equal((await Order.deleteMany({})).deletedCount, 22);
    });

    test('aggregates', async () => {
      await Order.insertMany(Array.from({ length: 12 }, (_, n) => ({ customer: `a${n % 3}`, number: n, total: n, tags: n % 2 ? ['all', 'odd'] : ['all'] })));
      await Customer.create({ _id: 'a0', name: 'Anna' }, { _id: 'a1', name: 'Arne' });
      const mine = { customer: /^a[0-9]/ };
      assert.deepEqual(
        await Order.aggregate().match(mine).group({ _id: '$customer', sum: { $sum: '$total' }, most: { $max: '$total' } }).sort('_id'),
        [{ _id: 'a0', sum: 18, most: 9 }, { _id: 'a1', sum: 22, most: 10 }, { _id: 'a2', sum: 26, most: 11 }]);
      assert.deepEqual(
        await Order.aggregate().match(mine).unwind('tags').sortByCount('tags'),
        [{ _id: 'all', count: 12 }, { _id: 'odd', count: 6 }]);
      assert.deepEqual(
        await Order.aggregate().match({ ...mine, number: { $lt: 3 } }).sort('number')
          .lookup({ from: 'customers', localField: 'customer', foreignField: '_id', as: 'who' })
          .project({ _id: 0, number: 1, name: { $first: '$who.name' } }),
        [{ number: 0, name: 'Anna' }, { number: 1, name: 'Arne' }, { number: 2 }]);
      const [{ high, least }] = await Order.aggregate().match(mine).facet({
        high: [{ $match: { total: { $gte: 10 } } }, { $count: 'n' }],
        least: [{ $sort: { total: 1 } }, { $limit: 1 }, { $project: { _id: 0, total: 1 } }],
      });
      assert.deepEqual([high, least], [[{ n: 2 }], [{ total: 0 }]]);
      const seen = [];
      for await (const { number } of Order.aggregate().match(mine).sort('number').cursor({ batchSize: 5 })) {
        seen.push(number);
      }
      assert.deepEqual(seen, Array.from({ length: 12 }, (_, n) => n));
      assert.ok((await Order.aggregate().match(mine).explain()).queryPlanner);
      assert.equal((await Order.deleteMany(mine)).deletedCount, 12);
    });

    test('makes transactions', async () => {
      const totals = async () => (await Order.find({ customer: 'tx' }).sort('number').lean()).map(({ total }) => total);
      await Order.create([{ customer: 'tx', number: 1, total: 10 }, { customer: 'tx', number: 2, total: 0 }]);
      await connection.transaction(async (session) => {
        const from = await Order.findOne({ customer: 'tx', number: 1 }).session(session);
        from.total -= 4;
        await from.save({ session });
        await Order.updateOne({ customer: 'tx', number: 2 }, { $inc: { total: 4 } }, { session });
        await Order.create([{ customer: 'tx', number: 3, total: 1 }], { session });
        assert.equal(await Order.countDocuments({ customer: 'tx' }).session(session), 3);
        const all = await Order.aggregate().match({ customer: 'tx' }).group({ _id: null, sum: { $sum: '$total' } }).session(session);
        assert.deepEqual(all, [{ _id: null, sum: 11 }]);
        assert.deepEqual(await totals(), [10, 0]);
      });
      assert.deepEqual(await totals(), [6, 4, 1]);

      // A document of a transaction that failed is new again, and can be saved.
      const lost = new Order({ customer: 'tx', number: 4, total: 2 });
      await assert.rejects(connection.transaction(async (session) => {
        await lost.save({ session });
        await Order.deleteMany({ customer: 'tx', number: { $lt: 4 } }, { session });
        throw new Error('changed my mind');
      }), /changed my mind/);
      assert.equal(lost.isNew, true);
      assert.deepEqual(await totals(), [6, 4, 1]);
      await lost.save();

      await refusedWith(11000, connection.transaction(async (session) => {
        await Order.create([{ customer: 'tx', number: 5, total: 5 }], { session });
        await Order.create([{ customer: 'tx', number: 1, total: 5 }], { session });
      }));
      assert.deepEqual(await totals(), [6, 4, 1, 2]);
      if (partitions > 1) {
        await refusedWith(263, connection.transaction(async (session) => {
          await Order.create([{ customer: 'tx', number: 5, total: 5 }], { session });
          await Order.create([{ customer: 'other', number: 1, total: 5 }], { session });
        }));
        assert.deepEqual(await totals(), [6, 4, 1, 2]);
      }
      assert.equal((await Order.deleteMany({ customer: 'tx' })).deletedCount, 4);
    });

    test('watches a model', async () => {
      const stream = Order.watch([], { fullDocument: 'updateLookup' });
      // The stream is open once it has told of a write.
      let isOpen = false;
      const first = stream.next().then(() => { isOpen = true; });
      for (let number = 0; !isOpen; number += 1) {
        await Order.create({ customer: 'probe', number });
      }
      await first;
      const order = await Order.create({ customer: 'watched', number: 1, tags: ['a'] });
      order.tags.push('b');
      await order.save();
      await Order.deleteOne({ customer: 'watched' });
      const events = [];
      while (events.length < 3) {
        const event = await stream.next();
        if (event.documentKey._id.equals(order._id)) {
          events.push(event);
        }
      }
      assert.deepEqual(events.map(({ operationType }) => operationType), ['insert', 'update', 'delete']);
      assert.equal(events[1].updateDescription.updatedFields['tags.1'], 'b');
      await stream.close();
      await Order.deleteMany({});
    });

    test('follows references', async () => {
      const Visit = connection.model('Visit', new Schema({ customer: { type: String, ref: 'Customer' } }));
      await Customer.create({ _id: 'ada', name: 'Ada' }, { _id: 'ben', name: 'Ben' });
      await Visit.create({ customer: 'ada' }, { customer: 'ben' }, { customer: 'ada' });
      const visits = await Visit.find().sort({ _id: 1 }).populate('customer').lean();
      assert.deepEqual(visits.map(({ customer }) => customer.name).sort(), ['Ada', 'Ada', 'Ben']);
    });
  });
}
