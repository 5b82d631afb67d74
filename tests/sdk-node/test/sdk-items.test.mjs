// Items through @azure/cosmos, on one and on five physical partitions.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertError, fails, unique } from '../lib/check.mjs';
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

const VECTOR_TOKEN = /^\d+:-1#\d+$/;

/** Headers that SDKs read from every reply to an item operation. */
function assertItemHeaders(headers, statusCode = 200) {
  assert.match(headers['x-ms-session-token'] ?? '', VECTOR_TOKEN);
  assert.ok(Number(headers['x-ms-request-charge']) > 0, `charge ${headers['x-ms-request-charge']}`);
  assert.match(headers['x-ms-activity-id'], /^[0-9a-f-]{36}$/);
  if (statusCode === 404) {
    assert.equal(headers['x-ms-content-path'], undefined);
  } else {
    assert.match(headers['x-ms-content-path'] ?? '', /^[A-Za-z0-9+-]{11}=$/, 'the rid of the container');
  }
  assert.match(headers['x-ms-alt-content-path'] ?? '', /^dbs\/.*\/colls\//);
}

async function drain(iterator, limit = 10_000) {
  const items = [];
  let pages = 0;
  while (iterator.hasMoreResults()) {
    const { resources } = await iterator.fetchNext();
    items.push(...(resources ?? []));
    pages += 1;
    assert.ok(pages < limit, 'the iteration ends');
  }
  return items;
}

for (const [partitions, throughput] of Object.entries(THROUGHPUT)) {
  describe(`items on ${partitions} physical partitions`, () => {
    let database;
    let container;

    const newContainer = async (partitionKey = { paths: ['/pk'], version: 2 }) =>
      (await database.containers.create({ id: unique('c'), partitionKey, throughput })).container;

    before(async () => {
      ({ database } = await client.databases.create({ id: unique('items') }));
      container = await newContainer();
    });
    after(() => database?.delete());

    test('are created, read, replaced, upserted and deleted', async () => {
      const body = { id: 'life', pk: 'a', n: 1.5, text: 'grüße 🚀', flag: true, nothing: null, list: [1, [2, { deep: [] }]], empty: {}, '': 'unnamed' };
      const created = await container.items.create(body);
      assert.equal(created.statusCode, 201);
      const { _rid, _self, _etag, _ts, _attachments, ...rest } = created.resource;
      assert.deepEqual(rest, body);
      const coll = (await container.read()).resource;
      assert.match(_rid, /^[A-Za-z0-9+-]{22}==$/);
      assert.equal(_self, `${coll._self}docs/${_rid}/`);
      assert.match(_etag, /^"[^"]+"$/);
      assert.equal(created.headers.etag, _etag);
      assert.equal(_attachments, 'attachments/');
      assert.ok(Number.isInteger(_ts));
      assertItemHeaders(created.headers);

      const item = container.item('life', 'a');
      const read = await item.read();
      assert.equal(read.statusCode, 200);
      assert.deepEqual(read.resource, created.resource);
      assertItemHeaders(read.headers);
      assert.equal(Number(read.headers['x-ms-request-charge']), 1);

      const replaced = await item.replace({ ...body, n: 2 });
      assert.equal(replaced.statusCode, 200);
      assert.equal(replaced.resource.n, 2);
      assert.equal(replaced.resource._rid, _rid, 'a replace keeps the rid');
      assert.notEqual(replaced.resource._etag, _etag);
      assertItemHeaders(replaced.headers);

      const upserted = await container.items.upsert({ id: 'life', pk: 'a', fresh: 1 });
      assert.equal(upserted.statusCode, 200);
      assert.equal(upserted.resource.n, undefined);
      assert.equal(upserted.resource._rid, _rid);
      assertItemHeaders(upserted.headers);
      const inserted = await container.items.upsert({ id: 'life2', pk: 'a' });
      assert.equal(inserted.statusCode, 201);

      const removed = await item.delete();
      assert.equal(removed.statusCode, 204);
      assertItemHeaders(removed.headers);
      assert.equal((await item.read()).statusCode, 404);
      assert.notEqual((await container.items.create({ id: 'life', pk: 'a' })).resource._rid, _rid, 'another item, another rid');
      await item.delete();
      await container.item('life2', 'a').delete();
    });

    test('that fail still carry session, charge and a readable error', async () => {
      await container.items.create({ id: 'err', pk: 'a' });
      const item = container.item('err', 'a');
      const stale = { accessCondition: { type: 'IfMatch', condition: '"00000000-0000-0000-0000-000000000000"' } };
      const missing = container.item('nobody', 'a');
      const failures = [
        [409, () => container.items.create({ id: 'err', pk: 'a' })],
        [412, () => item.replace({ id: 'err', pk: 'a' }, stale)],
        [412, () => item.delete(stale)],
        [412, () => item.patch([{ op: 'set', path: '/x', value: 1 }], stale)],
        [412, () => container.items.upsert({ id: 'err', pk: 'a' }, stale)],
        [404, () => missing.replace({ id: 'nobody', pk: 'a' })],
        [404, () => missing.delete()],
        [404, () => missing.patch([{ op: 'set', path: '/x', value: 1 }])],
      ];
      for (const [code, run] of failures) {
        const error = await fails(run(), code);
        assertItemHeaders(error.headers, code);
        assert.ok(error.body.message.length > 10);
        assert.ok(error.body.code);
      }
      const gone = await missing.read();
      assert.equal(gone.statusCode, 404);
      assertItemHeaders(gone.headers, 404);
      await item.delete();
    });

    test('obey preconditions', async () => {
      const { resource } = await container.items.create({ id: 'pre', pk: 'a', n: 0 });
      const item = container.item('pre', 'a');
      const ifMatch = (condition) => ({ accessCondition: { type: 'IfMatch', condition } });
      const ifNoneMatch = (condition) => ({ accessCondition: { type: 'IfNoneMatch', condition } });

      const same = await item.read(ifNoneMatch(resource._etag));
      assert.equal(same.statusCode, 304);
      assert.equal(same.headers.etag, resource._etag);
      assert.equal((await item.read(ifNoneMatch('"other"'))).statusCode, 200);

      const replaced = (await item.replace({ ...resource, n: 1 }, ifMatch(resource._etag))).resource;
      await fails(item.replace({ ...resource, n: 2 }, ifMatch(resource._etag)), 412);
      assert.equal((await item.read()).resource.n, 1);
      assert.equal((await item.replace({ ...replaced, n: 3 }, ifMatch('*'))).resource.n, 3);
      const now = (await item.read()).resource;
      const patched = await item.patch([{ op: 'incr', path: '/n', value: 1 }], ifMatch(now._etag));
      assert.equal(patched.resource.n, 4);
      await fails(item.delete(ifMatch(now._etag)), 412);
      assert.equal((await item.delete(ifMatch(patched.resource._etag))).statusCode, 204);
    });

    test('lose no update among clients that retry on 412', async () => {
      await container.items.create({ id: 'counter', pk: 'a', n: 0 });
      const item = container.item('counter', 'a');
      const add = async () => {
        for (;;) {
          const { resource } = await item.read();
          try {
            await item.replace({ ...resource, n: resource.n + 1 }, { accessCondition: { type: 'IfMatch', condition: resource._etag } });
            return;
          } catch (error) {
            assert.equal(error.code, 412);
          }
        }
      };
      await Promise.all(Array.from({ length: 8 }, async () => {
        for (let i = 0; i < 3; i += 1) {
          await add();
        }
      }));
      assert.equal((await item.read()).resource.n, 24);
      await item.delete();
    });

    test('are patched by every operation', async () => {
      await container.items.create({ id: 'patch', pk: 'a', n: 1, list: [1, 3], gone: true, old: { x: 1 }, 'a/b~c': 0 });
      const item = container.item('patch', 'a');
      const { resource, statusCode, headers } = await item.patch([
        { op: 'add', path: '/added', value: { deep: [] } },
        { op: 'add', path: '/list/1', value: 2 },
        { op: 'add', path: '/list/-', value: 4 },
        { op: 'set', path: '/set', value: null },
        { op: 'set', path: '/list/0', value: 'one' },
        { op: 'replace', path: '/added/deep', value: 'replaced' },
        { op: 'remove', path: '/gone' },
        { op: 'incr', path: '/n', value: -2.5 },
        { op: 'incr', path: '/fresh', value: 7 },
        { op: 'move', from: '/old', path: '/moved' },
      ]);
      assert.equal(statusCode, 200);
      assertItemHeaders(headers);
      assert.deepEqual(resource.added, { deep: 'replaced' });
      assert.deepEqual(resource.list, ['one', 2, 3, 4]);
      assert.equal(resource.set, null);
      assert.equal('gone' in resource, false);
      assert.equal(resource.n, -1.5);
      assert.equal(resource.fresh, 7);
      assert.deepEqual(resource.moved, { x: 1 });
      assert.equal('old' in resource, false);
      const escaped = await item.patch({ operations: [{ op: 'set', path: '/a~1b~0c', value: 1 }] });
      assert.equal(escaped.resource['a/b~c'], 1);
      assert.deepEqual((await item.read()).resource, escaped.resource);
      await item.delete();
    });

    test('are patched under a condition', async () => {
      await container.items.create({ id: 'cond', pk: 'a', n: 1, tag: 'x' });
      const item = container.item('cond', 'a');
      const set = (condition, value) => item.patch({ condition, operations: [{ op: 'set', path: '/n', value }] });
      assert.equal((await set('from c where c.n = 1', 2)).resource.n, 2);
      await fails(set('from c where c.n = 1', 3), 412);
      assert.equal((await set("from c where c.n > 1 and c.tag = 'x' and not is_defined(c.missing)", 4)).resource.n, 4);
      for (const none of ['from c where', '', ' ']) {
        await fails(set(none, 5), 400);
      }
      await fails(set('where c.n = 4', 5), 400);
      assert.equal((await item.read()).resource.n, 4);
      await item.delete();
    });

    test('refuse patches that cannot be, whole', async () => {
      await container.items.create({ id: 'bad', pk: 'a', n: 'text', list: [1], o: { a: 1 } });
      const item = container.item('bad', 'a');
      const before = (await item.read()).resource;
      const bad = [
        { op: 'replace', path: '/missing', value: 1 },
        { op: 'remove', path: '/missing' },
        { op: 'incr', path: '/n', value: 1 },
        { op: 'incr', path: '/count', value: 'one' },
        { op: 'move', from: '/missing', path: '/x' },
        { op: 'move', from: '/o', path: '/o/inside' },
        { op: 'add', path: '/list/5', value: 1 },
        { op: 'set', path: '/no/such/parent', value: 1 },
        { op: 'set', path: '/id', value: 'other' },
        { op: 'set', path: '/pk', value: 'other' },
        { op: 'remove', path: '/pk' },
        { op: 'set', path: '/_ts', value: 1 },
        { op: 'set', path: '/_rid', value: 'x' },
        { op: 'set', path: 'n', value: 1 },
        { op: 'set', path: '', value: {} },
        { op: 'explode', path: '/n', value: 1 },
        { op: 'set', path: '/n' },
        { path: '/n', value: 1 },
        { op: 'move', path: '/n' },
      ];
      for (const operation of bad) {
        const reply = await rest.patch(`/dbs/${database.id}/colls/${container.id}/docs/bad`,
          [{ op: 'set', path: '/touched', value: true }, operation], { headers: { 'x-ms-documentdb-partitionkey': '["a"]' } });
        assert.equal(reply.status, 400, `${JSON.stringify(operation)} -> ${reply.status} ${reply.text.slice(0, 200)}`);
        assertError(reply, 400);
      }
      await fails(item.patch([]), 400);
      await fails(item.patch({ operations: Array.from({ length: 11 }, (_, i) => ({ op: 'set', path: `/p${i}`, value: i })) }), 400, { message: /10/ });
      assert.deepEqual((await item.read()).resource, before, 'nothing of them happened');
      await item.patch(Array.from({ length: 10 }, (_, i) => ({ op: 'set', path: `/p${i}`, value: i })));
      await item.delete();
    });

    test('have any scalar as key', async () => {
      const keyed = await newContainer();
      const keys = ['', 'a', ' ', 'x'.repeat(200), 'é', '漢字', '🚀', '"quoted"', 'back\\slash', 'line\nbreak', '[1]', '{}', 'null', '1',
        0, 1, -1, 0.5, 1e100, -1e-100, 2 ** 53, true, false, null, undefined];
      for (const [i, pk] of keys.entries()) {
        const body = { id: 'same', i };
        if (pk !== undefined) {
          body.pk = pk;
        }
        assert.equal((await keyed.items.create(body)).statusCode, 201, `key ${JSON.stringify(pk)}`);
      }
      for (const [i, pk] of keys.entries()) {
        const { resource, statusCode } = await keyed.item('same', pk).read();
        assert.equal(statusCode, 200, `key ${JSON.stringify(pk)}`);
        assert.equal(resource.i, i);
        assert.equal('pk' in resource, pk !== undefined);
      }
      const all = await drain(keyed.items.readAll());
      assert.equal(all.length, keys.length);
      assert.deepEqual(new Set(all.map((item) => item.i)), new Set(keys.keys()));
      for (const pk of keys) {
        await keyed.item('same', pk).delete();
      }
      assert.deepEqual(await drain(keyed.items.readAll()), []);
      await keyed.delete();
    });

    test('whose key is an object or an array count as without key', async () => {
      const keyed = await newContainer();
      await keyed.items.create({ id: 'o', pk: 'x' });
      const headers = { 'x-ms-documentdb-partitionkey': '[{}]' };
      const base = `/dbs/${database.id}/colls/${keyed.id}/docs`;
      for (const [id, pk] of [['object', { a: 1 }], ['array', [1]]]) {
        const reply = await rest.post(base, { id, pk }, { headers });
        assert.equal(reply.status, 201, reply.text);
        assert.equal((await rest.get(`${base}/${id}`, { headers })).status, 200);
      }
      await keyed.delete();
    });

    test('may be keyed by nested and quoted paths', async () => {
      const nested = await newContainer({ paths: ['/address/city'], version: 2 });
      await nested.items.create({ id: '1', address: { city: 'Bern' } });
      assert.equal((await nested.item('1', 'Bern').read()).statusCode, 200);
      await nested.items.create({ id: '2', address: 'unstructured' });
      assert.equal((await nested.item('2', undefined).read()).statusCode, 200);
      await nested.delete();
      const quoted = await newContainer({ paths: ['/"a b"/c'], version: 2 });
      const reply = await rest.post(`/dbs/${database.id}/colls/${quoted.id}/docs`, { id: '1', 'a b': { c: 'k' } }, { headers: { 'x-ms-documentdb-partitionkey': '["k"]' } });
      assert.equal(reply.status, 201, reply.text);
      await quoted.delete();
    });

    test('may be keyed by their id', async () => {
      const byId = await newContainer({ paths: ['/id'], version: 2 });
      for (const id of ['one', 'two', 'ä b']) {
        await byId.items.create({ id });
        assert.equal((await byId.item(id, id).read()).resource.id, id);
        await fails(byId.items.create({ id }), 409);
      }
      assert.equal((await byId.item('one', 'two').read()).statusCode, 404);
      assert.equal((await byId.item('one', 'one').patch([{ op: 'set', path: '/n', value: 1 }])).resource.n, 1);
      assert.equal((await drain(byId.items.readAll())).length, 3);
      await byId.delete();
    });

    test('with one id under two keys are two items', async () => {
      const a = (await container.items.create({ id: 'twin', pk: 'a', which: 'a' })).resource;
      const b = (await container.items.create({ id: 'twin', pk: 'b', which: 'b' })).resource;
      assert.notEqual(a._rid, b._rid);
      await container.item('twin', 'a').delete();
      assert.equal((await container.item('twin', 'a').read()).statusCode, 404);
      assert.equal((await container.item('twin', 'b').read()).resource.which, 'b');
      await container.item('twin', 'b').delete();
    });

    test('have ids with every odd character', async () => {
      const ids = ['with space', ' leading', '100%', '%41', '%', '%2F', 'a+b', "it's", '"quoted"', '<tag>', 'a&b=c', 'semi;colon', 'comma,', 'at@', 'colon:',
        'ünïcödé', '漢字', 'עברית', '🚀🧑‍🚀', 'e\u0301', '\u00e9', '..', '.', '~', '(x)', '[x]', '{x}', '|', '^', '`', 'a'.repeat(255), 'tab\there', 'UPPER', 'upper', '0', 'null', 'undefined', 'docs'];
      for (const id of ids) {
        const label = JSON.stringify(id);
        assert.equal((await container.items.create({ id, pk: 'odd' })).statusCode, 201, label);
        if (id === '.' || id === '..') {
          // URL libraries take these for directories before a request leaves the client.
          continue;
        }
        const item = container.item(id, 'odd');
        assert.equal((await item.read()).resource?.id, id, label);
        assert.equal((await item.replace({ id, pk: 'odd', n: 1 })).resource.n, 1, label);
        assert.equal((await item.patch([{ op: 'set', path: '/n', value: 2 }])).resource.n, 2, label);
        assert.equal((await item.delete()).statusCode, 204, label);
      }
      for (const id of ['.', '..']) {
        const path = `/dbs/${database.id}/colls/${container.id}/docs/${id === '.' ? '%2E' : '%2E%2E'}`;
        const reply = await rest.delete(path, { headers: { 'x-ms-documentdb-partitionkey': '["odd"]' } });
        assert.equal(reply.status, 204, reply.text);
      }
    });

    test('refuse bodies that are no items', async () => {
      const base = `/dbs/${database.id}/colls/${container.id}/docs`;
      const headers = { 'x-ms-documentdb-partitionkey': '["a"]' };
      for (const body of ['{"pk":"a"}', '{"id":1,"pk":"a"}', '{"id":null,"pk":"a"}', '{"id":"","pk":"a"}', '{"id":"a\\\\b","pk":"a"}', '[]', '"text"', '1', 'null', 'true', '']) {
        assertError(await rest.post(base, body, { headers }), 400);
      }
    });

    test('must have the key of the header', async () => {
      const base = `/dbs/${database.id}/colls/${container.id}/docs`;
      const put = await container.items.create({ id: 'mismatch', pk: 'a' });
      assertError(await rest.post(base, { id: 'm', pk: 'a' }, { headers: { 'x-ms-documentdb-partitionkey': '["b"]' } }), 400, { substatus: 1001 });
      assertError(await rest.post(base, { id: 'm', pk: 1 }, { headers: { 'x-ms-documentdb-partitionkey': '["1"]' } }), 400, { substatus: 1001 });
      assertError(await rest.post(base, { id: 'm' }, { headers: { 'x-ms-documentdb-partitionkey': '[null]' } }), 400, { substatus: 1001 });
      assertError(await rest.put(`${base}/mismatch`, { id: 'mismatch', pk: 'b' }, { headers: { 'x-ms-documentdb-partitionkey': '["a"]' } }), 400, { substatus: 1001 });
      assertError(await rest.get(`${base}/mismatch`), 400, { message: /partition ?key/i });
      assert.equal((await container.item('mismatch', 'a').read()).resource._etag, put.resource._etag);
      await container.item('mismatch', 'a').delete();
    });

    test('keep their numbers', async () => {
      const numbers = [0, -0, 1, -1, 0.1, 1e21, 1.7976931348623157e308, 5e-324, 2 ** 53, 2 ** 53 - 1, -(2 ** 53), 123456789.123456789, 1e-7, 100];
      await container.items.create({ id: 'numbers', pk: 'a', numbers });
      assert.deepEqual((await container.item('numbers', 'a').read()).resource.numbers.map((n) => n + 0), numbers.map((n) => n + 0));
      await container.item('numbers', 'a').delete();
    });

    test('of one key are found by a query that fixes it, with and without a plan', async () => {
      const keyed = await newContainer();
      for (let i = 0; i < 12; i++) {
        await keyed.items.create({ id: `${i}`, pk: `k${i % 4}` });
      }
      const query = { query: 'SELECT * FROM c WHERE c.pk = @k', parameters: [{ name: '@k', value: 'k1' }] };
      for (const options of [{}, { forceQueryPlan: true }, { maxDegreeOfParallelism: 5 }, { partitionKey: 'k1' }]) {
        const ids = (await drain(keyed.items.query(query, options))).map((item) => item.id).sort();
        assert.deepEqual(ids, ['1', '5', '9'], JSON.stringify(options));
      }
      await keyed.delete();
    });

    test('all come back from readAll, once, at every page size', async () => {
      const full = await newContainer();
      const count = 60;
      await Promise.all(Array.from({ length: count }, (_, i) => full.items.create({ id: `i${i}`, pk: `p${i % 20}`, n: i })));
      const expected = Array.from({ length: count }, (_, i) => `i${i}`).sort();
      for (const maxItemCount of [undefined, -1, 1, 7, 10, 12, 20, 30, 60, 100]) {
        const items = await drain(full.items.readAll({ maxItemCount }));
        assert.deepEqual(items.map((item) => item.id).sort(), expected, `page size ${maxItemCount}`);
      }
      let async = 0;
      for await (const { resources } of full.items.readAll({ maxItemCount: 20 }).getAsyncIterator()) {
        async += resources.length;
      }
      assert.equal(async, count);
      assert.equal((await full.items.readAll().fetchAll()).resources.length, count);
      const one = await full.items.readAll({ partitionKey: 'p3', maxItemCount: 2 }).fetchAll();
      assert.deepEqual(one.resources.map((item) => item.id).sort(), ['i23', 'i3', 'i43']);
      await full.delete();
    });

    test('resume from a continuation token in another client', async () => {
      const full = await newContainer();
      await Promise.all(Array.from({ length: 30 }, (_, i) => full.items.create({ id: `i${i}`, pk: `p${i}` })));
      const seen = [];
      let continuationToken;
      let rounds = 0;
      do {
        const other = connect(server);
        const page = await other.database(database.id).container(full.id).items.readAll({ maxItemCount: 4, continuationToken }).fetchNext();
        seen.push(...page.resources.map((item) => item.id));
        continuationToken = page.continuationToken;
        other.dispose();
        rounds += 1;
        assert.ok(rounds < 60, 'the tokens end');
      } while (continuationToken);
      assert.equal(seen.length, 30);
      assert.equal(new Set(seen).size, 30);
      await full.delete();
    });

    test('of an empty container make an empty feed', async () => {
      const empty = await newContainer();
      const iterator = empty.items.readAll({ maxItemCount: 5 });
      assert.deepEqual(await drain(iterator), []);
      assert.equal(iterator.hasMoreResults(), false);
      await empty.delete();
    });

    test('under hierarchical keys', async () => {
      const multi = await newContainer({ paths: ['/tenant', '/user', '/session'], kind: 'MultiHash', version: 2 });
      const definition = (await multi.read()).resource.partitionKey;
      assert.equal(definition.kind, 'MultiHash');
      const keys = [['t1', 'u1', 's1'], ['t1', 'u1', 's2'], ['t1', 'u2', 's1'], ['t2', 'u1', 's1'], ['t1', null, 1], [true, 0, ''], ['t1', 'u1', null]];
      for (const [tenant, user, session] of keys) {
        assert.equal((await multi.items.create({ id: 'x', tenant, user, session })).statusCode, 201);
      }
      for (const key of keys) {
        const { resource } = await multi.item('x', key).read();
        assert.deepEqual([resource.tenant, resource.user, resource.session], key);
      }
      await fails(multi.items.create({ id: 'x', tenant: 't1', user: 'u1', session: 's1' }), 409);
      assert.equal((await multi.item('x', ['t1', 'u1', 's1']).patch([{ op: 'set', path: '/n', value: 1 }])).resource.n, 1);
      assert.equal((await drain(multi.items.readAll({ maxItemCount: 2 }))).length, keys.length);
      const base = `/dbs/${database.id}/colls/${multi.id}/docs`;
      const byPrefix = await rest.get(base, { headers: { 'x-ms-documentdb-partitionkey': '["t1","u1"]' } });
      assert.equal(byPrefix.json._count, 3, byPrefix.text);
      const byTenant = await rest.get(base, { headers: { 'x-ms-documentdb-partitionkey': '["t1"]' } });
      assert.equal(byTenant.json._count, 5);
      assertError(await rest.get(`${base}/x`, { headers: { 'x-ms-documentdb-partitionkey': '["t1","u1"]' } }), 400, { substatus: 1001 });
      assertError(await rest.get(`${base}/x`, { headers: { 'x-ms-documentdb-partitionkey': '["t1","u1","s1","more"]' } }), 400, { substatus: 1001 });
      await multi.item('x', ['t1', 'u1', 's1']).delete();
      assert.equal((await multi.item('x', ['t1', 'u1', 's1']).read()).statusCode, 404);
      assert.equal((await multi.item('x', ['t1', 'u1', 's2']).read()).statusCode, 200);
      await multi.delete();
    });

    test('refuse a key of the wrong length with the substatus that makes SDKs look the definition up again', async () => {
      const multi = await newContainer({ paths: ['/tenant', '/user', '/session'], kind: 'MultiHash', version: 2 });
      const base = `/dbs/${database.id}/colls/${multi.id}/docs`;
      for (const header of ['["t"]', '["t","u"]', '["t","u","s","more"]']) {
        const reply = await rest.post(base, { id: 'p', tenant: 't', user: 'u', session: 's' }, { headers: { 'x-ms-documentdb-partitionkey': header } });
        assertError(reply, 400, { substatus: 1001 });
      }
      await multi.delete();
    });

    test('are spread over the partitions by their key', { skip: partitions === '1' }, async () => {
      const spread = await newContainer();
      const perRange = new Map();
      for (let i = 0; i < 100; i += 1) {
        const { headers } = await spread.items.create({ id: `${i}`, pk: `key-${i}` });
        const range = headers['x-ms-session-token'].split(':')[0];
        perRange.set(range, (perRange.get(range) ?? 0) + 1);
      }
      assert.deepEqual([...perRange.keys()].sort(), ['0', '1', '2', '3', '4']);
      let total = 0;
      for (const [range, count] of perRange) {
        const feed = await rest.get(`/dbs/${database.id}/colls/${spread.id}/docs`, { headers: { 'x-ms-documentdb-partitionkeyrangeid': range } });
        assert.equal(feed.json._count, count);
        total += feed.json._count;
      }
      assert.equal(total, 100);
      await spread.delete();
    });

    test('are read in session by clients that ask for it', async () => {
      const session = connect(server, { consistencyLevel: 'Session' });
      const mine = session.database(database.id).container(container.id);
      for (let i = 0; i < 10; i += 1) {
        const { resource } = await mine.items.create({ id: `s${i}`, pk: `k${i}`, i });
        assert.equal((await mine.item(`s${i}`, `k${i}`).read()).resource._etag, resource._etag);
        await mine.item(`s${i}`, `k${i}`).replace({ id: `s${i}`, pk: `k${i}`, i: i + 100 });
        assert.equal((await mine.item(`s${i}`, `k${i}`).read()).resource.i, i + 100);
      }
      assert.equal((await mine.item('nothing', 'k1').read()).statusCode, 404);
      assert.ok((await drain(mine.items.readAll({ maxItemCount: 3 }))).length >= 10);
      assert.equal((await mine.item('s1', 'k1').read()).statusCode, 200, 'the tokens of a feed are good for reads');
      for (let i = 0; i < 10; i += 1) {
        await mine.item(`s${i}`, `k${i}`).delete();
        assert.equal((await mine.item(`s${i}`, `k${i}`).read()).statusCode, 404);
      }
      session.dispose();
    });

    test('of a recreated container are the new ones, also for a client with a session', async () => {
      const session = connect(server, { consistencyLevel: 'Session' });
      const id = unique('re');
      const mine = session.database(database.id).container(id);
      for (let round = 0; round < 2; round += 1) {
        await session.database(database.id).containers.create({ id, partitionKey: { paths: [round === 0 ? '/pk' : '/other'], version: 2 }, throughput });
        const fresh = round === 0 ? mine : connect(server).database(database.id).container(id);
        for (let i = 0; i < (round === 0 ? 20 : 1); i += 1) {
          await fresh.items.create({ id: `i${i}`, pk: 'a', other: 'a', round });
        }
        assert.equal((await mine.item('i0', 'a').read()).resource.round, round);
        assert.equal((await mine.item('i1', 'a').read()).statusCode, round === 0 ? 200 : 404);
        await mine.delete();
      }
      session.dispose();
    });

    test('refuse what is not SQL, and have no conflicts', async () => {
      await container.items.create({ id: 'there', pk: 'a' });
      await fails(container.items.query('SELEKT nonsense').fetchAll(), 400);
      assert.deepEqual((await container.conflicts.readAll().fetchAll()).resources, []);
      await fails(container.conflict('1').read(), 404);
      assert.equal((await container.item('there', 'a').read()).statusCode, 200);
      await container.item('there', 'a').delete();
    });

    test('are missing from a missing container, with substatus 1003', async () => {
      const nowhere = `/dbs/${database.id}/colls/nowhere/docs`;
      const headers = { 'x-ms-documentdb-partitionkey': '["a"]' };
      assertError(await rest.get(`${nowhere}/1`, { headers }), 404, { substatus: 1003 });
      assertError(await rest.post(nowhere, { id: '1', pk: 'a' }, { headers }), 404, { substatus: 1003 });
      assertError(await rest.get(nowhere), 404, { substatus: 1003 });
      assertError(await rest.get('/dbs/nowhere/colls/c/docs/1', { headers }), 404, { substatus: 1003 });
    });
  });
}
