// Checks who may do what, with signatures made by hand, against a server with the well-known key and one with its own
// keys.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { assertError, assertStatus } from '../lib/check.mjs';
import { Rest, token } from '../lib/rest.mjs';
import { distribution, KEY, Server } from '../lib/server.mjs';

const MINUTE = 60_000;
const PK = { 'x-ms-documentdb-partitionkey': '["a"]' };

let server;
let rest;
let rids;

before(async () => {
  server = await Server.start();
  rest = new Rest(server);
  const db = assertStatus(await rest.post('/dbs', { id: 'Auth Db' }), 201).json;
  const coll = assertStatus(await rest.post('/dbs/Auth%20Db/colls', { id: 'Cöll', partitionKey: { paths: ['/pk'], version: 2 } }), 201).json;
  const doc = assertStatus(await rest.post('/dbs/Auth%20Db/colls/C%C3%B6ll/docs', { id: 'Item One', pk: 'a' }, { headers: PK }), 201).json;
  rids = { db: db._rid, coll: coll._rid, doc: doc._rid };
});
after(() => server?.close());

const ITEM = '/dbs/Auth%20Db/colls/C%C3%B6ll/docs/Item%20One';

/** A read of the item with this authorization header and date. */
const readItem = (authorization, date = new Date().toUTCString(), more = {}) => {
  const headers = { 'x-ms-version': '2020-07-15', ...PK, ...more };
  if (authorization !== undefined) {
    headers.authorization = authorization;
  }
  if (date !== null) {
    headers['x-ms-date'] = date;
  }
  return rest.raw('GET', ITEM, headers);
};
const itemToken = (date, overrides = {}) =>
  token({ method: 'GET', type: 'docs', link: 'dbs/Auth Db/colls/Cöll/docs/Item One', date, ...overrides });

describe('a signature', () => {
  test('is taken percent-encoded and plain', async () => {
    const date = new Date().toUTCString();
    assertStatus(await readItem(encodeURIComponent(itemToken(date)), date), 200);
    assertStatus(await readItem(itemToken(date), date), 200);
    const lower = encodeURIComponent(itemToken(date)).replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase());
    assertStatus(await readItem(lower, date), 200);
  });

  test('may be over the date header instead of x-ms-date', async () => {
    const date = new Date().toUTCString();
    const plain = itemToken(undefined, { xDate: '', plainDate: date });
    assertStatus(await rest.raw('GET', ITEM, { authorization: plain, date, ...PK }), 200);
  });

  test('is over verb, type and date in lower case and the link as it is', async () => {
    const date = new Date().toUTCString();
    assertStatus(await readItem(itemToken(date.toUpperCase()), date), 200);
    assertError(await readItem(itemToken(date, { link: 'dbs/auth db/colls/cöll/docs/item one' }), date), 401);
    assertError(await readItem(itemToken(date, { link: 'dbs/Auth%20Db/colls/C%C3%B6ll/docs/Item%20One' }), date), 401);
    assertError(await readItem(itemToken(date, { link: '/dbs/Auth Db/colls/Cöll/docs/Item One' }), date), 401);
    assertError(await readItem(itemToken(date, { link: 'dbs/Auth Db/colls/Cöll' }), date), 401);
    assertError(await readItem(itemToken(date, { type: 'colls' }), date), 401);
    assertError(await readItem(itemToken(date, { method: 'PUT' }), date), 401);
  });

  test('by rid is over the last rid in lower case', async () => {
    const base = `/dbs/${rids.db}/colls/${rids.coll}`;
    assertStatus(await rest.get(`/dbs/${rids.db}`, { type: 'dbs', link: rids.db.toLowerCase() }), 200);
    assertStatus(await rest.get(base, { type: 'colls', link: rids.coll.toLowerCase() }), 200);
    assertStatus(await rest.get(`${base}/docs`, { type: 'docs', link: rids.coll.toLowerCase() }), 200);
    assertStatus(await rest.get(`${base}/pkranges`, { type: 'pkranges', link: rids.coll.toLowerCase() }), 200);
    assertStatus(await rest.get(`${base}/docs/${rids.doc}`, { type: 'docs', link: rids.doc.toLowerCase(), headers: PK }), 200);
  });

  test('of another key is refused with the text that was signed', async () => {
    const date = new Date().toUTCString();
    const other = Buffer.alloc(64, 7).toString('base64');
    const reply = await readItem(itemToken(date, { key: other }), date);
    const { message } = assertError(reply, 401, { message: /payload/ });
    assert.ok(message.includes('dbs/Auth Db/colls/Cöll/docs/Item One'));
    assert.ok(message.includes(date.toLowerCase()));
    assert.ok(!message.includes(KEY));
  });

  test('that is missing or malformed has its own substatus', async () => {
    assertError(await readItem(undefined), 401, { substatus: 5000 });
    assertError(await readItem(''), 401, { substatus: 5000 });
    for (const wrong of ['Bearer abc', 'nonsense', 'type=master', 'type=master&ver=1.0', 'type=master&ver=1.0&sig=', 'type=master&ver=1.0&sig=***',
      'type=wizard&ver=1.0&sig=abcd', 'type%3dmaster%26ver%3d1.0%26sig%3', '%', '%%%', '=&=&=', 'type=master&ver=9.9&sig=abcd', `type=master&ver=1.0&sig=${'A'.repeat(8000)}`]) {
      const reply = await readItem(wrong);
      assertStatus(reply, 401);
      assert.ok([5001, 0].includes(reply.substatus), `${wrong}: ${reply.substatus}`);
      assertError(reply, 401, { substatus: reply.substatus });
    }
  });

  test('of a kind that is not there yet says so', async () => {
    assertStatus(await readItem('type=resource&ver=1.0&sig=abcd;efgh;'), 401);
    assertStatus(await readItem('type=aad&ver=1.0&sig=eyJ0eXAi.eyJh.abc'), 401);
  });

  test('needs a date', async () => {
    const reply = await readItem(itemToken(''), null);
    assertError(reply, 401, { message: /date/i });
    assertError(await readItem(itemToken('not a date'), 'not a date'), 401, { message: /date/i });
    assertError(await readItem(itemToken('2026-11-15T00:00:00Z'), '2026-11-15T00:00:00Z'), 401, { message: /date/i });
  });

  for (const [minutes, status] of [[-14, 200], [14, 200], [-16, 403], [16, 403], [-60 * 24, 403]]) {
    test(`by a clock that is ${minutes} minutes off gives ${status}`, async () => {
      const date = new Date(Date.now() + minutes * MINUTE).toUTCString();
      const reply = await readItem(itemToken(date), date);
      if (status === 200) {
        assertStatus(reply, 200);
      } else {
        assertError(reply, 403, { message: /time/i });
      }
    });
  }

  test('is needed everywhere but for the certificate and CORS', async () => {
    for (const [method, target] of [['GET', '/'], ['GET', '/dbs'], ['POST', '/dbs'], ['GET', '/offers'], ['GET', `/dbs/${rids.db}`], ['DELETE', '/dbs/Auth%20Db'],
      ['GET', '/dbs/Auth%20Db/colls'], ['GET', '/dbs/Auth%20Db/colls/C%C3%B6ll/pkranges'], ['GET', '/dbs/nowhere'], ['GET', '/dbs/Auth%20Db/users'],
      ['POST', '/dbs/Auth%20Db/colls/C%C3%B6ll/sprocs/s']]) {
      assertError(await rest.raw(method, target, {}), 401, { substatus: 5000 });
    }
    assertStatus(await rest.raw('GET', '/_orrery/ca.crt', {}), 200);
    assertStatus(await rest.raw('OPTIONS', '/dbs', { origin: 'http://localhost:3000', 'access-control-request-method': 'POST' }), 200, 204);
  });
});

describe('keys of its own', () => {
  let own;
  let keys;
  let data;

  before(async () => {
    data = fs.mkdtempSync(path.join(os.tmpdir(), 'orrery-keys-'));
    const said = execFileSync(distribution(), ['keys', 'new', '--data', data], { encoding: 'utf8' });
    const found = said.match(/[A-Za-z0-9+/]{86}==/g);
    assert.equal(new Set(found).size, 4, said);
    keys = found;
    own = await Server.start({ data });
  });
  after(async () => {
    await own?.close();
    fs.rmSync(data, { recursive: true, force: true });
  });

  test('two write, two only read, and the well-known one is off', async () => {
    const as = (key) => new Rest(own, { key });
    assertError(await as(KEY).get('/dbs'), 401);
    assert.ok(own.connectionString.includes('AccountKey='), 'the ready line names a key');
    const writers = [];
    const readers = [];
    for (const [i, key] of keys.entries()) {
      const reply = await as(key).post('/dbs', { id: `db-${i}` });
      (reply.status === 201 ? writers : readers).push(key);
      if (reply.status !== 201) {
        assertError(reply, 403, { message: /read-only/i });
      }
    }
    assert.equal(writers.length, 2);
    assert.equal(readers.length, 2);
    const [writer] = writers;
    const name = (await as(writer).get('/dbs')).json.Databases[0].id;
    assertStatus(await as(writer).post(`/dbs/${name}/colls`, { id: 'c', partitionKey: { paths: ['/pk'] } }), 201);
    const docs = `/dbs/${name}/colls/c/docs`;
    assertStatus(await as(writer).post(docs, { id: '1', pk: 'a' }, { headers: PK }), 201);
    for (const key of readers) {
      const reader = as(key);
      assertStatus(await reader.get('/'), 200);
      assertStatus(await reader.get('/dbs'), 200);
      assertStatus(await reader.get(`${docs}/1`, { headers: PK }), 200);
      assertStatus(await reader.get(docs), 200);
      assertStatus(await reader.query('/dbs', 'SELECT * FROM c'), 200);
      assertError(await reader.post(docs, { id: '2', pk: 'a' }, { headers: PK }), 403);
      assertError(await reader.put(`${docs}/1`, { id: '1', pk: 'a' }, { headers: PK }), 403);
      assertError(await reader.patch(`${docs}/1`, [{ op: 'set', path: '/n', value: 1 }], { headers: PK }), 403);
      assertError(await reader.delete(`${docs}/1`, { headers: PK }), 403);
      assertError(await reader.delete(`/dbs/${name}`), 403);
      // A create that calls itself a query changes nothing.
      const disguised = await reader.post(docs, { id: 'sneaky', pk: 'a' }, { headers: { ...PK, 'x-ms-documentdb-isquery': 'true' } });
      assertStatus(disguised, 400, 403, 501);
      assertError(await as(writer).get(`${docs}/sneaky`, { headers: PK }), 404);
    }
  });
});
