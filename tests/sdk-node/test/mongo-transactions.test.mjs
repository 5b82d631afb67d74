// Transactions with the unmodified MongoDB driver: within one logical partition all or nothing is written.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { THROUGHPUT } from '../lib/client.mjs';
import { connectMongo, refusedWith } from '../lib/mongo.mjs';
import { Server } from '../lib/server.mjs';

const ACCOUNTS = 5;
const START = 100;

describe('a MongoDB client with transactions', () => {
  let server;
  let client;
  let db;
  before(async () => {
    server = await Server.start({ args: ['--mongo-fail-points'] });
    client = await connectMongo(server);
    db = client.db('bank');
  });
  after(async () => {
    await client?.close();
    await server?.close();
  });

  async function collection(name, partitions) {
    await db.command({
      customAction: 'CreateCollection', collection: name, offerThroughput: THROUGHPUT[partitions],
      ...(partitions > 1 && { shardKey: 'branch' }),
    });
    const accounts = db.collection(name);
    await accounts.createIndex({ balance: 1 });
    await accounts.insertMany(Array.from({ length: ACCOUNTS }, (_, i) => ({ _id: i, branch: 'a', balance: START })));
    return accounts;
  }

  const balances = async (accounts, options) =>
    (await accounts.find({ branch: 'a' }, options).sort({ _id: 1 }).toArray()).map(({ balance }) => balance);

  const transient = (error) => error.hasErrorLabel('TransientTransactionError');

  for (const partitions of [1, 5]) {
    test(`sees its writes, and others do not before the commit, on ${partitions} partitions`, async () => {
      const accounts = await collection(`sees${partitions}`, partitions);
      await client.withSession(async (session) => {
        session.startTransaction({ readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority' } });
        await accounts.updateOne({ branch: 'a', _id: 0 }, { $inc: { balance: -30 } }, { session });
        await accounts.updateMany({ branch: 'a', balance: { $lt: START } }, { $set: { poor: true } }, { session });
        await accounts.insertMany([{ _id: 7, branch: 'a', balance: 1 }, { _id: 8, branch: 'a', balance: 2 }], { session });
        assert.equal((await accounts.deleteOne({ branch: 'a', balance: 2 }, { session })).deletedCount, 1);
        const old = await accounts.findOneAndUpdate({ branch: 'a', balance: 1 }, { $inc: { balance: 4 } }, { session });
        assert.equal(old.balance, 1);
        assert.deepEqual(await balances(accounts, { session }), [70, 100, 100, 100, 100, 5]);
        assert.deepEqual(await accounts.distinct('balance', { branch: 'a', balance: { $lt: 100 } }, { session }), [5, 70]);
        assert.equal(await accounts.countDocuments({ branch: 'a', poor: true }, { session }), 1);
        assert.deepEqual(await balances(accounts), [100, 100, 100, 100, 100]);
        await session.commitTransaction();
        assert.deepEqual(await balances(accounts), [70, 100, 100, 100, 100, 5]);
        await session.commitTransaction();
        assert.deepEqual(await balances(accounts), [70, 100, 100, 100, 100, 5]);
      });
    });

    test(`leaves nothing when it is aborted, on ${partitions} partitions`, async () => {
      const accounts = await collection(`aborts${partitions}`, partitions);
      await client.withSession(async (session) => {
        session.startTransaction();
        await accounts.deleteMany({ branch: 'a' }, { session });
        assert.deepEqual(await balances(accounts, { session }), []);
        await session.abortTransaction();
        session.startTransaction();
        await accounts.insertOne({ _id: 9, branch: 'a' }, { session });
      });
      assert.deepEqual(await balances(accounts), [100, 100, 100, 100, 100]);
    });

    test(`moves money among many clients, on ${partitions} partitions${partitions > 1 ? ' that split' : ''}`, async () => {
      const accounts = await collection(`moves${partitions}`, partitions);
      const transfer = (from, to) => client.withSession((session) => session.withTransaction(async () => {
        const source = await accounts.findOne({ branch: 'a', _id: from }, { session });
        const target = await accounts.findOne({ branch: 'a', _id: to }, { session });
        await accounts.updateOne({ branch: 'a', _id: from }, { $set: { balance: source.balance - 1 } }, { session });
        await accounts.updateOne({ branch: 'a', _id: to }, { $set: { balance: target.balance + 1 } }, { session });
      }));
      const teller = async (number) => {
        for (let i = 0; i < 15; i += 1) {
          await transfer((number + i) % ACCOUNTS, (number + i + 1) % ACCOUNTS);
          assert.equal((await balances(accounts)).reduce((sum, balance) => sum + balance, 0), ACCOUNTS * START);
        }
      };
      await Promise.all([
        ...[0, 1, 2, 3].map(teller),
        ...(partitions > 1
          ? [db.command({ customAction: 'UpdateCollection', collection: `moves${partitions}`, offerThroughput: 2 * THROUGHPUT[partitions] })]
          : []),
      ]);
      // 60 transfers, of which each account gave as many as it got.
      assert.deepEqual(await balances(accounts), [100, 100, 100, 100, 100]);
    });
  }

  test('meets the write of somebody else at once', async () => {
    const accounts = await collection('meets', 1);
    await client.withSession(async (session) => {
      session.startTransaction();
      await accounts.findOne({ _id: 1 }, { session });
      await accounts.updateOne({ _id: 2 }, { $inc: { balance: 1 } });
      const error = await refusedWith(112, accounts.updateOne({ _id: 1 }, { $inc: { balance: 1 } }, { session }));
      assert.ok(transient(error));
      await session.abortTransaction();

      session.startTransaction();
      await accounts.updateOne({ _id: 1 }, { $inc: { balance: 1 } }, { session });
      await accounts.updateOne({ _id: 2 }, { $inc: { balance: 1 } });
      assert.ok(transient(await refusedWith(112, session.commitTransaction())));
    });
    assert.equal((await accounts.findOne({ _id: 2 })).balance, START + 2);
  });

  test('says why it cannot leave its logical partition', async () => {
    const accounts = await collection('leaves', 5);
    await client.withSession(async (session) => {
      for (const leave of [
        () => accounts.insertOne({ _id: 9, branch: 'b' }, { session }),
        () => accounts.updateMany({}, { $set: { x: 1 } }, { session }),
        () => accounts.find({}, { session }).toArray(),
        () => db.collection('meets').insertOne({ branch: 'a' }, { session }),
      ]) {
        session.startTransaction();
        await accounts.insertOne({ _id: 8, branch: 'a' }, { session });
        const error = await refusedWith(263, leave());
        assert.match(error.message, /limited to one logical partition/);
        assert.ok(!transient(error));
        await session.abortTransaction();
      }
      session.startTransaction();
      await refusedWith(263, db.collection('notThere').insertOne({}, { session }));
      await session.abortTransaction();
    });
    assert.equal(await accounts.countDocuments({}), ACCOUNTS);
  });

  test('commits once, however often the driver sends the commit', async () => {
    const accounts = await collection('once', 1);
    const fail = (mode, data) => client.db('admin').command({ configureFailPoint: 'failCommand', mode, data });
    await client.withSession(async (session) => {
      session.startTransaction();
      await accounts.updateOne({ _id: 1 }, { $inc: { balance: 1 } }, { session });
      await fail({ times: 1 }, { failCommands: ['commitTransaction'], closeConnection: true });
      await session.commitTransaction();
      await session.commitTransaction();
    });
    assert.equal((await accounts.findOne({ _id: 1 })).balance, START + 1);
  });

  test('is known after the server was killed, if it was committed, and else gone', async () => {
    const accounts = await collection('killed', 5);
    const [committed, open] = [client.startSession(), client.startSession()];
    committed.startTransaction();
    await accounts.insertOne({ _id: 10, branch: 'a', balance: 1 }, { session: committed });
    await committed.commitTransaction();
    open.startTransaction();
    await accounts.insertOne({ _id: 11, branch: 'a', balance: 1 }, { session: open });

    await server.kill();
    await server.restart();

    await committed.commitTransaction();
    const error = await refusedWith(251, accounts.insertOne({ _id: 12, branch: 'a' }, { session: open }));
    assert.ok(transient(error));
    await open.abortTransaction();
    await open.withTransaction((session) => accounts.insertOne({ _id: 13, branch: 'a', balance: 1 }, { session }));
    assert.deepEqual(
      (await accounts.find({ branch: 'a', _id: { $gte: 10 } }).sort({ _id: 1 }).toArray()).map(({ _id }) => _id), [10, 13]);
    await Promise.all([committed, open].map((session) => session.endSession()));
  });
});
