// The SQL API by hand: addressing, headers, feeds, and what it says to input that is wrong.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertError, assertStatus, unique } from '../lib/check.mjs';
import { Rest } from '../lib/rest.mjs';
import { Server } from '../lib/server.mjs';

let server;
let rest;
let db;
let coll;
let many;

const key = (...values) => ({ 'x-ms-documentdb-partitionkey': JSON.stringify(values).replace(/[\u0080-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`) });
const PK = key('a');

/** Names of the test database, and its resources by name and by rid. */
before(async () => {
  server = await Server.start();
  rest = new Rest(server);
  db = assertStatus(await rest.post('/dbs', { id: 'db' }), 201).json;
  coll = assertStatus(await rest.post('/dbs/db/colls', { id: 'c', partitionKey: { paths: ['/pk'], version: 2 } }), 201).json;
  many = assertStatus(await rest.post('/dbs/db/colls', { id: 'many', partitionKey: { paths: ['/pk'], version: 2 } }, { headers: { 'x-ms-offer-throughput': '50000' } }), 201).json;
});
after(() => server?.close());

const DOCS = '/dbs/db/colls/c/docs';
const MANY = '/dbs/db/colls/many/docs';
const byRid = (rid, type) => ({ link: rid.toLowerCase(), type });
const create = async (body, base = DOCS) => assertStatus(await rest.post(base, body, { headers: key(body.pk) }), 201).json;

describe('addressing', () => {
  test('by rid reaches every resource', async () => {
    const doc = await create({ id: 'rid', pk: 'a' });
    const base = `/dbs/${db._rid}/colls/${coll._rid}`;
    assert.deepEqual((await rest.get(`/dbs/${db._rid}`, byRid(db._rid, 'dbs'))).json, db);
    assert.equal((await rest.get(`/dbs/${db._rid}/colls`, byRid(db._rid, 'colls'))).json._count, 2);
    assert.deepEqual((await rest.get(base, byRid(coll._rid, 'colls'))).json, coll);
    assert.equal((await rest.get(`${base}/docs`, byRid(coll._rid, 'docs'))).json._rid, coll._rid);
    assert.deepEqual((await rest.get(`${base}/docs/${doc._rid}`, { ...byRid(doc._rid, 'docs'), headers: PK })).json, doc);
    const range = (await rest.get(`${base}/pkranges`, byRid(coll._rid, 'pkranges'))).json.PartitionKeyRanges[0];
    assert.equal((await rest.get(`${base}/pkranges/${range._rid}`, byRid(range._rid, 'pkranges'))).json.id, '0');
    const replaced = await rest.put(`${base}/docs/${doc._rid}`, { id: 'rid', pk: 'a', n: 1 }, { ...byRid(doc._rid, 'docs'), headers: PK });
    assert.equal(assertStatus(replaced, 200).json._rid, doc._rid);
    const patched = await rest.patch(`${base}/docs/${doc._rid}`, [{ op: 'incr', path: '/n', value: 1 }], { ...byRid(doc._rid, 'docs'), headers: PK });
    assert.equal(assertStatus(patched, 200).json.n, 2);
    const created = await rest.post(`${base}/docs`, { id: 'rid2', pk: 'a' }, { ...byRid(coll._rid, 'docs'), headers: PK });
    assertStatus(created, 201);
    assertStatus(await rest.delete(`${base}/docs/${doc._rid}`, { ...byRid(doc._rid, 'docs'), headers: PK }), 204);
    assertError(await rest.get(`${base}/docs/${doc._rid}`, { ...byRid(doc._rid, 'docs'), headers: PK }), 404);
    assertStatus(await rest.delete(`${DOCS}/rid2`, { headers: PK }), 204);
    const selfPath = `/${coll._self}`;
    assertStatus(await rest.get(selfPath, byRid(coll._rid, 'colls')), 200);
  });

  test('of items by rid under a wrong key finds nothing', async () => {
    const doc = await create({ id: 'ridkey', pk: 'a' }, MANY);
    const path = `/dbs/${db._rid}/colls/${many._rid}/docs/${doc._rid}`;
    assertStatus(await rest.get(path, { ...byRid(doc._rid, 'docs'), headers: PK }), 200);
    for (const other of ['b', 'c', 'd', 'e', 'f']) {
      assertError(await rest.get(path, { ...byRid(doc._rid, 'docs'), headers: key(other) }), 404);
    }
    await rest.delete(`${MANY}/ridkey`, { headers: PK });
  });

  test('by the rid of a deleted container finds nothing, also when its name is back', async () => {
    const first = assertStatus(await rest.post('/dbs/db/colls', { id: 'gone', partitionKey: { paths: ['/pk'], version: 2 } }), 201).json;
    assertStatus(await rest.delete('/dbs/db/colls/gone'), 204);
    const base = `/dbs/${db._rid}/colls/${first._rid}`;
    const checkGone = async () => {
      assertError(await rest.get(base, byRid(first._rid, 'colls')), 404);
      assertStatus(await rest.get(`${base}/pkranges`, byRid(first._rid, 'pkranges')), 404);
      assertStatus(await rest.get(`${base}/docs`, byRid(first._rid, 'docs')), 404);
      assertStatus(await rest.post(`${base}/docs`, { id: '1', pk: 'a' }, { ...byRid(first._rid, 'docs'), headers: PK }), 404);
    };
    await checkGone();
    const second = assertStatus(await rest.post('/dbs/db/colls', { id: 'gone', partitionKey: { paths: ['/pk'], version: 2 } }), 201).json;
    assert.notEqual(second._rid, first._rid);
    await checkGone();
    for (const [method, body] of [['GET'], ['PUT', { id: '1', pk: 'a' }], ['DELETE']]) {
      const reply = await rest.send(method, '/dbs/db/colls/gone/docs/1', { body, headers: { ...PK, 'x-ms-cosmos-intended-collection-rid': first._rid } });
      assertError(reply, 400, { substatus: 1024 });
    }
    assertError(await rest.post('/dbs/db/colls/gone/docs', { id: '1', pk: 'a' }, { headers: { ...PK, 'x-ms-cosmos-intended-collection-rid': first._rid } }), 400, { substatus: 1024 });
    assertError(await rest.get('/dbs/db/colls/gone/docs', { headers: { 'x-ms-cosmos-intended-collection-rid': first._rid } }), 400, { substatus: 1024 });
    assertStatus(await rest.post('/dbs/db/colls/gone/docs', { id: '1', pk: 'a' }, { headers: { ...PK, 'x-ms-cosmos-intended-collection-rid': second._rid } }), 201);
    await rest.delete('/dbs/db/colls/gone');
  });

  test('tolerates trailing slashes and encoded letters', async () => {
    for (const path of ['/dbs/', '/dbs/db/', '/dbs/db/colls/', '/dbs/db/colls/c/', '/dbs/db/colls/c/docs/', '/dbs/db/colls/c/pkranges/', '/offers/', '//dbs/db', '/dbs/%64b', '/dbs/%64%62/colls/%63']) {
      assertStatus(await rest.get(path), 200);
    }
  });

  test('keeps + a plus and decodes %2B to one', async () => {
    await create({ id: 'a+b', pk: 'a' });
    assertStatus(await rest.get(`${DOCS}/a+b`, { headers: PK }), 200);
    assertStatus(await rest.get(`${DOCS}/a%2Bb`, { headers: PK }), 200);
    assertError(await rest.get(`${DOCS}/a%20b`, { headers: PK }), 404);
    await rest.delete(`${DOCS}/a+b`, { headers: PK });
  });

  test('reaches items whatever their id, but for a backslash', async () => {
    for (const id of ['a/b', '/', 'a?b', 'a#b', 'a ', 'a%20', '..']) {
      const path = `${DOCS}/${encodeURIComponent(id)}`;
      await create({ id, pk: 'a' });
      assert.equal(assertStatus(await rest.get(path, { headers: PK }), 200).json.id, id);
      assertStatus(await rest.put(path, { id, pk: 'a', n: 1 }, { headers: PK }), 200);
      assertStatus(await rest.delete(path, { headers: PK }), 204);
    }
    assertError(await rest.post(DOCS, { id: 'a\\b', pk: 'a' }, { headers: PK }), 400, { message: /illegal chars/ });
  });

  test('of an item goes to its new id after a replace', async () => {
    const { _rid, _etag } = await create({ id: 'before', pk: 'a' });
    await create({ id: 'taken', pk: 'a' });
    const put = (id) => rest.put(`${DOCS}/before`, { id, pk: 'a' }, { headers: { ...PK, 'If-Match': _etag } });
    assertError(await put('taken'), 409);
    assert.equal(assertStatus(await put('after'), 200).json._rid, _rid);
    assertError(await put('again'), 404);
    assertError(await rest.get(`${DOCS}/before`, { headers: PK }), 404);
    assert.equal(assertStatus(await rest.get(`${DOCS}/after`, { headers: PK }), 200).json._rid, _rid);
    for (const id of ['after', 'taken']) {
      assertStatus(await rest.delete(`${DOCS}/${id}`, { headers: PK }), 204);
    }
  });

  test('knows nothing else', async () => {
    for (const path of ['/nothing', '/dbs/db/nothing', '/dbs/db/colls/c/nothing', '/dbs/db/colls/c/docs/1/nothing', '/dbs/db/colls/c/docs/1/attachments', '/media/x', '/favicon.ico',
      '/dbs//colls', '/dbs/db/colls//docs', '/DBS', '/dbs/db/COLLS', '/dbs/DB', '/dbs/../dbs', '/%00', '/dbs/db/colls/c/operations/unknown']) {
      const reply = await rest.get(path, { headers: PK });
      assertStatus(reply, 404);
      assertError(reply, 404, { substatus: reply.substatus });
    }
  });

  test('refuses a path below an offer', async () => {
    for (const path of ['/offers/none/more', '/offers/offers/AAAE/']) {
      assertError(await rest.get(path), 400);
    }
  });

  test('refuses a path that is not UTF-8 or badly encoded', async () => {
    for (const path of ['/dbs/%', '/dbs/%4', '/dbs/%zz', '/dbs/%ff', '/dbs/%C3', '/dbs/%C3%28', '/dbs/%ED%A0%80']) {
      assertError(await rest.get(path, { type: 'dbs', link: 'x' }), 400);
    }
  });

  test('refuses methods that a resource does not have', async () => {
    for (const [method, path] of [['POST', '/'], ['PUT', '/dbs'], ['DELETE', '/dbs'], ['PATCH', '/dbs'], ['PATCH', '/dbs/db'], ['POST', '/dbs/db'], ['PUT', '/dbs/db/colls'], ['PATCH', '/dbs/db/colls/c'],
      ['PUT', DOCS], ['PATCH', DOCS], ['DELETE', DOCS], ['POST', `${DOCS}/1`], ['POST', '/offers'], ['DELETE', '/offers/abcd'], ['PUT', '/dbs/db/colls/c/pkranges'], ['POST', '/dbs/db/colls/c/pkranges'], ['DELETE', '/dbs/db/colls/c/pkranges/0'],
      ['TRACE', '/dbs'], ['PROPFIND', '/dbs']]) {
      const reply = await rest.send(method, path, { body: method === 'GET' ? undefined : '{}', headers: PK });
      assertError(reply, 405, { message: new RegExp(method) });
    }
  });

  test('answers HEAD without a body', async () => {
    const reply = await rest.send('HEAD', '/dbs/db');
    assertStatus(reply, 200, 405);
    assert.equal(reply.text, '');
    assertStatus(await rest.get('/dbs/db'), 200);
  });

  test('lets a name look like a rid', async () => {
    for (const name of ['AQAAAA==', 'abcdefgh', '////'.replaceAll('/', 'x'), db._rid.toLowerCase()]) {
      const path = `/dbs/${encodeURIComponent(name)}`;
      const created = assertStatus(await rest.post('/dbs', { id: name }), 201, 400, 409);
      if (created.status === 201) {
        const read = assertStatus(await rest.get(path), 200);
        assert.equal(read.json.id, name);
        assertStatus(await rest.delete(path), 204);
        assertStatus(await rest.get('/dbs/db'), 200);
      }
    }
  });
});

describe('replies', () => {
  test('carry an activity id, the one of the request if it has one', async () => {
    const id = '12345678-1234-4234-8234-123456789abc';
    const reply = await rest.get(`${DOCS}/none`, { headers: { ...PK, 'x-ms-activity-id': id } });
    assert.equal(reply.headers['x-ms-activity-id'], id);
    assert.ok(reply.json.message.includes(id));
    for (const wrong of ['x', '', 'x'.repeat(5000), '12345678-1234-4234-8234-12345678zzzz']) {
      const other = await rest.get('/dbs/db', { headers: { 'x-ms-activity-id': wrong } });
      assert.match(other.headers['x-ms-activity-id'], /^[0-9a-f-]{36}$/);
    }
  });

  test('to writes are empty with Prefer: return=minimal, but for the headers', async () => {
    const headers = { ...PK, prefer: 'return=minimal' };
    const created = assertStatus(await rest.post(DOCS, { id: 'min', pk: 'a' }, { headers }), 201);
    assert.equal(created.text, '');
    assert.match(created.headers.etag, /^".+"$/);
    assert.match(created.headers['x-ms-session-token'], /^0:-1#\d+$/);
    assert.ok(Number(created.headers['x-ms-request-charge']) > 0);
    const replaced = assertStatus(await rest.put(`${DOCS}/min`, { id: 'min', pk: 'a', n: 1 }, { headers }), 200);
    assert.equal(replaced.text, '');
    assert.notEqual(replaced.headers.etag, created.headers.etag);
    const upserted = assertStatus(await rest.post(DOCS, { id: 'min', pk: 'a', n: 2 }, { headers: { ...headers, 'x-ms-documentdb-is-upsert': 'True' } }), 200);
    assert.equal(upserted.text, '');
    const patched = assertStatus(await rest.patch(`${DOCS}/min`, [{ op: 'set', path: '/n', value: 3 }], { headers }), 200);
    assert.equal(patched.text, '');
    const read = assertStatus(await rest.get(`${DOCS}/min`, { headers }), 200);
    assert.equal(read.json.n, 3);
    assert.equal(read.headers.etag, patched.headers.etag);
    assertError(await rest.post(DOCS, { id: 'min', pk: 'a' }, { headers }), 409);
    await rest.delete(`${DOCS}/min`, { headers: PK });
  });

  test('have session tokens of the form that the version of the client reads', async () => {
    await create({ id: 'tok', pk: 'a' });
    for (const [version, form] of [['2020-07-15', /^0:-1#\d+$/], ['2018-12-31', /^0:-1#\d+$/], ['2018-06-18', /^0:-1#\d+$/], ['2018-06-17', /^0:\d+$/], ['2017-11-15', /^0:\d+$/], ['2015-12-16', /^0:\d+$/]]) {
      const read = assertStatus(await rest.get(`${DOCS}/tok`, { version, headers: PK }), 200);
      assert.match(read.headers['x-ms-session-token'], form, version);
      const missing = assertError(await rest.get(`${DOCS}/none`, { version, headers: PK }), 404);
      assert.ok(missing);
      const again = await rest.get(`${DOCS}/tok`, { version, headers: { ...PK, 'x-ms-session-token': read.headers['x-ms-session-token'] } });
      assertStatus(again, 200);
    }
    await rest.delete(`${DOCS}/tok`, { headers: PK });
  });

  test('to reads with a session from the future say 404/1002', async () => {
    await create({ id: 'future', pk: 'a' });
    for (const token of ['0:-1#999999999', '0:-1#1,0:-1#999999999']) {
      const reply = await rest.get(`${DOCS}/future`, { headers: { ...PK, 'x-ms-session-token': token } });
      assertError(reply, 404, { substatus: 1002 });
    }
    for (const token of ['0:-1#1', '7:-1#999999999', '0:-1#1,9:-1#5', '', '0:1']) {
      assertStatus(await rest.get(`${DOCS}/future`, { headers: { ...PK, 'x-ms-session-token': token } }), 200);
    }
    for (const token of ['x', '0', '0:', ':1', '0:-1#', '0:-1#x', '0:-1#1#', 'a:-1#1', '0:-1#1,,', '0:-1#99999999999999999999', '{}', '0:-1#1#1=x', ','.repeat(100)]) {
      assertError(await rest.get(`${DOCS}/future`, { headers: { ...PK, 'x-ms-session-token': token } }), 400);
    }
    await rest.delete(`${DOCS}/future`, { headers: PK });
  });

  test('to reads with a session of a later version say 404/1002', async () => {
    await create({ id: 'version', pk: 'a' });
    assertError(await rest.get(`${DOCS}/version`, { headers: { ...PK, 'x-ms-session-token': '0:5#1' } }), 404, { substatus: 1002 });
    await rest.delete(`${DOCS}/version`, { headers: PK });
  });

  test('to clients that ask for more consistency than there is say 400', async () => {
    for (const level of ['Strong', 'BoundedStaleness', 'Nonsense']) {
      assertError(await rest.get(DOCS, { headers: { 'x-ms-consistency-level': level } }), 400, { message: new RegExp(level) });
    }
    for (const level of ['Session', 'ConsistentPrefix', 'Eventual', 'session']) {
      assertStatus(await rest.get(DOCS, { headers: { 'x-ms-consistency-level': level } }), 200);
    }
  });

  test('let pages of this machine read them, and no others', async () => {
    const asked = 'authorization,x-ms-date,x-ms-version,x-ms-documentdb-partitionkey';
    const origin = 'http://localhost:3000';
    const preflight = await rest.raw('OPTIONS', DOCS, { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': asked });
    assertStatus(preflight, 200, 204);
    assert.equal(preflight.headers['access-control-allow-origin'], origin);
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      assert.ok(preflight.headers['access-control-allow-methods'].includes(method));
    }
    for (const header of asked.split(',')) {
      assert.ok(preflight.headers['access-control-allow-headers'].toLowerCase().includes(header));
    }
    for (const reply of [await rest.get(DOCS, { headers: { origin } }), await rest.get(`${DOCS}/none`, { headers: { ...PK, origin } }), await rest.raw('GET', DOCS, { origin })]) {
      assert.equal(reply.headers['access-control-allow-origin'], origin, `${reply.status} for a browser`);
      assert.match(reply.headers.vary, /Origin/);
      const exposed = reply.headers['access-control-expose-headers'].toLowerCase().split(',');
      for (const header of Object.keys(reply.headers).filter((name) => name === 'etag' || name.startsWith('x-ms-'))) {
        assert.ok(exposed.includes(header), header);
      }
    }
    const foreign = 'https://example.org';
    for (const reply of [await rest.raw('OPTIONS', DOCS, { origin: foreign, 'access-control-request-method': 'POST' }), await rest.get(DOCS, { headers: { origin: foreign } })]) {
      assertError(reply, 403, { message: /--cors/ });
      assert.equal(reply.headers['access-control-allow-origin'], undefined);
    }
  });

  test('about usage come when asked for', async () => {
    await rest.post('/dbs/db/colls', { id: 'used', partitionKey: { paths: ['/pk'] } });
    await create({ id: 'usage', pk: 'a' }, '/dbs/db/colls/used/docs');
    const reply = assertStatus(await rest.get('/dbs/db/colls/used', { headers: { 'x-ms-documentdb-populatequotainfo': 'True' } }), 200);
    assert.match(reply.headers['x-ms-resource-usage'], /documentsCount=1;/);
    assert.match(reply.headers['x-ms-resource-quota'], /collectionSize=/);
    assert.equal(reply.headers['x-ms-documentdb-collection-index-transformation-progress'], '100');
    await rest.delete('/dbs/db/colls/used');
  });

  test('to a read of a container or database that the client has are 304', async () => {
    for (const [path, etag] of [['/dbs/db/colls/c', coll._etag], ['/dbs/db', db._etag]]) {
      const reply = assertStatus(await rest.get(path, { headers: { 'if-none-match': etag } }), 304);
      assert.equal(reply.text, '');
      assert.equal(reply.headers.etag, etag);
      assertStatus(await rest.get(path, { headers: { 'if-none-match': '"another"' } }), 200);
    }
  });
});

describe('partition key ranges', () => {
  for (const name of ['c', 'many']) {
    test(`of ${name} are polled until nothing is new`, async () => {
      const rid = name === 'c' ? coll._rid : many._rid;
      for (const [path, sign] of [[`/dbs/db/colls/${name}/pkranges`, {}], [`/dbs/${db._rid}/colls/${rid}/pkranges`, byRid(rid, 'pkranges')]]) {
        for (const aim of ['Incremental Feed', 'Incremental feed']) {
          const headers = { 'a-im': aim, 'x-ms-max-item-count': '-1' };
          const first = assertStatus(await rest.get(path, { ...sign, headers }), 200);
          assert.equal(first.json._rid, rid);
          assert.equal(first.json._count, name === 'c' ? 1 : 5);
          assert.match(first.headers.etag, /^".+"$/);
          assert.equal(first.headers['x-ms-continuation'], undefined);
          const second = assertStatus(await rest.get(path, { ...sign, headers: { ...headers, 'if-none-match': first.headers.etag } }), 304);
          assert.equal(second.headers.etag, first.headers.etag);
          assert.equal(second.text, '');
        }
        for (const stale of ['"0"', 'nonsense']) {
          const reply = assertStatus(await rest.get(path, { ...sign, headers: { 'a-im': 'Incremental Feed', 'if-none-match': stale } }), 200);
          assert.equal(reply.json._count, name === 'c' ? 1 : 5);
        }
      }
    });
  }

  test('are described completely', async () => {
    const ranges = (await rest.get('/dbs/db/colls/many/pkranges')).json.PartitionKeyRanges;
    assert.deepEqual(ranges.map((r) => r.id), ['0', '1', '2', '3', '4']);
    const step = (2n ** 126n - 1n) / 5n;
    ranges.forEach((range, i) => {
      assert.equal(range.minInclusive, i === 0 ? '' : (step * BigInt(i)).toString(16).toUpperCase().padStart(32, '0'));
      assert.deepEqual(range.parents, []);
      assert.match(range._rid, /^[A-Za-z0-9+-]{22}==$/);
      assert.equal(range._self, `${many._self}pkranges/${range._rid}/`);
    });
  });

  test('come in pages to clients that ask for them, and one by one', async () => {
    const seen = [];
    let continuation;
    do {
      const page = assertStatus(await rest.get('/dbs/db/colls/many/pkranges', { headers: { 'x-ms-max-item-count': '2', ...(continuation ? { 'x-ms-continuation': continuation } : {}) } }), 200);
      seen.push(...page.json.PartitionKeyRanges.map((range) => range.id));
      continuation = page.headers['x-ms-continuation'];
      assert.ok(seen.length <= 5);
    } while (continuation);
    assert.deepEqual(seen, ['0', '1', '2', '3', '4']);
    assert.equal(assertStatus(await rest.get('/dbs/db/colls/many/pkranges/3'), 200).json.id, '3');
    assertError(await rest.get('/dbs/db/colls/many/pkranges/9'), 404);
  });

  test('that do not exist are gone', async () => {
    const reply = await rest.get(DOCS, { headers: { 'x-ms-documentdb-partitionkeyrangeid': '77' } });
    assertError(reply, 410, { substatus: 1002 });
    assertError(await rest.get(DOCS, { headers: { 'x-ms-documentdb-partitionkeyrangeid': 'abc' } }), 400);
    assertError(await rest.get(DOCS, { headers: { 'x-ms-documentdb-partitionkeyrangeid': '-1' } }), 400);
    assertStatus(await rest.get(DOCS, { headers: { 'x-ms-documentdb-partitionkeyrangeid': `${coll._rid},0` } }), 200);
    assertError(await rest.get(DOCS, { headers: { 'x-ms-documentdb-partitionkeyrangeid': `${many._rid},0` } }), 400, { substatus: 1024 });
  });

  test('that are named with a key need only exist', async () => {
    await create({ id: 'ranged', pk: 'a' }, MANY);
    const named = (range) => ({ headers: { ...PK, 'x-ms-documentdb-partitionkeyrangeid': range } });
    const patch = [{ op: 'incr', path: '/n', value: 1 }];
    for (const range of ['0', '1', '2', '3', '4']) {
      assertStatus(await rest.get(`${MANY}/ranged`, named(range)), 200);
      assertStatus(await rest.patch(`${MANY}/ranged`, patch, named(range)), 200);
    }
    for (const send of [() => rest.get(`${MANY}/ranged`, named('9')), () => rest.patch(`${MANY}/ranged`, patch, named('9')), () => rest.delete(`${MANY}/ranged`, named('9')),
      () => rest.post(MANY, { id: 'other', pk: 'a' }, named('9')), () => rest.get(MANY, named('9'))]) {
      assertError(await send(), 410, { substatus: 1002 });
    }
    assertStatus(await rest.delete(`${MANY}/ranged`, named('4')), 204);
  });

  test('and containers have owners that may be missing', async () => {
    for (const path of ['/dbs/nowhere/colls', '/dbs/nowhere/colls/c', '/dbs/nowhere/colls/c/pkranges', '/dbs/db/colls/nowhere/pkranges']) {
      assertError(await rest.get(path), 404, { substatus: 1003 });
    }
    assertError(await rest.post('/dbs/nowhere/colls', { id: 'c', partitionKey: { paths: ['/pk'] } }), 404, { substatus: 1003 });
    assertError(await rest.query('/dbs/db/colls/nowhere/docs', 'SELECT * FROM c'), 404, { substatus: 1003 });
    for (const path of ['/dbs/nowhere', '/dbs/db/colls/nowhere']) {
      assertError(await rest.get(path), 404, { substatus: 0 });
    }
  });
});

describe('feeds', () => {
  const COUNT = 40;
  before(async () => {
    await Promise.all(Array.from({ length: COUNT }, (_, i) => create({ id: `f${i}`, pk: `p${i % 10}`, n: i }, MANY)));
  });

  async function walk(headers, size) {
    const seen = [];
    let continuation;
    for (let page = 0; ; page += 1) {
      assert.ok(page < 500, 'the feed ends');
      const more = continuation === undefined ? {} : { 'x-ms-continuation': continuation };
      const reply = assertStatus(await rest.get(MANY, { headers: { ...headers, 'x-ms-max-item-count': String(size), ...more } }), 200);
      assert.equal(reply.json._count, reply.json.Documents.length);
      assert.equal(Number(reply.headers['x-ms-item-count']), reply.json._count);
      assert.ok(size < 0 || reply.json._count <= size);
      assert.ok(reply.headers['x-ms-session-token']);
      seen.push(...reply.json.Documents.map((doc) => doc.id));
      continuation = reply.headers['x-ms-continuation'];
      if (continuation === undefined) {
        return seen;
      }
      assert.notEqual(continuation, '');
      assert.ok(Buffer.byteLength(continuation) <= 1024);
    }
  }

  test('give every item once at every page size', async () => {
    for (const size of [-1, 1, 3, 4, 5, 8, 10, 20, 40, 41, 1000, 2147483647]) {
      const seen = await walk({}, size);
      assert.equal(seen.length, COUNT, `page size ${size}`);
      assert.equal(new Set(seen).size, COUNT);
    }
  });

  test('of a key, a range and part of a range', async () => {
    assert.deepEqual((await walk(key('p3'), 3)).sort(), ['f13', 'f23', 'f3', 'f33']);
    let total = 0;
    for (const range of ['0', '1', '2', '3', '4']) {
      total += (await walk({ 'x-ms-documentdb-partitionkeyrangeid': range }, 4)).length;
    }
    assert.equal(total, COUNT);
    const ranges = (await rest.get('/dbs/db/colls/many/pkranges')).json.PartitionKeyRanges;
    let halves = 0;
    for (const { id, minInclusive, maxExclusive } of ranges) {
      const low = BigInt(`0x${minInclusive || '0'}`);
      const high = maxExclusive === 'FF' ? 2n ** 126n : BigInt(`0x${maxExclusive}`);
      const middle = ((low + high) / 2n).toString(16).toUpperCase().padStart(32, '0');
      for (const [start, end] of [[minInclusive, middle], [middle, maxExclusive]]) {
        const headers = { 'x-ms-documentdb-partitionkeyrangeid': id, 'x-ms-read-key-type': 'EffectivePartitionKeyRange', 'x-ms-end-epk': end, ...(start === '' ? {} : { 'x-ms-start-epk': start }) };
        halves += (await walk(headers, 3)).length;
      }
    }
    assert.equal(halves, COUNT);
  });

  test('refuse continuation tokens that are not theirs', async () => {
    const first = await rest.get(MANY, { headers: { 'x-ms-max-item-count': '5' } });
    const good = first.headers['x-ms-continuation'];
    for (const wrong of ['x', '{}', '[]', 'null', good.slice(0, -1), `${good}x`, good.split('').reverse().join(''), good.slice(1), 'A'.repeat(2000), '%00', '"1"', `${good},${good}`]) {
      assertError(await rest.get(MANY, { headers: { 'x-ms-max-item-count': '5', 'x-ms-continuation': wrong } }), 400, { message: /continuation/i });
    }
    assertError(await rest.get(DOCS, { headers: { 'x-ms-continuation': good } }), 400);
    assertStatus(await rest.get(MANY, { headers: { 'x-ms-continuation': '' } }), 200);
    for (const path of ['/dbs', '/dbs/db/colls', '/offers']) {
      assertError(await rest.get(path, { headers: { 'x-ms-continuation': 'nonsense' } }), 400);
    }
  });

  test('refuse page sizes that are none', async () => {
    for (const wrong of ['-2', 'x', '1.5', '99999999999', '1e3', ' ', '-', '0x10']) {
      for (const path of [MANY, '/dbs', '/dbs/db/colls', '/offers']) {
        const reply = await rest.get(path, { headers: { 'x-ms-max-item-count': wrong } });
        if (wrong.trim() === '') {
          assertStatus(reply, 200, 400);
        } else {
          assertError(reply, 400, { message: /page ?size|max-item-count/i });
        }
      }
    }
  });

  test('of databases, containers and offers page too', async () => {
    for (const [path, name] of [['/dbs/db/colls', 'DocumentCollections'], ['/offers', 'Offers'], ['/dbs', 'Databases']]) {
      const all = (await rest.get(path)).json;
      assert.equal(all._count, all[name].length);
      const seen = [];
      let continuation;
      do {
        const reply = assertStatus(await rest.get(path, { headers: { 'x-ms-max-item-count': '1', ...(continuation ? { 'x-ms-continuation': continuation } : {}) } }), 200);
        seen.push(...reply.json[name].map((r) => r._rid));
        continuation = reply.headers['x-ms-continuation'];
        assert.ok(seen.length <= all._count);
      } while (continuation !== undefined);
      assert.deepEqual([...seen].sort(), all[name].map((r) => r._rid).sort());
    }
  });

  test('answer the queries that SDKs send to them', async () => {
    const one = async (path, query, parameters = []) => assertStatus(await rest.post(path, { query, parameters }, { headers: { 'content-type': 'application/query+json', 'x-ms-documentdb-isquery': 'True' } }), 200).json;
    assert.equal((await one('/dbs', 'SELECT * FROM root r WHERE r.id = @id', [{ name: '@id', value: 'db' }]))._count, 1);
    assert.equal((await one('/dbs', "SELECT * FROM c WHERE c.id = 'nobody'"))._count, 0);
    assert.equal((await one('/dbs/db/colls', 'SELECT * FROM c'))._count, 2);
    assert.equal((await one('/dbs/db/colls', 'SELECT * FROM c WHERE c.id = "many"'))._count, 1);
    assert.equal((await one('/offers', 'select * from c where c.offerResourceId = @resourceId', [{ name: '@resourceId', value: coll._rid }]))._count, 1);
    assert.equal((await one('/offers', `SELECT * from root where root.resource = "${many._self}"`))._count, 1);
    const go = await rest.post('/dbs', { query: 'SELECT * FROM c' }, { headers: { 'x-ms-documentdb-query': 'True' } });
    assertStatus(go, 200);
    for (const body of ['', '{}', '[]', '{"query":1}', '{"query":""}', '{"query":"SELEKT"}', '{"query":"SELECT * FROM c","parameters":{}}', 'nonsense']) {
      assertError(await rest.post('/dbs', body, { headers: { 'content-type': 'application/query+json', 'x-ms-documentdb-isquery': 'True' } }), 400);
    }
  });
});

describe('bad input', () => {
  test('of a name twice leaves the last', async () => {
    const text = '{"id":"twice","pk":"b","n":1,"o":{"x":1,"\\u0078":2},"pk":"a","n":2}';
    assertStatus(await rest.post(DOCS, text, { headers: PK }), 201);
    const read = assertStatus(await rest.get(`${DOCS}/twice`, { headers: PK }), 200);
    assert.equal(read.json.n, 2);
    assert.equal(read.json.o.x, 2);
    assert.doesNotMatch(read.text, /"n":1/);
    const query = { query: 'SELECT VALUE c.n FROM c WHERE c.n < 3 AND c.o.x = 2' };
    const found = await rest.post(DOCS, query, { headers: { ...PK, 'x-ms-documentdb-isquery': 'true', 'Content-Type': 'application/query+json' } });
    assert.deepEqual(assertStatus(found, 200).json.Documents, [2]);
    assertStatus(await rest.delete(`${DOCS}/twice`, { headers: PK }), 204);
  });

  test('of JSON is refused with the place', async () => {
    for (const body of ['{', '{"id":"x","pk":"a"', '{"id":"x","pk":"a"}}', '{"id":"x","pk":"a",}', "{'id':'x'}", '{"id":"x","pk":"a","n":01}', '{"id":"x","pk":"a","n":NaN}', '{"id":"x","pk":"a","n":Infinity}',
      '{"id":"x","pk":"a","n":+1}', '{"id":"x","pk":"a","n":.5}', '{"id":"x","pk":"a","n":1.}', '{"id":"x","pk":"a","n":1e}', '{"id":"x","pk":"a","n":0x1}', '{"id":"x","pk":"a"} {}', '{"id":"x","pk":"a","t":tru}', '{"id":"x","pk":"a","s":"\\x"}',
      '{"id":"x","pk":"a","s":"\\u12"}', '{"id":"x","pk":"a","s":"line\nbreak"}', '{"id":"x","pk":"a"//c\n}', '{"id":"x" "pk":"a"}', '{"id"}', '{:1}', '{1:1}', '{"id":"x","pk":"a","n":[1,]}', '\u0000', '<xml/>']) {
      const reply = await rest.post(DOCS, body, { headers: PK });
      assert.equal(reply.status, 400, `${JSON.stringify(body)} -> ${reply.status}`);
      assertError(reply, 400);
    }
    assertError(await rest.get(`${DOCS}/x`, { headers: PK }), 404);
  });

  test('of bytes that are no UTF-8 is refused', async () => {
    for (const bytes of [[0xff], [0xc3], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80]]) {
      const body = Buffer.concat([Buffer.from('{"id":"x","pk":"a","s":"'), Buffer.from(bytes), Buffer.from('"}')]);
      assertError(await rest.post(DOCS, body, { headers: PK }), 400);
    }
  });

  test('of keys may be raw UTF-8', async () => {
    await create({ id: 'raw', pk: 'Zürich 日本' });
    const raw = Buffer.from('["Zürich 日本"]', 'utf8').toString('latin1');
    assert.equal(assertStatus(await rest.get(`${DOCS}/raw`, { headers: { 'x-ms-documentdb-partitionkey': raw } }), 200).json.pk, 'Zürich 日本');
    assertStatus(await rest.delete(`${DOCS}/raw`, { headers: { 'x-ms-documentdb-partitionkey': raw } }), 204);
  });

  test('of keys is refused', async () => {
    await create({ id: 'k', pk: 'a' });
    for (const header of ['x', '"a"', 'a', '{}', 'null', '["a"', '["a",]', '[["a"]]', '[{"a":1}]', '["a","b"]', '[NaN]', '[undefined]', '["a"] x', '[1e999]', '["\\ud800"]', '[', '[,]']) {
      const reply = await rest.get(`${DOCS}/k`, { headers: { 'x-ms-documentdb-partitionkey': header } });
      assert.equal(reply.status, 400, `${header} -> ${reply.status} ${reply.text.slice(0, 200)}`);
      assertError(reply, 400, { substatus: reply.substatus });
    }
    assertStatus(await rest.get(`${DOCS}/k`, { headers: { 'x-ms-documentdb-partitionkey': '[]' } }), 400, 404);
    assertStatus(await rest.get(`${DOCS}/k`, { headers: { 'x-ms-documentdb-partitionkey': ' [ "a" ] ' } }), 200);
    assertStatus(await rest.get(`${DOCS}/k`, { headers: { 'x-ms-documentdb-partitionkey': '["\\u0061"]' } }), 200);
    await rest.delete(`${DOCS}/k`, { headers: PK });
  });

  test('of patches is refused', async () => {
    await create({ id: 'p', pk: 'a' });
    for (const body of ['', '{}', 'null', '1', '"x"', '[]', '{"operations":[]}', '{"operations":{}}', '{"operations":null}', '[1]', '[null]', '[{}]', '[{"op":"set"}]', '{"operations":[{"op":"set","path":"/a","value":1}],"condition":1}',
      '{"operations":[{"op":"set","path":"/a","value":1}],"condition":"nonsense"}', '{"operations":[{"op":"set","path":"/a","value":1}],"condition":""}', '{"operations":[{"op":"set","path":"/a","value":1}],"condition":" "}', '[{"op":1,"path":"/a","value":1}]', '[{"op":"set","path":1,"value":1}]', '[{"op":"set","path":"/a~2","value":1}]', '[{"op":"set","path":"//","value":1}]x', '{"id":"p","pk":"a"}']) {
      const reply = await rest.patch(`${DOCS}/p`, body, { headers: PK });
      assert.equal(reply.status, 400, `${body} -> ${reply.status} ${reply.text.slice(0, 200)}`);
      assertError(reply, 400);
    }
    for (const type of ['application/json-patch+json', 'application/json_patch+json', 'application/json', 'text/plain', '']) {
      assertStatus(await rest.patch(`${DOCS}/p`, { operations: [{ op: 'set', path: '/a', value: type }] }, { headers: { ...PK, 'content-type': type } }), 200);
    }
    await rest.delete(`${DOCS}/p`, { headers: PK });
  });

  test('of patches at the edge is refused or exact', async () => {
    await create({ id: 'edge', pk: 'a', list: [0, 1, 2], big: 1.7e308, o: { 'ключ': 1 } });
    const patch = (...operations) => rest.patch(`${DOCS}/edge`, operations, { headers: PK });
    assertError(await patch({ op: 'incr', path: '/big', value: 1.7e308 }), 400);
    for (const path of ['/list/-1', '/list/01', '/list/1e0', '/list/4', '/list/x', '/list/ 1', '/list/99999999999999999999']) {
      const reply = await patch({ op: 'add', path, value: 9 });
      assert.equal(reply.status, 400, `${path} -> ${reply.status}`);
    }
    assertError(await patch({ op: 'remove', path: '/list/-' }), 400);
    assertError(await patch({ op: 'replace', path: '/list/3', value: 1 }), 400);
    assert.deepEqual(assertStatus(await patch({ op: 'add', path: '/list/3', value: 3 }), 200).json.list, [0, 1, 2, 3]);
    assert.deepEqual(assertStatus(await patch({ op: 'move', from: '/list/0', path: '/list/-' }), 200).json.list, [1, 2, 3, 0]);
    assert.deepEqual(assertStatus(await patch({ op: 'remove', path: '/list/1' }), 200).json.list, [1, 3, 0]);
    assert.equal(assertStatus(await patch({ op: 'incr', path: '/o/ключ', value: 0.5 }), 200).json.o['ключ'], 1.5);
    assert.equal(assertStatus(await patch({ op: 'add', path: '/o/', value: 'unnamed' }), 200).json.o[''], 'unnamed');
    const doc = (await rest.get(`${DOCS}/edge`, { headers: PK })).json;
    assert.equal(doc.big, 1.7e308);
    await rest.delete(`${DOCS}/edge`, { headers: PK });
  });

  test('of containers is refused', async () => {
    const partitionKey = { paths: ['/pk'], version: 2 };
    for (const body of ['', '{}', '[]', 'null', { partitionKey }, { id: '', partitionKey }, { id: 1, partitionKey }, { id: 'a/b', partitionKey }, { id: 'a?b', partitionKey }, { id: 'a#b', partitionKey }, { id: 'a\\b', partitionKey }, { id: 'a ', partitionKey },
      { id: 'x' }, { id: 'x', partitionKey: {} }, { id: 'x', partitionKey: 'pk' }, { id: 'x', partitionKey: { paths: [] } }, { id: 'x', partitionKey: { paths: ['pk'] } }, { id: 'x', partitionKey: { paths: ['/'] } }, { id: 'x', partitionKey: { paths: [''] } },
      { id: 'x', partitionKey: { paths: [1] } }, { id: 'x', partitionKey: { paths: '/pk' } }, { id: 'x', partitionKey: { paths: ['/pk'], kind: 'Magic' } }, { id: 'x', partitionKey: { paths: ['/pk'], version: 3 } }, { id: 'x', partitionKey: { paths: ['/pk'], version: 'two' } },
      { id: 'x', partitionKey: { paths: ['/a', '/b'], kind: 'Hash', version: 2 } }, { id: 'x', partitionKey: { paths: ['/a', '/a'], kind: 'MultiHash', version: 2 } }, { id: 'x', partitionKey: { paths: ['/a', '/b'], kind: 'MultiHash', version: 1 } },
      { id: 'x', partitionKey: { paths: ['/a/*'] } }, { id: 'x', partitionKey, indexingPolicy: { indexingMode: 'sometimes' } }, { id: 'x', partitionKey, indexingPolicy: { includedPaths: [{ path: 'a' }] } }, { id: 'x', partitionKey, indexingPolicy: [] },
      { id: 'x', partitionKey, noSuchSetting: true }]) {
      const reply = await rest.post('/dbs/db/colls', body);
      assert.equal(reply.status, 400, `${JSON.stringify(body)} -> ${reply.status} ${reply.text.slice(0, 150)}`);
      assertError(reply, 400);
    }
    for (const headers of [{ 'x-ms-offer-throughput': 'x' }, { 'x-ms-offer-throughput': '400.5' }, { 'x-ms-offer-throughput': '99999999999' }, { 'x-ms-offer-throughput': '400', 'x-ms-cosmos-offer-autopilot-settings': '{"maxThroughput":4000}' },
      { 'x-ms-cosmos-offer-autopilot-settings': 'x' }, { 'x-ms-cosmos-offer-autopilot-settings': '{}' }, { 'x-ms-cosmos-offer-autopilot-settings': '{"maxThroughput":"x"}' }, { 'x-ms-cosmos-offer-autopilot-settings': '{"maxThroughput":500}' }]) {
      const reply = await rest.post('/dbs/db/colls', { id: 'x', partitionKey }, { headers });
      assert.equal(reply.status, 400, `${JSON.stringify(headers)} -> ${reply.status}`);
      assertError(reply, 400);
    }
    for (const body of ['', '{}', '[]', { id: '' }, { id: null }, { id: 'a/b' }, { id: 'x ' }, { id: ['x'] }]) {
      assertError(await rest.post('/dbs', body), 400);
    }
  });

  test('of offers is refused', async () => {
    const offer = (await rest.get('/offers')).json.Offers[0];
    for (const body of ['', '{}', '[]', { ...offer, content: undefined }, { ...offer, content: {} }, { ...offer, content: { offerThroughput: null } }, { ...offer, content: { offerThroughput: 1e10 } }]) {
      const reply = await rest.put(`/offers/${offer.id}`, body);
      assert.equal(reply.status, 400, `${JSON.stringify(body)} -> ${reply.status} ${reply.text.slice(0, 200)}`);
      assertError(reply, 400);
    }
    assertError(await rest.get('/offers/zzzz'), 404);
    assertError(await rest.get('/offers/not-a-rid'), 404);
  });

  test('of an offer for another container is refused', async () => {
    const offer = (await rest.get('/offers')).json.Offers[0];
    const other = many._rid === offer.offerResourceId ? coll : many;
    assertError(await rest.put(`/offers/${offer.id}`, { ...offer, offerResourceId: other._rid, resource: other._self }), 400);
  });

  test('of replaces is refused', async () => {
    await create({ id: 'r', pk: 'a' });
    assertStatus(await rest.put(`${DOCS}/r`, { pk: 'a' }, { headers: PK }), 400);
    assertStatus(await rest.put(`${DOCS}/r`, '', { headers: PK }), 400);
    assertError(await rest.put(`${DOCS}/none`, { id: 'none', pk: 'a' }, { headers: PK }), 404);
    assertError(await rest.delete(`${DOCS}/r`), 400, { message: /partition ?key/i });
    assertStatus(await rest.delete(`${DOCS}/r`, { headers: PK }), 204);
  });

  test('that names system properties does not set them', async () => {
    const doc = await create({ id: 'sys', pk: 'a', _rid: 'mine', _ts: 1, _etag: 'mine', _self: 'mine', _attachments: 'mine', _lsn: 5, _other: 'kept' });
    assert.match(doc._rid, /==$/);
    assert.ok(doc._ts > 1_000_000);
    assert.match(doc._etag, /^"/);
    assert.equal(doc._attachments, 'attachments/');
    assert.equal(doc._other, 'kept');
    await rest.delete(`${DOCS}/sys`, { headers: PK });
  });

  test('in unusual headers is refused or harmless', async () => {
    for (const headers of [{ 'x-ms-indexing-directive': 'Maybe' }, { 'x-ms-version': 'tomorrow' }, { 'x-ms-version': '' }, { 'x-ms-documentdb-is-upsert': 'perhaps' }, { 'if-match': 'nonsense' }, { 'if-none-match': '""' }, { 'content-type': 'text/html; charset=utf-16' },
      { 'x-ms-start-epk': 'zz' }, { 'x-ms-cosmos-intended-collection-rid': 'x' }, { 'x-ms-consistency-level': '' }, { 'accept-encoding': 'gzip, br' }, { accept: 'text/html' }, { 'x-ms-date-extra': 'é'.repeat(10) }]) {
      const reply = await rest.post(DOCS, { id: unique('h'), pk: 'a' }, { headers: { ...PK, ...headers } });
      assert.ok(reply.status < 500 || reply.status === 501, `${JSON.stringify(headers)} -> ${reply.status}`);
      if (reply.status >= 400) {
        assertError(reply, reply.status, { substatus: reply.substatus });
      } else {
        assert.equal(reply.headers['content-encoding'], undefined);
        assert.ok(reply.json.id);
      }
    }
  });
});
