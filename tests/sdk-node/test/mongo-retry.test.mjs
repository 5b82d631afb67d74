// Writes that the unmodified MongoDB driver sends again, and writes that a test sends again: each is made once.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Long } from 'mongodb';
import { THROUGHPUT } from '../lib/client.mjs';
import { connectMongo, refusedWith } from '../lib/mongo.mjs';
import { Server } from '../lib/server.mjs';

describe('a write that is sent again', () => {
  let server;
  let client;
  let db;
  const heard = [];
  before(async () => {
    server = await Server.start({ args: ['--mongo-fail-points'] });
    client = await connectMongo(server, { monitorCommands: true, serverSelectionTimeoutMS: 300_000 });
    client.on('commandStarted', ({ commandName, command }) => command.txnNumber && heard.push(commandName));
    db = client.db('retry');
  });
  after(async () => {
    await client?.close();
    await server?.close();
  });

  const fail = (point, mode, data) => client.db('admin').command({ configureFailPoint: point, mode, data });

  /** The fate of the first sending. The second is the driver's own. */
  const failures = {
    'did not arrive': (command) => fail('failCommand', { times: 1 }, { failCommands: [command], closeConnection: true }),
    'met a server that was going': (command) => fail('failCommand', { times: 1 }, { failCommands: [command], errorCode: 11600 }),
    'was made, with a failure to be sent again': (command) =>
      fail('failCommand', { times: 1 }, { failCommands: [command], writeConcernError: { code: 91, errmsg: 'going' } }),
    'was made, and its answer was lost': () => fail('onPrimaryTransactionalWrite', { times: 1 }, {}),
  };

  for (const partitions of [1, 5]) {
    for (const [name, arrange] of Object.entries(failures)) {
      test(`on ${partitions} partitions, the first of which ${name}`, async () => {
        const collection = `c${partitions}-${name.length}`;
        await db.command({
          customAction: 'CreateCollection', collection, offerThroughput: THROUGHPUT[partitions],
          ...(partitions > 1 && { shardKey: 'k' }),
        });
        const items = db.collection(collection);
        const twice = async (command, work) => {
          await arrange(command);
          heard.length = 0;
          const answer = await work();
          assert.deepEqual(heard, [command, command]);
          return answer;
        };

        await twice('insert', () => items.insertOne({ _id: 1, k: 'a', n: 0 }));
        await twice('insert', () => items.insertMany([{ _id: 2, k: 'a', n: 0 }, { _id: 3, k: 'b', n: 0 }, { _id: 4, k: 'b', n: 0 }]));
        const updated = await twice('update', () => items.updateOne({ _id: 1, n: 0 }, { $inc: { n: 1 } }));
        assert.deepEqual([updated.matchedCount, updated.modifiedCount], [1, 1]);
        const upserted = await twice('update', () => items.updateOne({ k: 'z', x: 1 }, { $inc: { n: 1 } }, { upsert: true }));
        assert.deepEqual((await items.findOne({ k: 'z' }))._id, upserted.upsertedId);
        const before = await twice('findAndModify', () => items.findOneAndUpdate({ k: 'a', _id: 1 }, { $inc: { n: 1 } }));
        assert.equal(before.n, 1);
        const taken = await twice('findAndModify', () => items.findOneAndDelete({ k: 'a' }, { sort: { n: -1 } }));
        assert.equal(taken.n, 2);
        assert.equal((await twice('delete', () => items.deleteOne({ _id: 3 }))).deletedCount, 1);
        assert.deepEqual(
          (await items.find().project({ k: 1, n: 1 }).sort({ n: 1, k: 1 }).toArray()).map(({ k, n }) => [k, n]),
          [['a', 0], ['b', 0], ['z', 1]]);
      });
    }
  }

  test('was made, and the server was killed before it answered', async () => {
    const items = db.collection('cut');
    await items.insertMany([{ _id: 1, n: 0 }, { _id: 2, n: 0 }]);
    const writes = {
      insert: [() => items.insertOne({ _id: 3, n: 0 }), { acknowledged: true, insertedId: 3 }, (all) => all.length === 3],
      update: [
        () => items.updateOne({ _id: 1 }, { $inc: { n: 1 } }),
        { acknowledged: true, matchedCount: 1, modifiedCount: 1, upsertedCount: 0, upsertedId: null },
        (all) => all[0].n === 1],
      findAndModify: [() => items.findOneAndUpdate({ _id: 2 }, { $inc: { n: 1 } }), { _id: 2, n: 0 }, (all) => all[1].n === 1],
      delete: [() => items.deleteOne({ n: 0 }), { acknowledged: true, deletedCount: 1 }, (all) => all.length === 2],
    };
    for (const [command, [write, wanted, isMade]] of Object.entries(writes)) {
      const watch = await connectMongo(server);
      const all = () => watch.db('retry').collection('cut').find().sort({ _id: 1 }).toArray();
      await fail('onPrimaryTransactionalWrite', { times: 1 }, { blockTimeMS: 600_000 });
      heard.length = 0;
      const answer = write();
      while (!isMade(await all())) {
        await new Promise((resolve) => { setImmediate(resolve); });
      }
      const made = await all();
      await watch.close();
      await server.kill();
      await server.restart();

      assert.deepEqual(await answer, wanted);
      assert.deepEqual(heard, [command, command]);
      assert.deepEqual(await items.find().sort({ _id: 1 }).toArray(), made);
    }
  });

  test('is answered alike after the server was killed', async () => {
    const sessions = [client.startSession(), client.startSession()];
    const command = { update: 'killed', updates: [{ q: { _id: 1 }, u: { $inc: { n: 1 } }, upsert: true }, { q: { _id: 2 }, u: { $inc: { n: 1 } } }] };
    await db.collection('killed').insertOne({ _id: 2, n: 0 });
    const send = (txnNumber) => db.command({ ...command, txnNumber: Long.fromNumber(txnNumber) }, { session: sessions[0] });
    const first = await send(7);
    assert.deepEqual([first.n, first.nModified, first.retriedStmtIds], [2, 1, undefined]);
    const change = { findAndModify: 'killed', query: { _id: 2 }, update: { $inc: { n: 1 } }, new: true, txnNumber: Long.fromNumber(1) };
    const modify = () => db.command(change, { session: sessions[1] });
    assert.equal((await modify()).value.n, 2);

    await server.kill();
    await server.restart();

    const again = await send(7);
    assert.deepEqual([again.n, again.nModified, again.retriedStmtIds], [2, 1, [0, 1]]);
    assert.deepEqual(again.upserted, first.upserted);
    const modified = await modify();
    assert.deepEqual([modified.value.n, modified.retriedStmtId], [2, 0]);
    assert.deepEqual((await db.collection('killed').find().sort({ _id: 1 }).toArray()).map(({ n }) => n), [1, 2]);
    await refusedWith(225, send(6));
    await Promise.all(sessions.map((session) => session.endSession()));
  });
});
