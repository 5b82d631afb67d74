// Databases, containers, offers and partition key ranges through @azure/cosmos.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertStatus, fails, unique } from '../lib/check.mjs';
import { connect, THROUGHPUT } from '../lib/client.mjs';
import { Rest } from '../lib/rest.mjs';
import { Server } from '../lib/server.mjs';

let server;
let client;
let rest;

before(async () => {
  server = await Server.start();
  client = connect(server);
  rest = new Rest(server);
});
after(async () => {
  client?.dispose();
  await server?.close();
});

const RID = { db: /^[A-Za-z0-9+-]{6}==$/, coll: /^[A-Za-z0-9+-]{11}=$/, offer: /^[A-Za-z0-9+-]{4}$/ };

describe('account', () => {
  test('names its one location after the endpoint of the request', async () => {
    const { resource } = await client.getDatabaseAccount();
    assert.equal(resource.writableLocations.length, 1);
    assert.equal(resource.readableLocations.length, 1);
    assert.equal(resource.writableLocations[0].databaseAccountEndpoint, server.endpoint);
    assert.equal(resource.consistencyPolicy, 'Session');
    assert.equal(resource.enableMultipleWritableLocations, false);
    assert.equal(await client.getReadEndpoint(), server.endpoint);
    assert.equal(await client.getWriteEndpoint(), server.endpoint);
  });

  test('has the headers of media storage that old clients read', async () => {
    const { headers } = await rest.get('/');
    assert.equal(headers['x-ms-max-media-storage-usage-mb'], '0');
    assert.equal(headers['x-ms-media-storage-usage-mb'], '0');
  });
});

describe('databases', () => {
  test('are created, read, listed, queried and deleted', async () => {
    const id = unique('db');
    const created = await client.databases.create({ id });
    assert.equal(created.statusCode, 201);
    assert.equal(created.resource.id, id);
    assert.match(created.resource._rid, RID.db);
    assert.equal(created.resource._self, `dbs/${created.resource._rid}/`);
    assert.equal(created.resource._colls, 'colls/');
    assert.equal(created.resource._users, 'users/');
    assert.equal(created.headers.etag, created.resource._etag);
    assert.ok(Number.isInteger(created.resource._ts));
    assert.ok(Math.abs(created.resource._ts - Date.now() / 1000) < 600);

    const read = await client.database(id).read();
    assert.equal(read.statusCode, 200);
    assert.deepEqual(read.resource, created.resource);

    const all = (await client.databases.readAll().fetchAll()).resources;
    assert.equal(all.filter((db) => db.id === id).length, 1);

    const byQuery = await client.databases
      .query({ query: 'SELECT * FROM root r WHERE r.id = @id', parameters: [{ name: '@id', value: id }] }).fetchAll();
    assert.deepEqual(byQuery.resources.map((db) => db.id), [id]);

    assert.equal((await client.database(id).delete()).statusCode, 204);
    await fails(client.database(id).read(), 404);
    await fails(client.database(id).delete(), 404);
  });

  test('exist once', async () => {
    const id = unique('db');
    await client.databases.create({ id });
    await fails(client.databases.create({ id }), 409, { substatus: 3206 });
    const again = await client.databases.createIfNotExists({ id });
    assert.equal(again.statusCode, 200);
    await client.database(id).delete();
    assert.equal((await client.databases.createIfNotExists({ id })).statusCode, 201);
    await client.database(id).delete();
  });

  test('are listed in pages', async () => {
    const prefix = unique('page');
    for (let i = 0; i < 6; i += 1) {
      await client.databases.create({ id: `${prefix}-${i}` });
    }
    const seen = [];
    const pages = client.databases.readAll({ maxItemCount: 2 });
    for (let n = 0; pages.hasMoreResults(); n += 1) {
      assert.ok(n < 100, 'the listing ends');
      const { resources } = await pages.fetchNext();
      assert.ok((resources ?? []).length <= 2);
      seen.push(...(resources ?? []).map((db) => db.id));
    }
    assert.equal(new Set(seen).size, seen.length);
    assert.equal(seen.filter((id) => id.startsWith(prefix)).length, 6);
    for (let i = 0; i < 6; i += 1) {
      await client.database(`${prefix}-${i}`).delete();
    }
  });

  test('share throughput when created with it', async () => {
    const id = unique('shared');
    const { database } = await client.databases.create({ id, throughput: 500 });
    const offer = await database.readOffer();
    assert.equal(offer.resource.content.offerThroughput, 500);
    const { container } = await database.containers.create({ id: 'c', partitionKey: '/pk' });
    await container.items.create({ id: '1', pk: 'a' });
    assert.equal((await container.readOffer()).resource, undefined, 'the container has none of its own');
    await database.delete();
  });

  test('take their containers along when deleted', async () => {
    const id = unique('db');
    const { database } = await client.databases.create({ id });
    const { container } = await database.containers.create({ id: 'c', partitionKey: '/pk' });
    await container.items.create({ id: '1', pk: 'a' });
    await database.delete();
    await fails(container.read(), 404);
    assert.equal((await container.item('1', 'a').read()).statusCode, 404);
    await client.databases.create({ id });
    await fails(container.read(), 404);
    assert.deepEqual((await client.database(id).containers.readAll().fetchAll()).resources, []);
    await client.database(id).delete();
  });
});

describe('containers', () => {
  let database;
  before(async () => {
    ({ database } = await client.databases.create({ id: unique('colls') }));
  });
  after(() => database?.delete());

  test('are created, read, listed, queried and deleted', async () => {
    const id = unique('c');
    const created = await database.containers.create({ id, partitionKey: { paths: ['/pk'], version: 2 } });
    assert.equal(created.statusCode, 201);
    const body = created.resource;
    assert.match(body._rid, RID.coll);
    const db = (await database.read()).resource;
    assert.equal(body._self, `dbs/${db._rid}/colls/${body._rid}/`);
    assert.equal(created.headers.etag, body._etag);
    assert.deepEqual(body.partitionKey, { paths: ['/pk'], kind: 'Hash', version: 2 });
    assert.deepEqual(body.indexingPolicy, {
      indexingMode: 'consistent', automatic: true, includedPaths: [{ path: '/*' }], excludedPaths: [{ path: '/"_etag"/?' }],
    });
    assert.equal(body.conflictResolutionPolicy.mode, 'LastWriterWins');
    assert.equal(body.geospatialConfig.type, 'Geography');
    assert.equal(body.defaultTtl, undefined);
    for (const [name, value] of Object.entries({ _docs: 'docs/', _sprocs: 'sprocs/', _triggers: 'triggers/', _udfs: 'udfs/', _conflicts: 'conflicts/' })) {
      assert.equal(body[name], value);
    }
    const read = await database.container(id).read();
    assert.deepEqual(read.resource, body);

    const listed = (await database.containers.readAll().fetchAll()).resources;
    assert.deepEqual(listed.filter((c) => c.id === id), [body]);
    const byQuery = await database.containers
      .query({ query: 'SELECT * FROM root r WHERE r.id=@id', parameters: [{ name: '@id', value: id }] }).fetchAll();
    assert.deepEqual(byQuery.resources.map((c) => c.id), [id]);

    await fails(database.containers.create({ id, partitionKey: '/pk' }), 409);
    assert.equal((await database.containers.createIfNotExists({ id, partitionKey: '/pk' })).statusCode, 200);
    assert.equal((await database.container(id).delete()).statusCode, 204);
    await fails(database.container(id).read(), 404);
    await fails(database.container(id).delete(), 404);
    await fails(client.database('no-such-database').containers.create({ id, partitionKey: '/pk' }), 404);
  });

  test('tell what their partitions hold where that is asked for', async () => {
    const { resource, container } = await database.containers.create({ id: unique('c'), partitionKey: '/pk' });
    await container.items.create({ id: '1', pk: 'a' });
    const path = `/dbs/${database.id}/colls/${resource.id}`;
    const { json } = await rest.get(path, { headers: { 'x-ms-documentdb-populatepartitionstatistics': 'True' } });
    assert.deepEqual(json.statistics.map((range) => [range.id, range.documentCount]), [['0', 1]]);
    assert.deepEqual(json.statistics[0].partitionKeys.map((key) => key.partitionKey), [['a']]);
    assert.ok(json.statistics[0].sizeInKB > 0);
    assert.equal((await rest.get(path)).json.statistics, undefined);
    assertStatus(await rest.put(path, json), 200);
    await container.delete();
  });

  test('hash with version 1 when the client names no version', async () => {
    const { resource, container } = await database.containers.create({ id: unique('v1'), partitionKey: { paths: ['/pk'] } });
    assert.equal(resource.partitionKey.version ?? 1, 1);
    await container.delete();
  });

  test('replace what may change', async () => {
    const { container, resource } = await database.containers.create({ id: unique('c'), partitionKey: { paths: ['/pk'], version: 2 } });
    await container.items.create({ id: '1', pk: 'a', secret: 1 });
    resource.indexingPolicy.excludedPaths.push({ path: '/secret/?' });
    const replaced = await container.replace(resource);
    assert.equal(replaced.statusCode, 200);
    assert.notEqual(replaced.resource._etag, resource._etag);
    assert.equal(replaced.resource._rid, resource._rid);
    assert.ok(replaced.resource.indexingPolicy.excludedPaths.some((p) => p.path === '/secret/?'));
    const read = (await container.read()).resource;
    assert.deepEqual(read.indexingPolicy, replaced.resource.indexingPolicy);
    assert.equal((await container.item('1', 'a').read()).resource.secret, 1);
    const none = await container.replace({ ...read, indexingPolicy: { indexingMode: 'none', automatic: false } });
    assert.equal(none.resource.indexingPolicy.indexingMode, 'none');
    await container.delete();
  });

  test('refuse to change key or id', async () => {
    const { container, resource } = await database.containers.create({ id: unique('c'), partitionKey: { paths: ['/pk'], version: 2 } });
    await fails(container.replace({ ...resource, partitionKey: { paths: ['/other'], version: 2 } }), 400, { message: /partition key/i });
    await fails(container.replace({ ...resource, id: 'other' }), 400, { message: /\bid\b/i });
    await container.delete();
  });

  test('respect If-Match on replace', async () => {
    const { container, resource } = await database.containers.create({ id: unique('c'), partitionKey: '/pk' });
    await container.replace(resource);
    await fails(container.replace(resource, { accessCondition: { type: 'IfMatch', condition: resource._etag } }), 412);
    const now = (await container.read()).resource;
    await container.replace(now, { accessCondition: { type: 'IfMatch', condition: now._etag } });
    await container.delete();
  });

  for (const [setting, value] of Object.entries({
    vectorEmbeddingPolicy: { vectorEmbeddings: [{ path: '/v', dataType: 'float32', distanceFunction: 'cosine', dimensions: 3 }] },
    fullTextPolicy: { defaultLanguage: 'en-US', fullTextPaths: [{ path: '/text', language: 'en-US' }] },
  })) {
    test(`refuse ${setting}, by name, on create and on replace`, async () => {
      const direct = { partitionKey: { paths: ['/pk'], version: 2 } };
      const db = { id: database.id };
      const created = await rest.post(`/dbs/${db.id}/colls`, { id: unique('x'), ...direct, [setting]: value });
      assertStatus(created, 400);
      assert.match(created.json.message, new RegExp(setting));
      const { container, resource } = await database.containers.create({ id: unique('c'), ...direct });
      const replaced = await rest.put(`/dbs/${db.id}/colls/${resource.id}`, { ...resource, [setting]: value });
      assertStatus(replaced, 400);
      assert.match(replaced.json.message, new RegExp(setting));
      await container.delete();
    });
  }

  test('accept the defaults that SDKs send', async () => {
    const { resource: db } = await database.read();
    const id = unique('c');
    // The Java SDK sends this for new CosmosContainerProperties(id, path).
    const reply = await rest.post(`/dbs/${db.id}/colls`, {
      id,
      partitionKey: { kind: 'Hash', paths: ['/pk'] },
      indexingPolicy: { automatic: true, indexingMode: 'Consistent', includedPaths: [{ path: '/*' }], excludedPaths: [] },
      uniqueKeyPolicy: {},
    });
    assertStatus(reply, 201);
    assert.equal(reply.json.indexingPolicy.indexingMode, 'consistent');
    const again = await rest.put(`/dbs/${db.id}/colls/${id}`, reply.json);
    assertStatus(again, 200);
    assertStatus(await rest.delete(`/dbs/${db.id}/colls/${id}`), 204);
  });

  test('accept legacy index kinds and composite and spatial indexes', async () => {
    const indexingPolicy = {
      indexingMode: 'consistent',
      automatic: true,
      includedPaths: [{ path: '/*', indexes: [{ kind: 'Range', dataType: 'Number', precision: -1 }, { kind: 'Range', dataType: 'String', precision: -1 }] }],
      excludedPaths: [{ path: '/skip/*' }],
      compositeIndexes: [[{ path: '/a', order: 'ascending' }, { path: '/b', order: 'descending' }]],
    };
    const { resource, container } = await database.containers.create({ id: unique('c'), partitionKey: '/pk', indexingPolicy });
    assert.deepEqual(resource.indexingPolicy.compositeIndexes, indexingPolicy.compositeIndexes);
    assert.ok(resource.indexingPolicy.excludedPaths.some((p) => p.path === '/skip/*'));
    await container.delete();
  });

  test('take the root path as old clients write it, and keep the mode lazy', async () => {
    const indexingPolicy = {
      indexingMode: 'lazy',
      includedPaths: [{ path: '/', indexes: [{ kind: 'Hash', dataType: 'Number', precision: 2 }] }],
    };
    const { resource, container } = await database.containers.create({ id: unique('c'), partitionKey: '/pk', indexingPolicy });
    assert.equal(resource.indexingPolicy.indexingMode, 'lazy');
    assert.equal(resource.indexingPolicy.includedPaths[0].path, '/');
    await container.items.create({ id: '1', pk: 'a', n: 5 });
    const { resources } = await container.items.query('SELECT VALUE c.id FROM c WHERE c.n > 4 ORDER BY c.n').fetchAll();
    assert.deepEqual(resources, ['1']);
    const { headers } = await container.read({ populateQuotaInfo: true });
    assert.equal(headers['x-ms-documentdb-collection-lazy-indexing-progress'], '100');
    await container.delete();
  });

  test('refuse paths of a key in the words that clients look for', async () => {
    const create = (paths, kind) => database.containers.create({ id: unique('c'), partitionKey: { paths, kind, version: 2 } });
    await fails(create(['/a', '/b', '/c', '/d'], 'MultiHash'), 400, { message: /Too many partition key paths \(4\) specified. A maximum of 3 is allowed/ });
    await fails(create(['id', '/b'], 'MultiHash'), 400, { message: /The partition key component definition path 'id' could not be accepted/ });
    await fails(create(['/a@b'], 'Hash'), 400, { message: /Partition key paths must contain only valid characters and not contain a trailing slash or wildcard character/ });
  });

  test('refuse an indexing policy without the root path', async () => {
    await fails(database.containers.create({
      id: unique('c'), partitionKey: '/pk',
      indexingPolicy: { indexingMode: 'consistent', automatic: true, includedPaths: [{ path: '/a/?' }], excludedPaths: [] },
    }), 400, { message: /\/\*/ });
  });

  test('refuse throughput that no service accepts', async () => {
    for (const throughput of [399, 450, 0, -400]) {
      const reply = await rest.post(`/dbs/${database.id}/colls`, { id: unique('c'), partitionKey: { paths: ['/pk'] } }, { headers: { 'x-ms-offer-throughput': String(throughput) } });
      assertStatus(reply, 400);
    }
    await fails(database.containers.create({ id: unique('c'), partitionKey: '/pk', maxThroughput: 1500 }), 400);
    await fails(database.containers.create({ id: unique('c'), partitionKey: '/pk', maxThroughput: -200 }), 400, {
      message: /Requested throughput -200 is less than required minimum throughput 1000/,
    });
  });

  test('when recreated are new: no items, another rid', async () => {
    const id = unique('again');
    const rids = new Set();
    for (let round = 0; round < 3; round += 1) {
      const { container, resource } = await database.containers.create({ id, partitionKey: { paths: ['/pk'], version: 2 } });
      rids.add(resource._rid);
      assert.equal((await container.item('1', 'a').read()).statusCode, 404);
      await container.items.create({ id: '1', pk: 'a', round });
      assert.equal((await container.item('1', 'a').read()).resource.round, round);
      await container.delete();
    }
    assert.equal(rids.size, 3);
  });
});

for (const [partitions, throughput] of Object.entries(THROUGHPUT)) {
  describe(`partition key ranges and offers on ${partitions}`, () => {
    let database;
    let container;
    before(async () => {
      ({ database } = await client.databases.create({ id: unique('offers') }));
      ({ container } = await database.containers.create({ id: 'c', partitionKey: { paths: ['/pk'], version: 2 }, throughput }));
    });
    after(() => database?.delete());

    test('ranges tile the key space', async () => {
      const { resources } = await container.readPartitionKeyRanges().fetchAll();
      assert.equal(resources.length, Number(partitions));
      assert.deepEqual(resources.map((r) => r.id), resources.map((_, i) => String(i)));
      let end = '';
      for (const range of resources) {
        assert.equal(range.minInclusive, end);
        assert.deepEqual(range.parents, []);
        assert.equal(range.status, 'online');
        end = range.maxExclusive;
      }
      assert.equal(end, 'FF');
      assert.ok(Math.abs(resources.reduce((sum, r) => sum + r.throughputFraction, 0) - 1) < 1e-9);
      const feedRanges = await container.getFeedRanges();
      assert.equal(feedRanges.length, Number(partitions));
    });

    test('offers are read, queried and replaced', async () => {
      const { resource, offer } = await container.readOffer();
      assert.equal(resource.content.offerThroughput, throughput);
      assert.equal(resource.offerVersion, 'V2');
      assert.match(resource._rid, RID.offer);
      const coll = (await container.read()).resource;
      assert.equal(resource.offerResourceId, coll._rid);
      assert.equal(resource.resource, coll._self);
      assert.deepEqual((await offer.read()).resource, resource);

      const all = (await client.offers.readAll().fetchAll()).resources;
      assert.equal(all.filter((o) => o.offerResourceId === coll._rid).length, 1);
      for (const query of [`SELECT * FROM root WHERE root.offerResourceId = "${coll._rid}"`, `SELECT * from root where root.resource = "${coll._self}"`]) {
        assert.deepEqual((await client.offers.query(query).fetchAll()).resources.map((o) => o.id), [resource.id]);
      }
      const less = throughput === 400 ? 500 : throughput - 1000;
      const replaced = await client.offer(resource.id).replace({ ...resource, content: { ...resource.content, offerThroughput: less } });
      assert.equal(replaced.resource.content.offerThroughput, less);
      assert.notEqual(replaced.resource._etag, resource._etag);
      assert.equal((await container.readOffer()).resource.content.offerThroughput, less);
      assert.equal((await container.readPartitionKeyRanges().fetchAll()).resources.length, Number(partitions));
      assert.ok(Number.isInteger(Number(replaced.headers['x-ms-cosmos-min-throughput'])));
    });

    test('throughput that follows no rule is refused', async () => {
      const { resource } = await container.readOffer();
      for (const wrong of [0, 50, 450, -1, 'many']) {
        await fails(client.offer(resource.id).replace({ ...resource, content: { ...resource.content, offerThroughput: wrong } }), 400);
      }
    });

    test('autoscale', async () => {
      const max = throughput === 400 ? 4000 : 50_000;
      const autoUpgradePolicy = { throughputPolicy: { incrementPercent: 10 } };
      const { container: auto } = await database.containers.create({ id: 'auto', partitionKey: { paths: ['/pk'], version: 2 }, maxThroughput: max, autoUpgradePolicy });
      const { resource } = await auto.readOffer();
      assert.deepEqual(resource.content.offerAutopilotSettings, { maxThroughput: max, autoUpgradePolicy });
      await auto.items.create({ id: '1', pk: 'a' }, { throughputBucket: 1 });
      assert.ok(resource.content.offerThroughput <= max);
      assert.equal((await auto.readPartitionKeyRanges().fetchAll()).resources.length, Number(partitions));
      const changed = { ...resource, content: { ...resource.content, offerAutopilotSettings: { maxThroughput: max - 1000 } } };
      const replaced = await client.offer(resource.id).replace(changed);
      assert.equal(replaced.resource.content.offerAutopilotSettings.maxThroughput, max - 1000);
      await auto.delete();
    });

    test('an offer goes with its container', async () => {
      const { container: short } = await database.containers.create({ id: 'short', partitionKey: '/pk', throughput: 400 });
      const { resource } = await short.readOffer();
      await short.delete();
      await fails(client.offer(resource.id).read(), 404);
      assert.equal((await client.offers.readAll().fetchAll()).resources.filter((o) => o.id === resource.id).length, 0);
    });
  });
}
