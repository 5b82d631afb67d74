// The generation before @azure/data-tables: npm azure-storage 2.10.7, with its own signatures, formats and batches.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { after, before, describe, test } from 'node:test';
import { THROUGHPUT } from '../lib/client.mjs';
import { Server } from '../lib/server.mjs';
import { Tables, uniqueTable } from '../lib/tables.mjs';

const azure = createRequire(import.meta.url)('azure-storage');
const { entityGenerator: edm } = azure.TableUtilities;

let server;
before(async () => { server = await Server.start(); });
after(() => server?.close());

/** A service with promises: each method ends with the result and the response. */
function connect(tables) {
  const service = azure.createTableService(tables.connectionString);
  return new Proxy(service, {
    get: (target, name) => (...args) => new Promise((resolve, reject) => {
      target[name](...args, (error, result) => (error ? reject(error) : resolve(result)));
    }),
  });
}

const plain = (entity) => Object.fromEntries(Object.entries(entity).filter(([name]) => name !== '.metadata' && name !== 'Timestamp').map(([name, { _: value }]) => [name, value]));

async function refused(promise, statusCode, code) {
  const error = await promise.then((value) => assert.fail(`expected ${code}, got ${JSON.stringify(value)}`), (thrown) => thrown);
  assert.deepEqual([error.statusCode, error.code], [statusCode, code], error.message);
  return error;
}

for (const [partitions, form] of [[1, 'emulator'], [5, 'azurite']]) {
  describe(`azure-storage 2.10.7 on ${partitions} partitions, addressed as the ${form}`, () => {
    let tables;
    let service;
    before(() => {
      tables = new Tables(server.tablePort, form);
      service = connect(tables);
    });
    after(() => tables.close());
    const create = () => tables.rest.createTable(uniqueTable(), THROUGHPUT[partitions]);

    test('creates the table of its guide, and retrieves Ben Smith', async () => {
      const people = uniqueTable('people');
      assert.equal((await service.createTableIfNotExists(people)).created, true);
      assert.equal((await service.createTableIfNotExists(people)).created, false);
      assert.equal((await service.doesTableExist(people)).exists, true);
      await service.insertEntity(people, { PartitionKey: edm.String('Smith'), RowKey: edm.String('Ben'), Email: edm.String('Ben@contoso.com'), PhoneNumber: edm.String('425-555-0102') });
      const ben = await service.retrieveEntity(people, 'Smith', 'Ben');
      assert.deepEqual(plain(ben), { PartitionKey: 'Smith', RowKey: 'Ben', Email: 'Ben@contoso.com', PhoneNumber: '425-555-0102' });
      assert.match(ben['.metadata'].etag, /^W\/"datetime'/);
      const { entries } = await service.listTablesSegmentedWithPrefix(people, null);
      assert.deepEqual(entries, [people]);
      await service.deleteTable(people);
      assert.equal((await service.deleteTableIfExists(people)), false);
      assert.equal((await service.doesTableExist(people)).exists, false);
    });

    test('writes and reads every type', async () => {
      const table = await create();
      const entity = {
        PartitionKey: edm.String('p'), RowKey: edm.String("it's 漢🚀"), text: edm.String('ü'), small: edm.Int32(42), large: edm.Int64('9007199254740993'),
        real: edm.Double(1.5), whole: edm.Double(3), infinite: edm.Double('Infinity'), yes: edm.Boolean(true), moment: edm.DateTime(new Date('2026-01-02T03:04:05.678Z')),
        guid: edm.Guid('a455c695-df98-5678-aaaa-81d3367e5a34'), bytes: edm.Binary(Buffer.from([0, 1, 255])),
      };
      await service.insertEntity(table, entity);
      const read = await service.retrieveEntity(table, 'p', "it's 漢🚀");
      assert.deepEqual(plain(read), { ...plain(entity), large: '9007199254740993', infinite: Infinity });
      assert.deepEqual([read.large.$, read.moment.$, read.guid.$, read.bytes.$], ['Edm.Int64', 'Edm.DateTime', 'Edm.Guid', 'Edm.Binary']);
    });

    test('inserts, merges, replaces, upserts and deletes', async () => {
      const table = await create();
      const entity = (more) => ({ PartitionKey: edm.String('p'), RowKey: edm.String('r'), ...more });
      const read = async () => plain(await service.retrieveEntity(table, 'p', 'r'));
      await refused(service.retrieveEntity(table, 'p', 'r'), 404, 'ResourceNotFound');
      const { '.metadata': { etag } } = await service.insertEntity(table, entity({ a: edm.Int32(1) }));
      await refused(service.insertEntity(table, entity({})), 409, 'EntityAlreadyExists');
      await service.mergeEntity(table, entity({ b: edm.Int32(2) }));
      assert.deepEqual(await read(), { PartitionKey: 'p', RowKey: 'r', a: 1, b: 2 });
      await refused(service.replaceEntity(table, { ...entity({ c: edm.Int32(3) }), '.metadata': { etag } }), 412, 'UpdateConditionNotSatisfied');
      await service.replaceEntity(table, entity({ c: edm.Int32(3) }));
      assert.deepEqual(await read(), { PartitionKey: 'p', RowKey: 'r', c: 3 });
      await service.insertOrMergeEntity(table, entity({ d: edm.String('4') }));
      assert.deepEqual(await read(), { PartitionKey: 'p', RowKey: 'r', c: 3, d: '4' });
      await service.insertOrReplaceEntity(table, entity({ e: edm.Boolean(true) }));
      assert.deepEqual(await read(), { PartitionKey: 'p', RowKey: 'r', e: true });
      await service.deleteEntity(table, entity({}));
      await refused(service.deleteEntity(table, entity({})), 404, 'ResourceNotFound');
    });

    test('runs batches, and queries with pages', async () => {
      const table = await create();
      for (const key of ['a', 'b']) {
        const batch = new azure.TableBatch();
        for (let i = 0; i < 10; i += 1) {
          batch.insertEntity({ PartitionKey: edm.String(key), RowKey: edm.String(String(i)), n: edm.Int32(i), at: edm.DateTime(new Date(Date.UTC(2026, 0, 1 + i))) }, { echoContent: i % 2 === 0 });
        }
        const result = await service.executeBatch(table, batch);
        assert.equal(result.length, 10);
        assert.ok(result.every((each) => each.response.isSuccessful));
      }
      const changes = new azure.TableBatch();
      changes.mergeEntity({ PartitionKey: edm.String('a'), RowKey: edm.String('0'), m: edm.Int32(1) });
      changes.deleteEntity({ PartitionKey: edm.String('a'), RowKey: edm.String('1') });
      changes.insertOrReplaceEntity({ PartitionKey: edm.String('a'), RowKey: edm.String('2'), r: edm.Int32(1) });
      await service.executeBatch(table, changes);
      const failing = new azure.TableBatch();
      failing.deleteEntity({ PartitionKey: edm.String('a'), RowKey: edm.String('0') });
      failing.insertEntity({ PartitionKey: edm.String('a'), RowKey: edm.String('2') });
      await refused(service.executeBatch(table, failing), 409, 'EntityAlreadyExists');

      const query = new azure.TableQuery().where('PartitionKey eq ?', 'a').and('n ge ?', 3).or('PartitionKey eq ? and at lt ?', 'b', new Date(Date.UTC(2026, 0, 3))).select('RowKey', 'PartitionKey', 'n').top(3);
      const found = [];
      let token = null;
      do {
        const page = await service.queryEntities(table, query, token);
        assert.ok(page.entries.length <= 3);
        found.push(...page.entries.map(({ PartitionKey, RowKey }) => PartitionKey._ + RowKey._));
        token = page.continuationToken;
      } while (token);
      assert.deepEqual(found, ['a3', 'a4', 'a5', 'a6', 'a7', 'a8', 'a9', 'b0', 'b1']);
      assert.deepEqual(plain(await service.retrieveEntity(table, 'a', '0')).m, 1);
    });
  });
}

test('reads and writes with a shared access signature, and with the properties of the service', async () => {
  const tables = new Tables(server.tablePort, 'azurite');
  const service = connect(tables);
  const table = await tables.rest.createTable(uniqueTable());
  await service.insertEntity(table, { PartitionKey: edm.String('p'), RowKey: edm.String('r') });
  const raw = azure.createTableService(tables.connectionString);
  const sas = raw.generateSharedAccessSignature(table, { AccessPolicy: { Permissions: 'r', Expiry: azure.date.minutesFromNow(10) } });
  const reader = new Proxy(azure.createTableServiceWithSas({ primaryHost: tables.url }, sas), {
    get: (target, name) => (...args) => new Promise((resolve, reject) => { target[name](...args, (error, result) => (error ? reject(error) : resolve(result))); }),
  });
  assert.equal((await reader.retrieveEntity(table, 'p', 'r')).RowKey._, 'r');
  await refused(reader.deleteEntity(table, { PartitionKey: edm.String('p'), RowKey: edm.String('r') }), 403, 'AuthorizationPermissionMismatch');
  const properties = await service.getServiceProperties();
  properties.Cors = { CorsRule: [{ AllowedOrigins: ['http://example.com'], AllowedMethods: ['GET'], AllowedHeaders: ['x'], ExposedHeaders: ['y'], MaxAgeInSeconds: 5 }] };
  await service.setServiceProperties(properties);
  assert.equal((await service.getServiceProperties()).Cors.CorsRule[0].MaxAgeInSeconds, 5);
  tables.close();
});
