// Commands of the MongoDB API besides reads and writes, with the unmodified driver: plans, hints, sessions, and what operators see.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { THROUGHPUT } from '../lib/client.mjs';
import { connectMongo, refusedWith } from '../lib/mongo.mjs';
import { Server } from '../lib/server.mjs';

const COUNT = 300;

describe('commands of a MongoDB client', () => {
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

  for (const partitions of [1, 5]) {
    describe(`on ${partitions} partitions`, () => {
      let items;
      before(async () => {
        const name = `on${partitions}`;
        await db.command({
          customAction: 'CreateCollection', collection: name, offerThroughput: THROUGHPUT[partitions],
          ...(partitions > 1 && { shardKey: 'tenant' }),
        });
        items = db.collection(name);
        await items.createIndex({ n: 1 });
        await items.insertMany(Array.from({ length: COUNT }, (_, n) => ({ _id: n, n, tenant: `t${n % 50}` })));
      });

      test('are told how documents are found', async () => {
        const { queryPlanner, executionStats } = await items.find({ n: 7 }).explain('executionStats');
        assert.match(JSON.stringify(queryPlanner.winningPlan), /"IXSCAN".*"n_1"/);
        assert.equal(executionStats.nReturned, 1);
        assert.equal(executionStats.totalDocsExamined, 1);
        assert.ok(executionStats.requestCharge > 0);
        assert.equal(queryPlanner.winningPlan.stage, partitions > 1 ? 'SHARD_MERGE' : 'FETCH');
        const scan = await items.find({ tenant: { $ne: 't1' } }).explain('executionStats');
        // A page looks one document further, to know whether there are more.
        assert.ok(scan.executionStats.totalDocsExamined >= COUNT && scan.executionStats.totalDocsExamined < COUNT + 20);
        assert.equal(scan.executionStats.nReturned, COUNT - COUNT / 50);
        const pipeline = await items.aggregate([{ $match: { n: 7 } }]).explain('queryPlanner');
        assert.match(JSON.stringify(pipeline.queryPlanner.winningPlan), /n_1/);
        assert.equal(pipeline.executionStats, undefined);
      });

      test('explain writes without making them', async () => {
        const plan = await db.command({
          explain: { update: items.collectionName, updates: [{ q: { n: { $lt: 5 } }, u: { $set: { seen: true } }, multi: true }] },
          verbosity: 'executionStats',
        });
        assert.equal(plan.queryPlanner.winningPlan.stage, 'UPDATE');
        assert.equal(plan.executionStats.executionStages.nMatched, 5);
        assert.equal(await items.countDocuments({ seen: true }), 0);
      });

      test('may name the index', async () => {
        assert.equal((await items.find({ n: 7 }, { hint: 'n_1' }).toArray()).length, 1);
        const natural = await items.find({ n: 7 }, { hint: { $natural: 1 } }).explain('queryPlanner');
        assert.match(JSON.stringify(natural.queryPlanner.winningPlan), /COLLSCAN/);
        assert.match((await refusedWith(2, items.find({}, { hint: 'other' }).toArray())).message, /hint provided does not correspond/);
        await refusedWith(2, items.countDocuments({}, { hint: { other: 1 } }));
      });

      test('read their own writes in a session', async () => {
        const session = client.startSession({ causalConsistency: true });
        try {
          await items.insertOne({ _id: 'own', n: -1, tenant: 'own' }, { session });
          assert.ok(session.operationTime);
          assert.equal((await items.findOne({ tenant: 'own', _id: 'own' }, { session })).n, -1);
          await items.deleteOne({ tenant: 'own', _id: 'own' }, { session });
          assert.equal(await items.countDocuments({ n: -1 }, { session }), 0);
        } finally {
          await session.endSession();
        }
      });
    });
  }

  test('hold documents against a schema', async () => {
    const items = db.collection('schemas');
    await items.insertMany([{ _id: 1, name: 'pen', price: 3 }, { _id: 2, name: 'ink' }, { _id: 3, name: 5, price: 3 }]);
    const schema = { required: ['name', 'price'], properties: { name: { bsonType: 'string' }, price: { minimum: 1 } } };
    assert.deepEqual(await items.find({ $jsonSchema: schema }).map(({ _id }) => _id).toArray(), [1]);
    assert.equal(await items.countDocuments({ $nor: [{ $jsonSchema: schema }] }), 2);
    await refusedWith(9, items.findOne({ $jsonSchema: { multipleOf: 2 } }));
  });

  test('list indexes and collections in batches', async () => {
    const items = db.collection('listed');
    await items.createIndexes(Array.from({ length: 7 }, (_, i) => ({ key: { [`f${i}`]: 1 } })));
    assert.equal((await items.listIndexes({ batchSize: 2 }).toArray()).length, 8);
    await db.createCollection('listed2');
    const names = (await db.listCollections({}, { batchSize: 1, nameOnly: true }).toArray()).map(({ name }) => name);
    assert.ok(names.includes('listed') && names.includes('listed2'));
  });

  test('show and end what runs', async () => {
    const admin = client.db('admin');
    assert.ok((await admin.command({ currentOp: 1 })).inprog.length > 0);
    assert.ok((await admin.aggregate([{ $currentOp: {} }, { $match: { active: true } }]).toArray()).length > 0);
    await refusedWith(13, db.command({ currentOp: 1 }));
    assert.equal((await admin.command({ killOp: 1, op: 987654 })).ok, 1);
    const items = db.collection('killed');
    await items.insertMany(Array.from({ length: 10 }, (_, n) => ({ _id: n })));
    const cursor = items.find({}, { batchSize: 2 });
    await cursor.next();
    await admin.command({ killAllSessions: [] });
    await refusedWith(43, cursor.toArray());
  });

  test('look after collections', async () => {
    const items = db.collection('looked-after');
    await items.insertMany(Array.from({ length: 10 }, (_, n) => ({ _id: n })));
    const found = await db.command({ validate: 'looked-after' });
    assert.deepEqual([found.valid, found.nrecords, found.nInvalidDocuments], [true, 10, 0]);
    assert.equal((await db.command({ dataSize: 'shop.looked-after' })).numObjects, 10);
    await refusedWith(20, db.command({ reIndex: 'looked-after' }));
  });

  test('rename a collection, or put it into the place of another', async () => {
    const documents = [{ _id: 1, n: 1 }, { _id: 2, n: 2 }];
    await db.collection('before').insertMany(documents);
    const after = await db.collection('before').rename('after');
    assert.deepEqual(await after.find().sort({ _id: 1 }).toArray(), documents);
    assert.equal(await db.collection('before').countDocuments(), 0);
    await db.collection('other').insertOne({ _id: 9 });
    await refusedWith(48, after.rename('other'));
    const other = await after.rename('other', { dropTarget: true });
    assert.deepEqual(await other.find().sort({ _id: 1 }).toArray(), documents);
    await refusedWith(115, client.db('admin').command({ renameCollection: 'shop.other', to: 'shop2.other' }));
  });

  test('tell which collections, indexes and sessions are used', async () => {
    const items = db.collection('used');
    await items.createIndexes([{ key: { n: 1 } }, { key: { m: 1 } }]);
    await items.insertMany(Array.from({ length: COUNT }, (_, n) => ({ _id: n, n, m: n })));
    await items.find({ n: { $gt: 290 } }, { batchSize: 2 }).toArray();
    await items.countDocuments({ n: 3 });
    await items.updateMany({ m: { $gt: 290 } }, { $set: { seen: true } });
    await items.updateOne({ _id: 4 }, { $set: { seen: true } });
    await items.deleteOne({ _id: 5 });
    const uses = await items.aggregate([{ $indexStats: {} }]).toArray();
    assert.deepEqual(uses.map(({ name, accesses }) => [name, Number(accesses.ops)]), [['_id_', 2], ['n_1', 2], ['m_1', 1]]);
    assert.ok(uses.every(({ accesses, spec, key }) => accesses.since instanceof Date && assert.deepEqual(spec.key, key) === undefined));
    const { totals } = await client.db('admin').command({ top: 1 });
    const { insert, queries, getmore, update } = totals['shop.used'];
    assert.deepEqual([insert.count, queries.count, getmore.count > 0, update.count], [1, 1, true, 2]);
    await client.withSession(async (session) => {
      await items.findOne({ _id: 1 }, { session });
      const listed = await client.db('admin').aggregate([{ $listLocalSessions: { allUsers: true } }]).toArray();
      assert.ok(listed.some(({ _id, user }) => _id.id.toString('hex') === session.id.id.toString('hex') && user === 'localhost@admin'));
    });
  });

  test('follow documents through a collection', async () => {
    const staff = db.collection('staff');
    await staff.insertMany([{ _id: 'ada' }, { _id: 'ben', boss: 'ada' }, { _id: 'eve', boss: 'ben' }]);
    const [{ bosses }] = await staff.aggregate([
      { $match: { _id: 'eve' } },
      { $graphLookup: { from: 'staff', startWith: '$boss', connectFromField: 'boss', connectToField: '_id', as: 'bosses', depthField: 'steps' } },
    ]).toArray();
    assert.deepEqual(bosses, [{ _id: 'ben', boss: 'ada', steps: 0 }, { _id: 'ada', steps: 1 }]);
  });

  test('are counted, and kept where they change more than documents', async () => {
    await db.createCollection('audited');
    await refusedWith(59, db.command({ frobnicate: 1 }));
    await db.dropCollection('audited');
    const metrics = await (await fetch(`http://localhost:${server.statusPort}/metrics`)).text();
    assert.match(metrics, /orrery_requests_total\{api="mongodb",status="0"\} \d/);
    assert.match(metrics, /orrery_requests_total\{api="mongodb",status="59"\} \d/);
    assert.match(metrics, /orrery_partition_items\{container="on5",database="shop",range="\d+"\}/);
    const { openConnections } = await (await fetch(`http://localhost:${server.statusPort}/status`)).json();
    assert.ok(openConnections > 0);
    assert.equal((await fetch(`http://localhost:${server.statusPort}/ready`)).status, 200);
    const log = path.join(server.data, 'audit', 'management.0.jsonl');
    const isKept = () => fs.existsSync(log) && ['create', 'drop'].every((operation) =>
      fs.readFileSync(log, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line))
        .some((line) => line.operation === operation && line.link === 'shop.audited' && line.principal === 'primary read-write key'));
    for (let tries = 0; !isKept() && tries < 200; tries++) {
      await new Promise((resolve) => { setImmediate(resolve); });
      await db.command({ ping: 1 });
    }
    assert.ok(isKept());
  });
});
