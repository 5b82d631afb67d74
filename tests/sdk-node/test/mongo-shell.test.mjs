// MongoDB's shell, unmodified, in a terminal.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Mongosh } from '../lib/mongosh.mjs';
import { Server } from '../lib/server.mjs';

describe('mongosh', () => {
  let server;
  let shell;
  before(async () => {
    server = await Server.start();
    shell = await Mongosh.start(server.mongoConnectionString);
  });
  after(async () => {
    await shell?.close();
    await server?.close();
  });

  /** The document that the shell printed. */
  async function result(command) {
    return JSON.parse(await shell.run(`EJSON.stringify(${command})`).then((printed) => printed.replace(/^'|'$/g, '')));
  }

  test('connects, and tells which set it talks to', async () => {
    assert.equal(shell.prompt, 'globaldb [primary] test> ');
    assert.equal(await shell.run('db.version()'), '8.0.14');
    assert.equal(await shell.run('use shop'), 'switched to db shop');
    assert.equal(shell.prompt, 'globaldb [primary] shop> ');
    assert.equal(await shell.run('show log startupWarnings'), '[]');
    assert.equal(await shell.run('show users'), '[]');
    assert.equal(await shell.run('rs.status().set'), 'globaldb');
    const { authInfo } = await result('db.runCommand({ connectionStatus: 1 })');
    assert.deepEqual(authInfo.authenticatedUsers, [{ user: 'localhost', db: 'admin' }]);
  });

  test('shards a collection, writes, indexes and reads', async () => {
    await shell.run('use shop');
    const sharded = await result('db.runCommand({ shardCollection: "shop.orders", key: { customer: "hashed" } })');
    assert.deepEqual([sharded._t, sharded.ok, sharded.collectionsharded], ['ShardCollectionResponse', 1, 'shop.orders']);
    assert.equal(
      await shell.run('db.orders.insertOne({ _id: 1, customer: "ada", total: 30, at: new Date(0) })'),
      '{ acknowledged: true, insertedId: 1 }');
    assert.equal(
      await shell.run('db.orders.insertMany([{ _id: 2, customer: "ada", total: Long("12") }, { _id: 3, customer: "ben", total: Decimal128("45.10") }])'),
      "{ acknowledged: true, insertedIds: { '0': 2, '1': 3 } }");
    assert.equal(await shell.run('db.orders.createIndex({ total: 1 })'), 'total_1');
    assert.equal(
      await shell.run('db.orders.find({ total: { $gt: 20 } }).sort({ total: -1 })'),
      "[\n  { _id: 3, customer: 'ben', total: Decimal128('45.10') },\n"
      + "  {\n    _id: 1,\n    customer: 'ada',\n    total: 30,\n    at: ISODate('1970-01-01T00:00:00.000Z')\n  }\n]");
    assert.equal(
      await shell.run('db.orders.updateOne({ customer: "ada", _id: 2 }, { $inc: { total: 1 } }).modifiedCount'), '1');
    assert.equal(await shell.run('db.orders.findOne({ customer: "ada", _id: 2 }).total'), "Long('13')");
    assert.equal(await shell.run('db.orders.countDocuments()'), '3');
    const plan = await result('db.orders.find({ total: 30 }).explain("executionStats")');
    assert.deepEqual([plan.queryPlanner.namespace, plan.executionStats.nReturned], ['shop.orders', 1]);
    assert.match(await shell.run('show dbs'), /^shop {2,}\d/m);
    assert.equal(await shell.run('show collections'), 'orders');
    assert.deepEqual((await result('db.orders.getIndexes()')).map(({ name }) => name), ['_id_', 'total_1']);
    const { count, nindexes, ns } = await result('db.orders.stats()');
    assert.deepEqual({ count, nindexes, ns }, { count: 3, nindexes: 2, ns: 'shop.orders' });
    // The shell asks for 20 documents, shows them, and goes on when it is told to.
    await shell.run('db.many.insertMany(Array.from({ length: 30 }, (_, n) => ({ _id: n })))');
    const page = await shell.run('db.many.find().sort({ _id: 1 })');
    assert.match(page, /\{ _id: 19 \}\n\]\nType "it" for more$/);
    assert.match(await shell.run('it'), /\{ _id: 29 \}\n\]$/);
  });

  test('shows what is refused', async () => {
    await shell.run('use shop');
    assert.match(await shell.run('db.missing.aggregate([{ $geoNear: {} }])'), /^Uncaught\s+MongoServerError\[NotImplemented\]: .*\$geoNear/);
    await shell.run('db.unique.insertOne({ _id: 1 })');
    assert.match(await shell.run('db.unique.insertOne({ _id: 1 })'), /^Uncaught\s+MongoServerError: E11000 duplicate key error collection: shop\.unique/);
    assert.match(await shell.run('db.runCommand({ noSuchCommand: 1 })'), /MongoServerError\[CommandNotFound\]: no such command: 'noSuchCommand'/);
  });

  test('ends in order', async () => {
    const other = await Mongosh.start(server.mongoConnectionString);
    assert.equal(await other.run('1 + 1'), '2');
    assert.equal(await other.close(), 0);
  });
});

test('mongosh shows when a partition has no more throughput, and for how long', async () => {
  const server = await Server.start({ throttling: true });
  try {
    const shell = await Mongosh.start(server.mongoConnectionString);
    const writes = 'for (let n = 0; n < 200; n += 1) { db.hot.insertOne({ _id: n, fill: "f".repeat(1000000) }) }';
    const refusal = await shell.run(writes);
    assert.match(refusal, /^Uncaught\s+MongoServerError(\[\w+\])?: Error=16500, RetryAfterMs=\d+, Details='/);
    assert.equal(await shell.close(), 0);
  } finally {
    await server.close();
  }
});
