// The generation before @azure/cosmos: npm documentdb 1.15.3, x-ms-version 2017-11-15.
import assert from 'node:assert/strict';
import https from 'node:https';
import { createRequire } from 'node:module';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { KEY, Server } from '../lib/server.mjs';
import { connect as connectToday } from '../lib/client.mjs';
import { Rest } from '../lib/rest.mjs';

const { DocumentClient, UriFactory, DocumentBase } = createRequire(import.meta.url)('documentdb');

let server;
let rest;
let agent;

/** A client with promises. The package insists on TLS 1.0, which no server speaks any more; an agent of one's own decides otherwise. */
function connect(consistency) {
  const client = new DocumentClient(server.endpoint, { masterKey: KEY }, new DocumentBase.ConnectionPolicy(), consistency);
  client.requestAgent = agent;
  const call = (name) => (...args) => new Promise((resolve, reject) => {
    client[name](...args, (error, body, headers) => (error
      ? reject(Object.assign(new Error(error.body ?? error.message), error, { headers }))
      : resolve({ body, headers })));
  });
  return new Proxy(client, { get: (target, name) => (name === 'raw' ? target : call(name)) });
}

async function drain(iterator) {
  const all = [];
  const more = promisify((callback) => iterator.executeNext(callback));
  do {
    const page = await more();
    if (page === undefined) {
      break;
    }
    all.push(...page);
  } while (iterator.hasMoreResults());
  return all;
}

before(async () => {
  server = await Server.start();
  rest = new Rest(server);
  agent = new https.Agent({ ca: server.ca, keepAlive: true, secureProtocol: 'TLS_method' });
});
after(async () => {
  agent?.destroy();
  await server?.close();
});

const SIMPLE_TOKEN = /^\d+:\d+$/;

describe('documentdb 1.15.3', () => {
  test('writes and reads by name on a collection of two ranges', async () => {
    const client = connect();
    await client.createDatabase({ id: 'db' });
    const created = await client.createCollection('dbs/db', { id: 'coll', partitionKey: { paths: ['/deviceId'], kind: 'Hash' } }, { offerThroughput: 20_000 });
    assert.deepEqual(created.body.partitionKey.paths, ['/deviceId']);
    assert.equal(created.body.partitionKey.version ?? 1, 1);
    const ranges = (await rest.get('/dbs/db/colls/coll/pkranges')).json.PartitionKeyRanges;
    assert.deepEqual(ranges.map((r) => [r.minInclusive, r.maxExclusive]), [['', '05C1DFFFFFFFFC'], ['05C1DFFFFFFFFC', 'FF']]);

    const item = { id: 'XMS-001-FE24C', deviceId: 'XMS-0001', reading: 4.5 };
    const written = await client.createDocument('dbs/db/colls/coll', item);
    assert.equal(written.body.id, item.id);
    assert.match(written.headers['x-ms-session-token'], SIMPLE_TOKEN);
    const read = await client.readDocument(UriFactory.createDocumentUri('db', 'coll', item.id), { partitionKey: 'XMS-0001' });
    assert.deepEqual(read.body, written.body);
    assert.match(read.headers['x-ms-session-token'], SIMPLE_TOKEN);
    assert.ok(Number(read.headers['x-ms-request-charge']) > 0);

    const replaced = await client.replaceDocument('dbs/db/colls/coll/docs/XMS-001-FE24C', { ...item, reading: 5 });
    assert.equal(replaced.body.reading, 5);
    const upserted = await client.upsertDocument('dbs/db/colls/coll', { ...item, reading: 6 });
    assert.equal(upserted.body._rid, written.body._rid);
    await client.deleteDocument('dbs/db/colls/coll/docs/XMS-001-FE24C', { partitionKey: 'XMS-0001' });
    await assert.rejects(client.readDocument('dbs/db/colls/coll/docs/XMS-001-FE24C', { partitionKey: 'XMS-0001' }), { code: 404 });
  });

  test('works by self links', async () => {
    const client = connect();
    const db = (await client.readDatabase('dbs/db')).body;
    const coll = (await client.readCollection('dbs/db/colls/coll')).body;
    assert.deepEqual((await client.readDatabase(db._self)).body, db);
    assert.deepEqual((await client.readCollection(coll._self)).body, coll);
    const doc = (await client.createDocument(coll._self, { id: 'by rid', deviceId: 'd-1' })).body;
    assert.ok(doc._self.startsWith(coll._self));
    assert.deepEqual((await client.readDocument(doc._self, { partitionKey: 'd-1' })).body, doc);
    const replaced = (await client.replaceDocument(doc._self, { ...doc, n: 1 }, { partitionKey: 'd-1' })).body;
    assert.equal(replaced.n, 1);
    assert.equal(replaced._rid, doc._rid);
    await assert.rejects(client.replaceDocument(doc._self, { ...doc, n: 2 }, { partitionKey: 'd-1', accessCondition: { type: 'IfMatch', condition: doc._etag } }), { code: 412 });
    await client.deleteDocument(doc._self, { partitionKey: 'd-1' });
    await assert.rejects(client.readDocument(doc._self, { partitionKey: 'd-1' }), { code: 404 });
  });

  test('reads feeds to the end', async () => {
    const client = connect();
    for (let i = 0; i < 24; i += 1) {
      await client.createDocument('dbs/db/colls/coll', { id: `doc-${i}`, deviceId: `device-${i % 8}` });
    }
    for (const maxItemCount of [undefined, 4, 5, 12, 24, 100]) {
      const docs = await drain(client.raw.readDocuments('dbs/db/colls/coll', { maxItemCount }));
      assert.equal(docs.length, 24, `page size ${maxItemCount}`);
      assert.equal(new Set(docs.map((doc) => doc.id)).size, 24);
    }
    assert.deepEqual((await drain(client.raw.readDatabases())).map((db) => db.id), ['db']);
    assert.deepEqual((await drain(client.raw.readCollections('dbs/db'))).map((coll) => coll.id), ['coll']);
    const offers = await drain(client.raw.readOffers());
    assert.equal(offers.length, 1);
    assert.equal(offers[0].content.offerThroughput, 20_000);
    const byQuery = await drain(client.raw.queryDatabases({ query: 'SELECT * FROM root r WHERE r.id=@id', parameters: [{ name: '@id', value: 'db' }] }));
    assert.deepEqual(byQuery.map((db) => db.id), ['db']);
  });

  test('sends and receives session tokens as numbers', async () => {
    const client = connect('Session');
    const seen = [];
    for (let i = 0; i < 6; i += 1) {
      const { headers } = await client.upsertDocument('dbs/db/colls/coll', { id: `s-${i}`, deviceId: `session-${i}` });
      seen.push(headers['x-ms-session-token']);
      const read = await client.readDocument(`dbs/db/colls/coll/docs/s-${i}`, { partitionKey: `session-${i}` });
      assert.match(read.headers['x-ms-session-token'], SIMPLE_TOKEN);
    }
    seen.forEach((token) => assert.match(token, SIMPLE_TOKEN));
    assert.deepEqual([...new Set(seen.map((token) => token.split(':')[0]))].sort(), ['0', '1'], 'both ranges took writes');
    const missing = await client.readDocument('dbs/db/colls/coll/docs/none', { partitionKey: 'session-1' }).catch((error) => error);
    assert.equal(missing.code, 404);
    assert.match(missing.headers['x-ms-session-token'], SIMPLE_TOKEN);
    assert.match(client.raw.getSessionToken('dbs/db/colls/coll'), /^\d+:\d+,\d+:\d+$/);
  });

  test('makes collections without a key, which clients of today find with one', async () => {
    const client = connect();
    await client.createDatabase({ id: 'old' });
    const { body } = await client.createCollection('dbs/old', { id: 'keyless' });
    assert.equal(body.partitionKey, undefined);
    await client.createDocument('dbs/old/colls/keyless', { id: '1', of: 'none' });
    assert.equal((await client.readDocument('dbs/old/colls/keyless/docs/1')).body.of, 'none');
    assert.deepEqual((await drain(client.raw.queryDocuments('dbs/old/colls/keyless', 'SELECT * FROM c'))).map((item) => item.of), ['none']);

    const today = connectToday(server);
    const container = today.database('old').container('keyless');
    const { partitionKey } = (await container.read()).resource;
    assert.deepEqual(partitionKey.paths, ['/_partitionKey']);
    assert.equal(partitionKey.systemKey, true);
    assert.equal((await container.item('1', undefined).read()).resource.of, 'none');
    await container.items.create({ id: '1', of: 'a', _partitionKey: 'a' });
    assert.equal((await container.item('1', 'a').read()).resource.of, 'a');
    for (const none of ['[]', '[{}]']) {
      const headers = { 'x-ms-documentdb-partitionkey': none };
      assert.deepEqual((await rest.query('/dbs/old/colls/keyless/docs', 'SELECT VALUE c.of FROM c', { headers })).json.Documents, ['none']);
    }
    await container.item('1', undefined).replace({ id: '1', of: 'changed' });
    today.dispose();

    assert.equal((await client.readDocument('dbs/old/colls/keyless/docs/1')).body.of, 'changed');
    await client.deleteDatabase('dbs/old');
  });

  test('changes throughput and indexing', async () => {
    const client = connect();
    const coll = (await client.readCollection('dbs/db/colls/coll')).body;
    const [offer] = await drain(client.raw.queryOffers(`SELECT * FROM root r WHERE r.resource = '${coll._self}'`));
    offer.content.offerThroughput = 19_000;
    assert.equal((await client.replaceOffer(offer._self, offer)).body.content.offerThroughput, 19_000);
    assert.equal((await client.readOffer(offer._self)).body.content.offerThroughput, 19_000);
    coll.indexingPolicy.excludedPaths.push({ path: '/reading/?' });
    assert.ok((await client.replaceCollection('dbs/db/colls/coll', coll)).body.indexingPolicy.excludedPaths.some((p) => p.path === '/reading/?'));
  });

  test('may have collections without a partition key', async () => {
    const client = connect();
    await client.createCollection('dbs/db', { id: 'fixed' }, { offerThroughput: 400 });
    const doc = (await client.createDocument('dbs/db/colls/fixed', { id: 'one', n: 1 })).body;
    assert.deepEqual((await client.readDocument('dbs/db/colls/fixed/docs/one')).body, doc);
    assert.deepEqual((await client.readDocument(doc._self)).body, doc);
    await assert.rejects(client.createDocument('dbs/db/colls/fixed', { id: 'one' }), { code: 409 });
    assert.equal((await drain(client.raw.readDocuments('dbs/db/colls/fixed'))).length, 1);
    await client.deleteDocument('dbs/db/colls/fixed/docs/one');
    await client.deleteCollection('dbs/db/colls/fixed');
  });

  test('queries items', async () => {
    const client = connect();
    const coll = 'dbs/db/colls/coll';
    assert.deepEqual(await drain(client.raw.queryDocuments(coll, 'SELECT VALUE COUNT(1) FROM c WHERE c.n = 1', { partitionKey: 'nobody' })), [0]);
    const all = await drain(client.raw.queryDocuments(coll, 'SELECT VALUE c.id FROM c ORDER BY c.id', { enableCrossPartitionQuery: true }));
    assert.deepEqual(all, all.toSorted());
    const read = await drain(client.raw.readDocuments(coll));
    assert.equal(all.length, read.length);
  });

  test('creates users and permissions with tokens', async () => {
    const client = connect();
    await client.createUser('dbs/db', { id: 'u' });
    const { body: permission } = await client.createPermission('dbs/db/users/u', { id: 'p', permissionMode: 'Read', resource: 'dbs/db/colls/coll' });
    assert.match(permission._token, /^type=resource&ver=1/);
    assert.equal((await client.readPermission('dbs/db/users/u/permissions/p')).body.id, 'p');
    await client.deleteUser('dbs/db/users/u');
    await assert.rejects(client.readUser('dbs/db/users/u'), { code: 404 });
    await client.deleteDatabase('dbs/db');
  });
});
