// Validators of collections with the unmodified MongoDB driver, and what they mean for the clients of SQL.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { THROUGHPUT, connect } from '../lib/client.mjs';
import { connectMongo, refusedWith } from '../lib/mongo.mjs';
import { Server } from '../lib/server.mjs';

const UNFIT = 121;

/** As guides of MongoDB show it. */
const STUDENTS = {
  $jsonSchema: {
    bsonType: 'object',
    title: 'Student',
    required: ['name', 'year'],
    properties: {
      name: { bsonType: 'string', description: 'a text, and required' },
      year: { bsonType: 'int', minimum: 2017, maximum: 3017, description: 'an integer, and required' },
      gpa: { bsonType: ['double', 'int'] },
    },
  },
};

describe('a validator', () => {
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

  test('refuses what does not meet it, and says why', async () => {
    const db = client.db('school');
    const students = await db.createCollection('students', { validator: STUDENTS });
    await students.insertOne({ _id: 1, name: 'Ada', year: 2020 });

    const { code, errInfo, message } = await refusedWith(UNFIT, students.insertOne({ _id: 2, name: 'Ben', year: 2000, gpa: 'good' }));
    assert.equal(code, UNFIT);
    assert.equal(message, 'Document failed validation');
    assert.deepEqual(errInfo, {
      failingDocumentId: 2,
      details: {
        operatorName: '$jsonSchema',
        title: 'Student',
        schemaRulesNotSatisfied: [{
          operatorName: 'properties',
          propertiesNotSatisfied: [
            {
              propertyName: 'year',
              description: 'an integer, and required',
              details: [{ operatorName: 'minimum', specifiedAs: { minimum: 2017 }, reason: 'comparison failed', consideredValue: 2000 }],
            },
            {
              propertyName: 'gpa',
              details: [{
                operatorName: 'bsonType', specifiedAs: { bsonType: ['double', 'int'] }, reason: 'type did not match', consideredValue: 'good', consideredType: 'string',
              }],
            },
          ],
        }],
      },
    });

    const many = await refusedWith(UNFIT, students.insertMany([{ _id: 3 }, { _id: 4, name: 'Cyd', year: 2021 }, { _id: 5 }], { ordered: false }));
    assert.deepEqual(many.writeErrors.map(({ index, code: each, err }) => [index, each, err.errInfo.failingDocumentId]), [[0, UNFIT, 3], [2, UNFIT, 5]]);
    assert.equal(many.insertedCount, 1);

    const updated = await refusedWith(UNFIT, students.updateOne({ _id: 1 }, { $unset: { name: '' } }));
    assert.deepEqual(updated.errInfo.details.schemaRulesNotSatisfied, [
      { operatorName: 'required', specifiedAs: { required: ['name', 'year'] }, missingProperties: ['name'] },
    ]);
    await refusedWith(UNFIT, students.findOneAndUpdate({ _id: 1 }, { $set: { year: 1 } }));
    await refusedWith(UNFIT, students.updateOne({ _id: 9 }, { $set: { name: 'Dan' } }, { upsert: true }));
    assert.deepEqual(await students.find().sort({ _id: 1 }).toArray(), [{ _id: 1, name: 'Ada', year: 2020 }, { _id: 4, name: 'Cyd', year: 2021 }]);

    await students.insertOne({ _id: 6 }, { bypassDocumentValidation: true });
    await students.updateOne({ _id: 6 }, { $set: { gpa: 'x' } }, { bypassDocumentValidation: true });
    const { nNonCompliantDocuments, valid } = await db.command({ validate: 'students' });
    assert.deepEqual([nNonCompliantDocuments, valid], [1, true]);
    const [{ options }] = await db.listCollections({ name: 'students' }).toArray();
    assert.deepEqual(options, { validator: STUDENTS, validationLevel: 'strict', validationAction: 'error' });
  });

  test('ends a transaction, and an operation of client.bulkWrite', async () => {
    const numbers = await client.db('school').createCollection('numbers', { validator: { n: { $type: 'number' } } });
    await assert.rejects(
      client.withSession((session) => session.withTransaction(async () => {
        await numbers.insertOne({ _id: 1, n: 1 }, { session });
        await numbers.insertOne({ _id: 2, n: 'x' }, { session });
      })),
      ({ code, errInfo }) => code === UNFIT && errInfo.failingDocumentId === 2,
    );
    assert.equal(await numbers.countDocuments(), 0);
    const error = await client.bulkWrite([
      { name: 'insertOne', namespace: 'school.numbers', document: { _id: 1, n: 'x' } },
      { name: 'insertOne', namespace: 'school.numbers', document: { _id: 2, n: 2 } },
    ], { ordered: false }).then(() => assert.fail('it was written'), (refused) => refused);
    assert.equal(error.writeErrors.get(0).code, UNFIT);
    assert.equal(error.partialResult.insertedCount, 1);
  });

  for (const partitions of [1, 5]) {
    test(`holds for the writes behind collMod, on ${partitions} partitions, over a restart and for SQL`, async () => {
      const db = client.db(`changes${partitions}`);
      await db.command({ customAction: 'CreateCollection', collection: 'items', offerThroughput: THROUGHPUT[partitions], shardKey: 'k' });
      const items = db.collection('items');
      const keys = [1, 2, 3, 4, 5, 6, 7, 8];
      await items.insertMany(keys.map((k) => ({ _id: k, k, n: 'x' })));
      await db.command({ collMod: 'items', validator: { n: { $type: 'number' } }, validationLevel: 'moderate' });
      for (const k of keys) {
        await refusedWith(UNFIT, items.insertOne({ _id: `new${k}`, k, n: 'y' }));
      }
      assert.equal((await items.updateMany({}, { $set: { m: 1 } })).modifiedCount, keys.length);
      assert.equal((await items.updateMany({}, { $set: { n: 1 } })).modifiedCount, keys.length);
      await refusedWith(UNFIT, items.updateMany({}, { $set: { n: 'z' } }));

      const cosmos = connect(server);
      try {
        const container = cosmos.database(`changes${partitions}`).container('items');
        const refused = (promise) => assert.rejects(promise, ({ code, message }) => code === 400 && message.includes('Document failed validation'));
        await refused(container.items.create({ id: 'sql', k: 1, n: 'x' }));
        await container.items.create({ id: 'sql', k: 1, n: 1 });
        await refused(container.items.upsert({ id: 'sql', k: 1, n: 'x' }));
        await refused(container.item('sql', 1).replace({ id: 'sql', k: 1 }));
        await refused(container.item('sql', 1).patch([{ op: 'set', path: '/n', value: 'x' }]));
        const { result } = await container.items.batch([{ operationType: 'Create', resourceBody: { id: 'batch', k: 1 } }], 1);
        assert.equal(result[0].statusCode, 400);
        const body = `function run() {
          getContext().getCollection().createDocument(getContext().getCollection().getSelfLink(), { id: 'script', k: 1 }, (error) => { throw error; });
        }`;
        await container.scripts.storedProcedures.create({ id: 'run', body });
        await assert.rejects(container.scripts.storedProcedure('run').execute(1), ({ code, message }) => code === 400 && message.includes('Document failed validation'));
        // What a client of SQL changes of the container leaves the validator alone.
        const { resource } = await container.read();
        await container.replace(resource);
        await refused(container.items.create({ id: 'again', k: 1 }));
      } finally {
        cosmos.dispose();
      }
      await server.restart();
      await refusedWith(UNFIT, items.insertOne({ _id: 'after', k: 1, n: 'y' }));
      await db.command({ collMod: 'items', validationAction: 'warn' });
      await items.insertOne({ _id: 'after', k: 1, n: 'y' });
      await db.command({ collMod: 'items', validationAction: 'error', validationLevel: 'off' });
      await items.insertOne({ _id: 'off', k: 1, n: 'y' });
    });
  }
});
