// The limits of shape and size, each at the limit and one past it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertError, assertStatus, unique } from '../lib/check.mjs';
import { Rest } from '../lib/rest.mjs';
import { Server } from '../lib/server.mjs';

const MB2 = 2 * 1024 * 1024;
const DOCS = '/dbs/db/colls/c/docs';
const key = (...values) => ({ 'x-ms-documentdb-partitionkey': JSON.stringify(values) });
const PK = key('a');

let server;
let rest;

before(async () => {
  server = await Server.start();
  rest = new Rest(server);
  assertStatus(await rest.post('/dbs', { id: 'db' }), 201);
  assertStatus(await rest.post('/dbs/db/colls', { id: 'c', partitionKey: { paths: ['/pk'], version: 2 }, indexingPolicy: { indexingMode: 'none', automatic: false } }), 201);
});
after(() => server?.close());

const newContainer = async (more = {}) => {
  const id = unique('c');
  const reply = await rest.post('/dbs/db/colls', { id, partitionKey: { paths: ['/pk'], version: 2 }, ...more });
  const path = `/dbs/db/colls/${id}`;
  return { reply, id, path, remove: () => rest.delete(path) };
};

/** An item whose body has this many bytes. */
function sized(id, bytes) {
  const empty = JSON.stringify({ id, pk: 'a', pad: '' });
  return JSON.stringify({ id, pk: 'a', pad: 'x'.repeat(bytes - empty.length) });
}

test('items have 2 MB', async () => {
  const most = sized('most', MB2);
  assert.equal(Buffer.byteLength(most), MB2);
  assertStatus(await rest.post(DOCS, most, { headers: PK }), 201);
  assert.equal((await rest.get(`${DOCS}/most`, { headers: PK })).json.pad.length, JSON.parse(most).pad.length);
  assertStatus(await rest.put(`${DOCS}/most`, most, { headers: PK }), 200);
  assertError(await rest.post(DOCS, sized('more', MB2 + 1), { headers: PK }), 413, { message: /large/i });
  assertError(await rest.put(`${DOCS}/most`, sized('most', MB2 + 1), { headers: PK }), 413);
  assertError(await rest.post(DOCS, sized('most', MB2 + 1), { headers: { ...PK, 'x-ms-documentdb-is-upsert': 'true' } }), 413);
  assertError(await rest.get(`${DOCS}/more`, { headers: PK }), 404);
  assertStatus(await rest.delete(`${DOCS}/most`, { headers: PK }), 204);
});

test('patches do not make them larger', async () => {
  assertStatus(await rest.post(DOCS, sized('grown', MB2 - 1000), { headers: PK }), 201);
  assertError(await rest.patch(`${DOCS}/grown`, [{ op: 'add', path: '/more', value: 'y'.repeat(10_000) }], { headers: PK }), 413);
  assertStatus(await rest.patch(`${DOCS}/grown`, [{ op: 'add', path: '/more', value: 'y' }], { headers: PK }), 200);
  assertStatus(await rest.delete(`${DOCS}/grown`, { headers: PK }), 204);
});

test('pages of feeds stay near 4 MB', async () => {
  const { id, remove } = await newContainer({ indexingPolicy: { indexingMode: 'none', automatic: false } });
  const docs = `/dbs/db/colls/${id}/docs`;
  for (let i = 0; i < 6; i += 1) {
    assertStatus(await rest.post(docs, sized(`i${i}`, 1_500_000), { headers: PK }), 201);
  }
  let seen = 0;
  let continuation;
  do {
    const page = assertStatus(await rest.get(docs, { headers: { 'x-ms-max-item-count': '-1', ...(continuation ? { 'x-ms-continuation': continuation } : {}) } }), 200);
    assert.ok(page.bytes.length < 4.5 * 1024 * 1024, `${page.bytes.length} bytes in a page`);
    seen += page.json._count;
    continuation = page.headers['x-ms-continuation'];
  } while (continuation);
  assert.equal(seen, 6);
  await remove();
});

test('ids of items have 1023 bytes', async () => {
  for (const most of ['x'.repeat(1023), '漢'.repeat(341), '🚀'.repeat(255) + 'xxx']) {
    assert.equal(Buffer.byteLength(most), 1023);
    assertStatus(await rest.post(DOCS, { id: most, pk: 'a' }, { headers: PK }), 201);
    assertStatus(await rest.get(`${DOCS}/${encodeURIComponent(most)}`, { headers: PK }), 200);
    assertStatus(await rest.delete(`${DOCS}/${encodeURIComponent(most)}`, { headers: PK }), 204);
    assertError(await rest.post(DOCS, { id: `${most}x`, pk: 'a' }, { headers: PK }), 400, { message: /1023/ });
  }
});

test('names of databases and containers have 255 characters', async () => {
  for (const most of ['x'.repeat(255), 'é'.repeat(255)]) {
    const path = `/dbs/${encodeURIComponent(most)}`;
    assertStatus(await rest.post('/dbs', { id: most }), 201);
    assertStatus(await rest.get(path), 200);
    assertStatus(await rest.post(`${path}/colls`, { id: most, partitionKey: { paths: ['/pk'] } }), 201);
    assertStatus(await rest.get(`${path}/colls/${encodeURIComponent(most)}`), 200);
    assertError(await rest.post(`${path}/colls`, { id: `${most}x`, partitionKey: { paths: ['/pk'] } }), 400, { message: /255/ });
    assertStatus(await rest.delete(path), 204);
    assertError(await rest.post('/dbs', { id: `${most}x` }), 400, { message: /255/ });
  }
});

test('key values have 2048 bytes', async () => {
  for (const most of ['k'.repeat(2048), `${'漢'.repeat(682)}kk`]) {
    assert.equal(Buffer.byteLength(most), 2048);
    const escaped = (value) => ({ 'x-ms-documentdb-partitionkey': JSON.stringify([value]).replace(/[^ -~]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`) });
    assertStatus(await rest.post(DOCS, { id: 'key', pk: most }, { headers: escaped(most) }), 201);
    assertStatus(await rest.get(`${DOCS}/key`, { headers: escaped(most) }), 200);
    assertStatus(await rest.delete(`${DOCS}/key`, { headers: escaped(most) }), 204);
    assertError(await rest.post(DOCS, { id: 'key', pk: `${most}k` }, { headers: escaped(`${most}k`) }), 400, { message: /2048/ });
  }
});

test('keys of version 1 that share their first 100 characters are still two keys', async () => {
  const { id, remove } = await newContainer({ partitionKey: { paths: ['/pk'] } });
  const docs = `/dbs/db/colls/${id}/docs`;
  for (const pk of ['z'.repeat(100), 'z'.repeat(101), 'z'.repeat(102), `${'z'.repeat(200)}a`, `${'z'.repeat(200)}b`]) {
    assertStatus(await rest.post(docs, { id: 'same', pk }, { headers: key(pk) }), 201);
    assert.equal((await rest.get(`${docs}/same`, { headers: key(pk) })).json.pk, pk);
    assert.equal((await rest.get(docs, { headers: key(pk) })).json._count, 1);
  }
  await remove();
});

test('values nest 128 deep', async () => {
  const nested = (levels, open, close) => {
    const inside = levels - 1;
    return `{"id":"deep","pk":"a","v":${open.repeat(inside)}${close === ']' ? '' : '0'}${close.repeat(inside)}}`;
  };
  for (const [open, close] of [['[', ']'], ['{"x":', '}']]) {
    assertStatus(await rest.post(DOCS, nested(128, open, close), { headers: PK }), 201);
    assertStatus(await rest.get(`${DOCS}/deep`, { headers: PK }), 200);
    assertStatus(await rest.delete(`${DOCS}/deep`, { headers: PK }), 204);
    assertError(await rest.post(DOCS, nested(129, open, close), { headers: PK }), 400, { message: /128/ });
    assertError(await rest.post(DOCS, nested(100_000, open, close), { headers: PK }), 400);
    assertError(await rest.post('/dbs', `{"id":"x","v":${open.repeat(100_000)}`), 400);
    assertError(await rest.get(`${DOCS}/deep`, { headers: { 'x-ms-documentdb-partitionkey': open.repeat(10_000) } }), 400);
  }
  assertStatus(await rest.post(DOCS, { id: 'deep', pk: 'a', v: {} }, { headers: PK }), 201);
  let value = 0;
  for (let i = 0; i < 200; i += 1) {
    value = { x: value };
  }
  assertError(await rest.patch(`${DOCS}/deep`, [{ op: 'set', path: '/v', value }], { headers: PK }), 400);
  for (let i = 0; i < 3; i += 1) {
    // Each patch adds 60 levels; the third would pass the limit.
    let more = 0;
    for (let n = 0; n < 60; n += 1) {
      more = { x: more };
    }
    const path = `/v${'/x'.repeat(i * 60)}/x`;
    const reply = await rest.patch(`${DOCS}/deep`, [{ op: 'set', path: i === 0 ? '/v' : path.slice(0, -2), value: more }], { headers: PK });
    if (i < 2) {
      assertStatus(reply, 200);
    } else {
      assertError(reply, 400);
    }
  }
  assertStatus(await rest.delete(`${DOCS}/deep`, { headers: PK }), 204);
});

test('keys have 3 levels', async () => {
  const three = await newContainer({ partitionKey: { paths: ['/a', '/b', '/c'], kind: 'MultiHash', version: 2 } });
  assertStatus(three.reply, 201);
  await three.remove();
  const four = await newContainer({ partitionKey: { paths: ['/a', '/b', '/c', '/d'], kind: 'MultiHash', version: 2 } });
  assertError(four.reply, 400, { message: /3/ });
});

test('indexing policies have 1500 paths of each kind', async () => {
  const paths = (count, prefix) => Array.from({ length: count }, (_, i) => ({ path: `/${prefix}${i}/?` }));
  const policy = (included, excluded) => ({ indexingPolicy: { indexingMode: 'consistent', automatic: true, includedPaths: [...paths(included - 1, 'i'), { path: '/*' }], excludedPaths: paths(excluded, 'e') } });
  for (const [included, excluded, status] of [[1500, 10, 201], [10, 1500, 201], [1501, 10, 400], [10, 1501, 400]]) {
    const { path, reply, remove } = await newContainer(policy(included, excluded));
    if (status === 201) {
      assertStatus(reply, 201);
      // The policy that is shown contains the service's own path and can be sent back unchanged.
      assert.equal(reply.json.indexingPolicy.excludedPaths.length, excluded + 1);
      assertStatus(await rest.put(path, reply.json), 200);
      await remove();
    } else {
      assertError(reply, 400, { message: /1500/ });
    }
  }
});

test('composite indexes have 8 properties and are 100', async () => {
  const composite = (count, size) => ({
    indexingPolicy: {
      indexingMode: 'consistent', automatic: true, includedPaths: [{ path: '/*' }], excludedPaths: [],
      compositeIndexes: Array.from({ length: count }, (_, i) => Array.from({ length: size }, (_, j) => ({ path: `/c${i}p${j}`, order: 'ascending' }))),
    },
  });
  for (const [count, size, status] of [[1, 8, 201], [100, 2, 201], [1, 9, 400], [101, 2, 400]]) {
    const { reply, remove } = await newContainer(composite(count, size));
    if (status === 201) {
      assertStatus(reply, 201);
      await remove();
    } else {
      assertError(reply, 400);
    }
  }
});

test('patches have 10 operations', async () => {
  assertStatus(await rest.post(DOCS, { id: 'ops', pk: 'a' }, { headers: PK }), 201);
  const operations = (count) => Array.from({ length: count }, (_, i) => ({ op: 'set', path: `/p${i}`, value: i }));
  assertStatus(await rest.patch(`${DOCS}/ops`, operations(10), { headers: PK }), 200);
  assertError(await rest.patch(`${DOCS}/ops`, operations(11), { headers: PK }), 400, { message: /10/ });
  assertStatus(await rest.delete(`${DOCS}/ops`, { headers: PK }), 204);
});

test('queries have 512 KB', async () => {
  const empty = "SELECT * FROM c WHERE c.id = ''";
  const query = (bytes) => empty.replace("''", `'${'x'.repeat(bytes - empty.length)}'`);
  assert.equal(query(524_288).length, 524_288);
  assertStatus(await rest.query('/dbs', query(524_288)), 200);
  assertError(await rest.query('/dbs', query(524_289)), 400, { message: /524288/ });
});

describe('quotas of the service', () => {
  test('are off: more than 25 containers share a database', async () => {
    assertStatus(await rest.post('/dbs', { id: 'shared' }, { headers: { 'x-ms-offer-throughput': '400' } }), 201);
    for (let i = 0; i < 27; i += 1) {
      assertStatus(await rest.post('/dbs/shared/colls', { id: `c${i}`, partitionKey: { paths: ['/pk'] } }), 201);
    }
    assertStatus(await rest.delete('/dbs/shared'), 204);
  });

  test('are on with --service-quotas', async () => {
    const strict = await Server.start({ args: ['--service-quotas'] });
    try {
      const client = new Rest(strict);
      assertStatus(await client.post('/dbs', { id: 'shared' }, { headers: { 'x-ms-offer-throughput': '400' } }), 201);
      for (let i = 0; i < 25; i += 1) {
        assertStatus(await client.post('/dbs/shared/colls', { id: `c${i}`, partitionKey: { paths: ['/pk'] } }), 201);
      }
      assertError(await client.post('/dbs/shared/colls', { id: 'c25', partitionKey: { paths: ['/pk'] } }), 400, { substatus: 1019 });
    } finally {
      await strict.close();
    }
  });
});
