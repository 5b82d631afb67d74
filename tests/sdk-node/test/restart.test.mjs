// A restart changes nothing that a client can see.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { assertError, assertStatus } from '../lib/check.mjs';
import { connect } from '../lib/client.mjs';
import { Rest } from '../lib/rest.mjs';
import { Server } from '../lib/server.mjs';

const DOCS = '/dbs/db/colls/c/docs';
const key = (...values) => ({ 'x-ms-documentdb-partitionkey': JSON.stringify(values) });

let server;
let rest;

before(async () => {
  server = await Server.start();
  rest = new Rest(server);
});
after(() => server?.close());

for (const [how, again] of [['SIGTERM', () => server.restart()], ['SIGKILL', async () => { await server.kill(); await server.start(); }]]) {
  describe(`over ${how}`, () => {
    test('databases, containers, items, offers and ranges stay byte for byte', async () => {
      assertStatus(await rest.post('/dbs', { id: 'db' }), 201);
      assertStatus(await rest.post('/dbs/db/colls', { id: 'c', partitionKey: { paths: ['/pk'], version: 2 } }, { headers: { 'x-ms-offer-throughput': '50000' } }), 201);
      assertStatus(await rest.post('/dbs/db/colls', { id: 'multi', partitionKey: { paths: ['/a', '/b'], kind: 'MultiHash', version: 2 }, indexingPolicy: { indexingMode: 'none', automatic: false } }), 201);
      for (let i = 0; i < 30; i += 1) {
        assertStatus(await rest.post(DOCS, { id: `i${i}`, pk: `p${i}`, text: 'é🚀\u0000', n: i / 3 }, { headers: key(`p${i}`) }), 201);
      }
      assertStatus(await rest.patch(`${DOCS}/i1`, [{ op: 'set', path: '/n', value: 'patched' }], { headers: key('p1') }), 200);
      assertStatus(await rest.delete(`${DOCS}/i2`, { headers: key('p2') }), 204);
      const paths = ['/', '/dbs', '/dbs/db', '/dbs/db/colls', '/dbs/db/colls/c', '/dbs/db/colls/multi', '/dbs/db/colls/c/pkranges', '/offers', DOCS];
      const look = async () => {
        const seen = {};
        for (const path of paths) {
          const reply = assertStatus(await rest.get(path), 200);
          seen[path] = [reply.text, reply.headers.etag];
        }
        return seen;
      };
      const before = await look();
      await again();
      assert.deepEqual(await look(), before);
      assertError(await rest.get(`${DOCS}/i2`, { headers: key('p2') }), 404);
      const polled = await rest.get('/dbs/db/colls/c/pkranges', { headers: { 'a-im': 'Incremental Feed', 'if-none-match': before['/dbs/db/colls/c/pkranges'][1] } });
      assertStatus(polled, 304);
    });

    test('sessions, etags and continuation tokens go on', async () => {
      const session = connect(server, { consistencyLevel: 'Session' });
      const container = session.database('db').container('c');
      const { resource, headers } = await container.items.create({ id: 'session', pk: 's', n: 1 });
      const first = assertStatus(await rest.get(DOCS, { headers: { 'x-ms-max-item-count': '7' } }), 200);
      const ids = new Set(first.json.Documents.map((doc) => doc._rid));
      await again();
      // The agent of a server ends with it; a client with its own pool would reconnect.
      const later = connect(server, { consistencyLevel: 'Session' });
      const same = later.database('db').container('c');
      const token = headers['x-ms-session-token'];
      assertStatus(await rest.get(`${DOCS}/session`, { headers: { ...key('s'), 'x-ms-session-token': token } }), 200);
      const replaced = await same.item('session', 's').replace({ ...resource, n: 2 }, { accessCondition: { type: 'IfMatch', condition: resource._etag } });
      assert.notEqual(replaced.resource._etag, resource._etag);
      let continuation = first.headers['x-ms-continuation'];
      while (continuation) {
        const page = assertStatus(await rest.get(DOCS, { headers: { 'x-ms-max-item-count': '7', 'x-ms-continuation': continuation } }), 200);
        page.json.Documents.forEach((doc) => {
          assert.ok(!ids.has(doc._rid), 'nothing twice');
          ids.add(doc._rid);
        });
        continuation = page.headers['x-ms-continuation'];
      }
      assert.equal(ids.size, 30);
      await same.item('session', 's').delete();
      session.dispose();
      later.dispose();
    });

    test('no rid and no etag comes back', async () => {
      const rids = new Set();
      const etags = new Set();
      for (let round = 0; round < 3; round += 1) {
        const db = assertStatus(await rest.post('/dbs', { id: 'again' }), 201).json;
        const coll = assertStatus(await rest.post('/dbs/again/colls', { id: 'c', partitionKey: { paths: ['/pk'], version: 2 } }), 201).json;
        const doc = assertStatus(await rest.post('/dbs/again/colls/c/docs', { id: '1', pk: 'a' }, { headers: key('a') }), 201).json;
        for (const resource of [db, coll, doc]) {
          assert.ok(!rids.has(resource._rid), `${resource._rid} is new`);
          rids.add(resource._rid);
        }
        assert.ok(!etags.has(doc._etag), `${doc._etag} is new`);
        etags.add(doc._etag);
        assertStatus(await rest.delete('/dbs/again'), 204);
        const item = assertStatus(await rest.post(DOCS, { id: 'again', pk: 'x' }, { headers: key('x') }), 201).json;
        assert.ok(!rids.has(item._rid), `${item._rid} is new`);
        assert.ok(!etags.has(item._etag), `${item._etag} is new`);
        rids.add(item._rid);
        etags.add(item._etag);
        assertStatus(await rest.delete(`${DOCS}/again`, { headers: key('x') }), 204);
        if (round < 2) {
          await again();
        }
      }
      assertStatus(await rest.delete('/dbs/db'), 204);
    });
  });
}

describe('the status port', () => {
  test('says alive and ready', async () => {
    const { server: watched, port } = await Server.startOnKnownPort((statusPort) => ({ statusPort }));
    try {
      for (const path of ['/alive', '/ready', '/status']) {
        let reply;
        let text;
        do {
          reply = await fetch(`http://127.0.0.1:${port}${path}`);
          text = await reply.text();
          // A server that did not answer itself for two seconds says so.
        } while (path === '/ready' && reply.status === 503 && /no answer on the SQL port/.test(text));
        assert.equal(reply.status, 200, `${path}: ${text}`);
        assert.ok(text.length > 0, path);
      }
      assert.equal((await fetch(`http://127.0.0.1:${port}/nothing`)).status, 404);
    } finally {
      await watched.close();
    }
  });
});

describe('--ephemeral', () => {
  test('keeps nothing', async () => {
    const brief = await Server.start({ args: ['--ephemeral'], data: null });
    const client = new Rest(brief);
    assertStatus(await client.post('/dbs', { id: 'db' }), 201);
    const { certificate } = brief;
    await brief.restart();
    assertStatus(await client.get('/dbs/db'), 404);
    await brief.close();
    assert.ok(!fs.existsSync(certificate), 'not even its certificate');
  });
});
