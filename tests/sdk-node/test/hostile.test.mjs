// A new user with bad manners: races, unusual JSON, odd names, deletes under readers.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertError, assertStatus, unique } from '../lib/check.mjs';
import { connect } from '../lib/client.mjs';
import { Rest } from '../lib/rest.mjs';
import { Server } from '../lib/server.mjs';

const DOCS = '/dbs/db/colls/c/docs';
const key = (...values) => ({ 'x-ms-documentdb-partitionkey': JSON.stringify(values).replace(/[^ -~]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`) });
const PK = key('a');

let server;
let rest;

before(async () => {
  server = await Server.start();
  rest = new Rest(server);
  assertStatus(await rest.post('/dbs', { id: 'db' }), 201);
  assertStatus(await rest.post('/dbs/db/colls', { id: 'c', partitionKey: { paths: ['/pk'], version: 2 } }, { headers: { 'x-ms-offer-throughput': '50000' } }), 201);
});
after(async () => {
  const ended = await server?.stop();
  await server?.close();
  assert.ok(ended.code === 0 || ended.code === 143 || ended.signal === 'SIGTERM', `a clean stop, not ${JSON.stringify(ended)}`);
  assert.doesNotMatch(server?.output ?? '', /Exception|\tat /, 'the server logged no failure');
});

const times = (count, run) => Promise.all(Array.from({ length: count }, (_, i) => run(i)));
const lsn = (reply) => Number(/#(\d+)/.exec(reply.headers['x-ms-session-token'])[1]);
const UPSERT = { 'x-ms-documentdb-is-upsert': 'true' };

describe('races', () => {
  test('64 upserts of one id: one creates, each has its own etag, in order', async () => {
    const replies = await times(64, (i) => rest.post(DOCS, { id: 'race', pk: 'a', i }, { headers: { ...PK, ...UPSERT } }));
    assert.equal(replies.filter((r) => r.status === 201).length, 1);
    assert.equal(replies.filter((r) => r.status === 200).length, 63);
    assert.equal(new Set(replies.map((r) => r.headers.etag)).size, 64);
    assert.equal(new Set(replies.map((r) => r.json._rid)).size, 1);
    replies.sort((a, b) => lsn(a) - lsn(b));
    const etags = replies.map((r) => r.headers.etag);
    assert.deepEqual(etags, [...etags].sort(), 'etags grow with the log');
    const last = (await rest.get(`${DOCS}/race`, { headers: PK })).json;
    assert.equal(last._etag, etags.at(-1));
    assert.equal(last.i, replies.at(-1).json.i);
    await rest.delete(`${DOCS}/race`, { headers: PK });
  });

  test('64 creates of one id: one wins', async () => {
    const replies = await times(64, (i) => rest.post(DOCS, { id: 'once', pk: 'a', i }, { headers: PK }));
    const winners = replies.filter((r) => r.status === 201);
    assert.equal(winners.length, 1);
    assert.equal(replies.filter((r) => r.status === 409).length, 63);
    assert.equal((await rest.get(`${DOCS}/once`, { headers: PK })).json.i, winners[0].json.i);
    const deletes = await times(16, () => rest.delete(`${DOCS}/once`, { headers: PK }));
    assert.equal(deletes.filter((r) => r.status === 204).length, 1);
    assert.equal(deletes.filter((r) => r.status === 404).length, 15);
  });

  test('64 conditional replaces on one etag: one wins', async () => {
    const { _etag } = assertStatus(await rest.post(DOCS, { id: 'cas', pk: 'a' }, { headers: PK }), 201).json;
    const replies = await times(64, (i) => rest.put(`${DOCS}/cas`, { id: 'cas', pk: 'a', i }, { headers: { ...PK, 'if-match': _etag } }));
    assert.equal(replies.filter((r) => r.status === 200).length, 1);
    assert.equal(replies.filter((r) => r.status === 412).length, 63);
    await rest.delete(`${DOCS}/cas`, { headers: PK });
  });

  test('64 increments add up', async () => {
    assertStatus(await rest.post(DOCS, { id: 'sum', pk: 'a', n: 0 }, { headers: PK }), 201);
    const replies = await times(64, () => rest.patch(`${DOCS}/sum`, [{ op: 'incr', path: '/n', value: 1 }], { headers: PK }));
    assert.deepEqual([...new Set(replies.map((r) => r.status))], [200]);
    assert.deepEqual(replies.map((r) => r.json.n).sort((a, b) => a - b), Array.from({ length: 64 }, (_, i) => i + 1));
    assert.equal((await rest.get(`${DOCS}/sum`, { headers: PK })).json.n, 64);
    await rest.delete(`${DOCS}/sum`, { headers: PK });
  });

  test('readers see whole versions only, and never an older one after a newer one', async () => {
    assertStatus(await rest.post(DOCS, { id: 'whole', pk: 'a', a: 0, b: 0 }, { headers: PK }), 201);
    let isWriting = true;
    const readers = times(8, async () => {
      let newest = 0;
      while (isWriting) {
        const doc = assertStatus(await rest.get(`${DOCS}/whole`, { headers: PK }), 200).json;
        assert.equal(doc.a, doc.b);
        assert.ok(doc.a >= newest);
        newest = doc.a;
      }
    });
    try {
      for (let i = 1; i <= 50; i += 1) {
        assertStatus(await rest.put(`${DOCS}/whole`, { id: 'whole', pk: 'a', a: i, b: i, pad: 'x'.repeat(i * 100) }, { headers: PK }), 200);
      }
    } finally {
      isWriting = false;
    }
    await readers;
    await rest.delete(`${DOCS}/whole`, { headers: PK });
  });

  test('one of many creates of a database or container wins', async () => {
    const databases = await times(16, () => rest.post('/dbs', { id: 'raced' }));
    assert.deepEqual(databases.map((r) => r.status).sort(), [201, ...Array(15).fill(409)]);
    const containers = await times(16, () => rest.post('/dbs/raced/colls', { id: 'c', partitionKey: { paths: ['/pk'] } }));
    assert.deepEqual(containers.map((r) => r.status).sort(), [201, ...Array(15).fill(409)]);
    const deletes = await times(8, () => rest.delete('/dbs/raced'));
    assert.deepEqual(deletes.map((r) => r.status).sort(), [204, ...Array(7).fill(404)]);
  });

  test('a feed that is read while others write and delete holds what stayed, once', async () => {
    const id = unique('feed');
    const docs = `/dbs/db/colls/${id}/docs`;
    assertStatus(await rest.post('/dbs/db/colls', { id, partitionKey: { paths: ['/pk'], version: 2 } }, { headers: { 'x-ms-offer-throughput': '50000' } }), 201);
    await times(60, (i) => rest.post(docs, { id: `stay-${i}`, pk: `p${i}` }, { headers: key(`p${i}`) }));
    await times(60, (i) => rest.post(docs, { id: `go-${i}`, pk: `p${i}` }, { headers: key(`p${i}`) }));
    let isReading = true;
    const vandal = (async () => {
      for (let i = 0; i < 60; i += 1) {
        assertStatus(await rest.delete(`${docs}/go-${i}`, { headers: key(`p${i}`) }), 204);
        if (isReading) {
          assertStatus(await rest.post(docs, { id: `new-${i}`, pk: `p${i}` }, { headers: key(`p${i}`) }), 201);
          assertStatus(await rest.put(`${docs}/stay-${i}`, { id: `stay-${i}`, pk: `p${i}`, touched: true }, { headers: key(`p${i}`) }), 200);
        }
      }
    })();
    for (let round = 0; round < 3; round += 1) {
      const seen = [];
      let continuation;
      do {
        const page = assertStatus(await rest.get(docs, { headers: { 'x-ms-max-item-count': '7', ...(continuation ? { 'x-ms-continuation': continuation } : {}) } }), 200);
        seen.push(...page.json.Documents.map((doc) => doc.id));
        continuation = page.headers['x-ms-continuation'];
      } while (continuation);
      assert.equal(new Set(seen).size, seen.length, 'nothing twice');
      assert.equal(seen.filter((name) => name.startsWith('stay-')).length, 60, 'nothing missing');
    }
    isReading = false;
    await vandal;
    await rest.delete(`/dbs/db/colls/${id}`);
  });

  test('a container that comes and goes under its users is there or is not, never worse', async () => {
    const id = unique('flap');
    const docs = `/dbs/db/colls/${id}/docs`;
    let isRunning = true;
    const users = times(6, async (w) => {
      for (let i = 0; isRunning; i += 1) {
        const reply = i % 3 === 0
          ? await rest.get(docs)
          : i % 3 === 1
            ? await rest.post(docs, { id: `${w}-${i}`, pk: `${i}` }, { headers: key(`${i}`) })
            : await rest.get(`/dbs/db/colls/${id}/pkranges`);
        // No request names a range, so no client could do anything about one that is gone.
        assertStatus(reply, 200, 201, 404);
        if (reply.status >= 400) {
          assertError(reply, reply.status, { substatus: reply.substatus });
        }
      }
    });
    const rids = new Set();
    try {
      for (let round = 0; round < 15; round += 1) {
        const created = assertStatus(await rest.post('/dbs/db/colls', { id, partitionKey: { paths: ['/pk'], version: 2 } }, { headers: { 'x-ms-offer-throughput': round % 2 ? '400' : '20000' } }), 201).json;
        rids.add(created._rid);
        const own = assertStatus(await rest.post(docs, { id: 'own', pk: 'own', round }, { headers: key('own') }), 201).json;
        assert.equal((await rest.get(`${docs}/own`, { headers: key('own') })).json.round, round);
        assert.ok(own._self.startsWith(created._self));
        assertStatus(await rest.delete(`/dbs/db/colls/${id}`), 204);
      }
    } finally {
      isRunning = false;
    }
    await users;
    assert.equal(rids.size, 15);
  });

  test('a database that is deleted under its writers is gone', async () => {
    assertStatus(await rest.post('/dbs', { id: 'doomed' }), 201);
    assertStatus(await rest.post('/dbs/doomed/colls', { id: 'c', partitionKey: { paths: ['/pk'] } }), 201);
    let isGone = false;
    let written = 0;
    let removal;
    const remove = async () => {
      try {
        assertStatus(await rest.delete('/dbs/doomed'), 204);
      } finally {
        isGone = true;
      }
    };
    await times(8, async (w) => {
      for (let i = 0; ; i += 1) {
        const wasGone = isGone;
        const reply = await rest.post('/dbs/doomed/colls/c/docs', { id: `${w}-${i}`, pk: 'a' }, { headers: PK });
        assertStatus(reply, 201, 404);
        assert.ok(!(wasGone && reply.status === 201), 'no write after the delete');
        if (reply.status === 404) {
          return removal;
        }
        written += 1;
        if (written >= 100) {
          removal ??= remove();
        }
      }
    });
    assertStatus(await rest.get('/dbs/doomed'), 404);
  });
});

describe('unusual JSON', () => {
  const raw = async (body) => rest.post(DOCS, body, { headers: { ...PK, ...UPSERT } });
  const read = async (id) => rest.get(`${DOCS}/${id}`, { headers: PK });

  test('with a name twice is refused or the last one counts, in the key too', async () => {
    const reply = await raw('{"id":"dup","pk":"a","v":1,"v":2}');
    assertStatus(reply, 201, 400);
    if (reply.status === 201) {
      assert.equal((await read('dup')).json.v, 2);
      assert.equal((await read('dup')).text.split('"v"').length, 2, 'stored once');
    }
    for (const body of ['{"id":"x1","id":"x2","pk":"a"}', '{"id":"x3","pk":"b","pk":"a"}', '{"id":"x4","pk":"a","pk":"b"}']) {
      const other = await raw(body);
      assertStatus(other, 201, 400);
      if (other.status === 201) {
        const stored = other.json;
        assert.equal(stored.pk, 'a');
        assert.equal((await read(stored.id)).json.pk, 'a');
      }
    }
  });

  test('with numbers beyond a double is refused or rounded, never changed otherwise', async () => {
    for (const [text, value] of [['123456789012345678901234567890', 123456789012345678901234567890], ['9007199254740993', 9007199254740992], ['0.1000000000000000055511151231257827', 0.1], ['1e-400', 0], ['-1e-400', 0],
      ['1E5', 100000], ['1.0', 1], ['-0', 0], ['-0.0', 0], ['4.9e-324', 5e-324], ['1.7976931348623157e308', Number.MAX_VALUE], [`0.${'1'.repeat(1000)}`, 1 / 9], [`1${'0'.repeat(300)}`, 1e300]]) {
      const reply = await raw(`{"id":"num","pk":"a","n":${text}}`);
      assertStatus(reply, 200, 201);
      const stored = (await read('num')).json.n;
      assert.equal(stored + 0, value + 0, `${text.slice(0, 40)} became ${stored}`);
    }
    for (const text of ['1e400', '-1e400', `1${'0'.repeat(400)}`, '1e999999999999']) {
      const reply = await raw(`{"id":"inf","pk":"a","n":${text}}`);
      assertError(reply, 400);
    }
  });

  test('with control characters and astral text comes back as it was', async () => {
    const doc = { id: 'chars', pk: 'a', nul: 'a\u0000b', all: Array.from({ length: 0x120 }, (_, i) => String.fromCharCode(i)).join(''), emoji: '👩‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿', rtl: '\u202eabc', zero: '\u200b\ufeff', combining: 'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢', last: '\u{10ffff}', line: '\u2028\u2029', slash: '\\/"' };
    assertStatus(await raw(JSON.stringify(doc)), 201);
    const { _rid, _self, _etag, _ts, _attachments, ...stored } = (await read('chars')).json;
    assert.deepEqual(stored, doc);
    assertStatus(await raw('{"id":"chars","pk":"\\u0061","n":"\\u00e9\\uD83D\\uDE80\\/"}'), 200);
    assert.equal((await read('chars')).json.n, 'é🚀/');
  });

  test('with lone surrogates is refused or kept, not turned into something else', async () => {
    for (const text of ['\\ud800', '\\udfff', '\\udc00\\ud800', 'a\\ud83db']) {
      const reply = await raw(`{"id":"lone","pk":"a","s":"${text}"}`);
      assertStatus(reply, 200, 201, 400);
      if (reply.status !== 400) {
        assert.equal((await read('lone')).json.s, JSON.parse(`"${text}"`));
      } else {
        assertError(reply, 400);
      }
      assertStatus(await raw(`{"id":"${text}","pk":"a"}`), 400, 200, 201);
    }
  });

  test('with a BOM or in UTF-16 is read or refused', async () => {
    const bom = await raw(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('{"id":"bom","pk":"a"}')]));
    assertStatus(bom, 201, 400);
    assertStatus(await raw(Buffer.from('{"id":"utf16","pk":"a"}', 'utf16le')), 400);
    assertStatus(await raw(Buffer.from('\ufeff{"id":"utf16","pk":"a"}', 'utf16le')), 400);
  });

  test('with names that mean something elsewhere is plain data', async () => {
    const body = '{"id":"names","pk":"a","__proto__":{"x":1},"constructor":1,"toString":null,"$type":"System.Object, x","$ref":"#","_id":1,"":{"":[]},"a.b":1,"a/b":2,"[0]":3,"*":4,"?":5,"\\"":6,"ttl":-1,"null":null,"💥":7}';
    assertStatus(await raw(body), 201);
    const text = (await read('names')).text;
    for (const part of ['"__proto__":{"x":1}', '"$type":"System.Object, x"', '"":{"":[]}', '"a.b":1', '"*":4', '"💥":7']) {
      assert.ok(text.includes(part), part);
    }
  });

  test('with an item ttl is kept or refused, as the container has none', async () => {
    for (const ttl of ['10', '-1', '"x"', '0', 'null']) {
      const reply = await raw(`{"id":"ttl","pk":"a","ttl":${ttl}}`);
      assertStatus(reply, 200, 201, 400);
    }
  });

  test('with very many or very long names is stored', async () => {
    const wide = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`p${i}`, i]));
    assertStatus(await raw(JSON.stringify({ id: 'wide', pk: 'a', ...wide })), 201);
    assert.equal((await read('wide')).json.p4999, 4999);
    assertStatus(await raw(JSON.stringify({ id: 'long', pk: 'a', [`n${'x'.repeat(100_000)}`]: 1, value: 'y'.repeat(1_000_000), list: Array(20_000).fill(1) })), 201);
    assert.equal((await read('long')).json.list.length, 20_000);
  });

  test('with white space is read', async () => {
    assertStatus(await raw(' \r\n\t{ "id" : "space" ,\n"pk"\t:\r"a" } \n'), 201);
  });

  test('as a key means its value, however it is written', async () => {
    for (const [header, body] of [['[1]', '1.0'], ['[1.0]', '1'], ['[1e0]', '10e-1'], ['[100]', '1E2'], ['[9007199254740993]', '9007199254740992'], ['["\\u0061\\u00e9"]', '"aé"'], ['["/"]', '"\\/"']]) {
      const headers = { 'x-ms-documentdb-partitionkey': header };
      const id = unique('k');
      const reply = await rest.post(DOCS, `{"id":"${id}","pk":${body}}`, { headers });
      assertStatus(reply, 201);
      assertStatus(await rest.get(`${DOCS}/${id}`, { headers }), 200);
      assertStatus(await rest.get(`${DOCS}/${id}`, { headers: { 'x-ms-documentdb-partitionkey': `[${body.replace(/[^ -~]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)}]` } }), 200);
      assertStatus(await rest.delete(`${DOCS}/${id}`, { headers }), 204);
    }
  });

  test('keys that look alike are different keys', async () => {
    const alike = ['é', 'e\u0301', 'E', 'e', 'e ', ' e', 'e\u0000', '\u0435', '1', 1, '1.0', 'true', true, 'null', null, '', '[]', '{}'];
    for (const [i, pk] of alike.entries()) {
      assertStatus(await rest.post(DOCS, { id: 'alike', pk, i }, { headers: key(pk) }), 201);
    }
    for (const [i, pk] of alike.entries()) {
      assert.equal((await rest.get(`${DOCS}/alike`, { headers: key(pk) })).json.i, i);
      const feed = (await rest.get(DOCS, { headers: key(pk) })).json.Documents.filter((doc) => doc.id === 'alike');
      assert.deepEqual(feed.map((doc) => doc.i), [i]);
    }
  });
});

describe('odd names', () => {
  test('of databases and containers work or are refused with a reason', async () => {
    for (const name of ['ünï cödé', '漢字', '🚀', 'a%b', '%41', 'a+b', 'a&b=c;d', "o'brien", '"', '<b>', '{}', '~', '.', '..', '...', '-', '_', '_orrery', 'dbs', 'colls', 'null', 'CON', 'a'.repeat(200), ' lead', 'tab\tname', 'line\nname', 'nul\u0000name', '\u202e', 'e\u0301', 'AbC', 'abc', '0', 'a:b', 'a|b', 'a*b', '$', '@']) {
      const created = await rest.post('/dbs', { id: name });
      assertStatus(created, 201, 400);
      if (created.status === 400) {
        assertError(created, 400);
        continue;
      }
      // A client that takes dot segments out of a URL still gets there with them encoded.
      const path = `/dbs/${/^\.+$/.test(name) ? name.replaceAll('.', '%2E') : encodeURIComponent(name)}`;
      assert.equal(assertStatus(await rest.get(path), 200).json.id, name);
      assertStatus(await rest.post(`${path}/colls`, { id: name, partitionKey: { paths: ['/pk'] } }), 201);
      const coll = `${path}/colls/${path.slice(5)}`;
      const item = assertStatus(await rest.post(`${coll}/docs`, { id: 'x', pk: 'a' }, { headers: PK }), 201);
      assert.match(item.headers['x-ms-alt-content-path'] ?? '', /^[ -~]*$/, 'headers are ASCII');
      assertStatus(await rest.get(`${coll}/docs/x`, { headers: PK }), 200);
      assertStatus(await rest.delete(path), 204);
    }
  });

  test('work in the SDK', async () => {
    const client = connect(server, { consistencyLevel: 'Session' });
    for (const name of ['ünï cödé', '漢字', '🚀', 'a%b', 'a+b', "o'brien"]) {
      const { database } = await client.databases.create({ id: name });
      const { container } = await database.containers.create({ id: name, partitionKey: '/pk' });
      await container.items.create({ id: name, pk: name });
      assert.equal((await container.item(name, name).read()).resource.id, name);
      assert.equal((await container.items.readAll().fetchAll()).resources.length, 1);
      await database.delete();
    }
    client.dispose();
  });
});

describe('many', () => {
  test('200 containers live side by side', async () => {
    assertStatus(await rest.post('/dbs', { id: 'many' }), 201);
    const ids = Array.from({ length: 200 }, (_, i) => `c${i}`);
    for (let at = 0; at < ids.length; at += 10) {
      const created = await Promise.all(ids.slice(at, at + 10).map((id) => rest.post('/dbs/many/colls', { id, partitionKey: { paths: ['/pk'], version: 2 } })));
      created.forEach((reply) => assertStatus(reply, 201));
    }
    const written = await Promise.all(ids.map((id) => rest.post(`/dbs/many/colls/${id}/docs`, { id, pk: 'a' }, { headers: PK })));
    written.forEach((reply) => assertStatus(reply, 201));
    const listed = new Set();
    let continuation;
    do {
      const page = assertStatus(await rest.get('/dbs/many/colls', { headers: { 'x-ms-max-item-count': '50', ...(continuation ? { 'x-ms-continuation': continuation } : {}) } }), 200);
      page.json.DocumentCollections.forEach((coll) => listed.add(coll.id));
      continuation = page.headers['x-ms-continuation'];
    } while (continuation);
    assert.equal(listed.size, 200);
    for (const id of ids.filter((_, i) => i % 20 === 0)) {
      assert.deepEqual((await rest.get(`/dbs/many/colls/${id}/docs`)).json.Documents.map((doc) => doc.id), [id]);
    }
    await server.restart();
    for (const id of ids.filter((_, i) => i % 20 === 0)) {
      assertStatus(await rest.get(`/dbs/many/colls/${id}/docs/${id}`, { headers: PK }), 200);
    }
    assertStatus(await rest.delete('/dbs/many'), 204);
    assertStatus(await rest.get('/dbs/many/colls/c1'), 404);
    // Whatever was still to be cleared away when it stopped stays deleted.
    await server.restart();
    assertStatus(await rest.get('/dbs/many'), 404);
    assertStatus(await rest.post('/dbs', { id: 'many' }), 201);
    assert.equal((await rest.get('/dbs/many/colls')).json._count, 0);
    assertStatus(await rest.delete('/dbs/many'), 204);
  });
});
