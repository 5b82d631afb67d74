// The server gets bytes that no client sends, keys and filters that look like something else: it never says 500, and nothing changes.
import assert from 'node:assert/strict';
import net from 'node:net';
import { after, before, test } from 'node:test';
import { Server } from '../lib/server.mjs';
import { encoded, entityPath } from '../lib/table-rest.mjs';
import { Tables, uniqueTable } from '../lib/tables.mjs';
import { filter, random } from '../lib/table-walk.mjs';

/** So many requests of each kind are made. */
const ROUNDS = process.env.ORRERY_LONG ? 5_000 : 400;
const SEED = Number(process.env.ORRERY_SEED ?? 1);

let server;
let tables;
let rest;
let table;
let before0;
before(async () => {
  server = await Server.start();
  tables = new Tables(server.tablePort, 'azurite');
  rest = tables.rest;
  table = await rest.createTable(uniqueTable());
  await rest.post(`/${table}`, { PartitionKey: 'p', RowKey: 'r', n: 1 });
  before0 = await state();
});
after(async () => {
  tables?.close();
  await server?.close();
});

/** Everything that is there. */
async function state() {
  const [names, entities] = [await rest.get('/Tables'), await rest.get(`/${table}`)];
  assert.deepEqual([names.status, entities.status], [200, 200]);
  return names.text + entities.text;
}

const unchanged = async () => assert.equal(await state(), before0, `seed ${SEED}`);

/** Sends requests several at a time, and looks at each answer. */
async function flood(requests, check) {
  const waiting = [...requests];
  await Promise.all(Array.from({ length: 8 }, async () => {
    while (waiting.length > 0) {
      const { what, send } = waiting.pop();
      check(await send(), what);
    }
  }));
}

function refused(reply, what) {
  assert.ok(reply.status >= 400 && reply.status < 500 || reply.status === 501, `${what} (seed ${SEED}): ${reply.status} ${reply.text.slice(0, 300)}`);
  assert.notEqual(reply.code, '', what);
  assert.doesNotMatch(reply.text, /Exception|\bat orrery\.|\.java:/, what);
}

/** A change of a text: bytes that are gone, doubled, swapped, or replaced by awkward ones. */
function mutated(dice, text) {
  const signs = [...text];
  for (let i = 0; i <= dice.int(3); i += 1) {
    const at = dice.int(signs.length + 1);
    const awkward = dice.pick(["'", '"', '(', ')', '%', '%00', '\\', '/', '\u0000', '\r\n', '\u2028', '🚀', '\ud800', '=', ',', ' ', '--', '{', '}', '9'.repeat(30), 'e', '$', '@odata.type', ';', '\u007f', 'not ', ' and ']);
    signs.splice(at, dice.int(3), ...(dice.chance(0.7) ? [awkward] : signs.slice(at, at + dice.int(9))));
  }
  return signs.join('');
}

test('filters that are nearly right are answered or refused', async () => {
  const dice = random(SEED);
  await flood(Array.from({ length: ROUNDS }, () => {
    const text = mutated(dice, filter(dice)).toWellFormed?.() ?? filter(dice);
    return { what: text, send: () => rest.get(`/${table}?$filter=${encodeURIComponent(text)}`) };
  }), (reply, what) => (reply.status === 200 ? undefined : refused(reply, what)));
  const deep = ['('.repeat(5_000), `${'not '.repeat(5_000)}n eq 1`, `${'('.repeat(1_000)}n eq 1${')'.repeat(1_000)}`, Array.from({ length: 1_000 }, (_, i) => `n eq ${i}`).join(' or ')];
  for (const text of deep) {
    const reply = await rest.get(`/${table}?$filter=${encodeURIComponent(text)}`);
    assert.ok(reply.status < 500, `${text.slice(0, 50)}: ${reply.status}`);
  }
  await unchanged();
});

test('paths and options that are nearly right are answered or refused', async () => {
  const dice = random(SEED + 1);
  const options = ['$top=3', '$select=n,s', '$filter=n eq 1', '$format=application/json;odata=fullmetadata', 'NextPartitionKey=x', 'NextRowKey=x', 'NextTableName=x', 'comp=acl', 'restype=service', 'comp=properties', 'timeout=30', '$orderby=n', '$skip=1', 'sv=2019-02-02', 'sig=x', 'tn=x'];
  await flood(Array.from({ length: ROUNDS }, () => {
    const path = mutated(dice, dice.pick([`/${table}`, `/${table}()`, entityPath(table, 'p', 'r'), '/Tables', `/Tables('${table}')`, '/', '/$batch', '/$metadata']));
    const query = Array.from({ length: dice.int(3) }, () => mutated(dice, dice.pick(options))).join('&');
    // Node's client cannot send what is no path at all.
    const target = encodeURI((path + (query && `?${query}`)).toWellFormed?.() ?? path).replace(/^([^/])/, '/$1');
    return { what: target, send: () => rest.get(target) };
  }), (reply, what) => (reply.status < 400 ? undefined : refused(reply, what)));
  await unchanged();
});

test('keys in addresses mean one entity, or are refused', async () => {
  const keys = ["PartitionKey='p'", "RowKey='r'", "PartitionKey='p',RowKey='r',RowKey='r'", "PartitionKey='p',PartitionKey='p'", "RowKey='r',PartitionKey='p'", "PartitionKey=p,RowKey=r", "PartitionKey='p'%20RowKey='r'", "PartitionKey='p',RowKey='r", "PartitionKey='p',RowKey=''r''", "'p','r'", "PartitionKey=null,RowKey=null", "PartitionKey='p',RowKey='r')(", "PartitionKey='p',RowKey='%FF'", "PartitionKey='p',RowKey='%ED%A0%80'", "PartitionKey='p',RowKey='%00'", "PartitionKey='p',RowKey='a%2Fb'", "PartitionKey='p',RowKey='a%5Cb'", "PartitionKey='p',RowKey='a%23b'", "PartitionKey='p',RowKey='a%3Fb'", "PartitionKey='p',RowKey='%zz'", "PartitionKey='p',RowKey='%'", "partitionkey='p',rowkey='r'"];
  for (const key of keys) {
    for (const [method, body] of [['GET'], ['PUT', { n: 9 }], ['PATCH', { n: 9 }], ['DELETE']]) {
      if (method !== 'GET' && /^(RowKey='r',PartitionKey='p'|partitionkey)/.test(key)) {
        continue;
      }
      const reply = await rest.send(method, `/${table}(${key})`, { body, headers: method === 'GET' ? {} : { 'if-match': '*' } });
      assert.ok(reply.status === 200 && method === 'GET' || (reply.status >= 400 && reply.status < 500), `${method} ${key}: ${reply.status} ${reply.text}`);
    }
  }
  await unchanged();
});

test('batches that are nearly right are carried out as a whole or refused', async () => {
  const dice = random(SEED + 2);
  const part = (rowKey) => `--changeset_1\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\nPOST ${tables.url}/${table} HTTP/1.1\r\nContent-Type: application/json\r\nPrefer: return-no-content\r\n\r\n{"PartitionKey":"p","RowKey":"${rowKey}"}\r\n`;
  // The second insert fails, so that nothing may change however the text is read.
  const whole = `--batch_1\r\nContent-Type: multipart/mixed; boundary=changeset_1\r\n\r\n${part('x')}${part('r')}--changeset_1--\r\n--batch_1--\r\n`;
  const send = (body, type = 'multipart/mixed; boundary=batch_1') => rest.send('POST', '/$batch', { body, headers: { 'content-type': type } });
  const plain = await send(whole);
  assert.equal(plain.status, 202, plain.text);
  assert.match(plain.text, /EntityAlreadyExists/);
  await unchanged();
  const isSane = (reply, what) => {
    assert.ok(reply.status === 202 || (reply.status >= 400 && reply.status < 500), `${what} (seed ${SEED}): ${reply.status} ${reply.text.slice(0, 300)}`);
    assert.doesNotMatch(reply.text, /HTTP\/1\.1 5\d\d|Exception|\.java:/, what);
  };
  await flood(Array.from({ length: ROUNDS }, () => {
    const text = mutated(dice, whole);
    return { what: text, send: () => send(text) };
  }), isSane);
  for (const text of ['', '--batch_1', '--batch_1--', '--batch_1\r\n\r\n--batch_1--', whole.replaceAll('changeset_1', 'batch_1'), whole.replaceAll('\r\n', '\n'), whole.slice(0, -40), whole.replace('POST http', 'POST /http'), whole.replace('POST', 'GET'), whole.replaceAll('HTTP/1.1', ''), `${whole}${whole}`]) {
    isSane(await send(text), text);
  }
  for (const type of ['multipart/mixed', 'multipart/mixed; boundary=', 'multipart/mixed; boundary="batch_1', 'application/json', 'multipart/mixed; boundary=nothing', `multipart/mixed; boundary=${'x'.repeat(500)}`]) {
    isSane(await send(whole, type), type);
  }
  // A mutation may have renamed the entity that stood in the way: then both inserts were right.
  for (const { PartitionKey, RowKey } of (await rest.get(`/${table}`)).json.value) {
    if (`${PartitionKey}/${RowKey}` !== 'p/r') {
      assert.equal((await rest.delete(`/${table}(PartitionKey='${encoded(PartitionKey)}',RowKey='${encoded(RowKey)}')`)).status, 204);
    }
  }
  await unchanged();
});

test('bodies that are nearly JSON are refused, or are entities', async () => {
  const dice = random(SEED + 3);
  const whole = JSON.stringify({ PartitionKey: 'p', RowKey: 'r', n: 5, 'l@odata.type': 'Edm.Int64', l: '7', 'd@odata.type': 'Edm.DateTime', d: '2026-01-02T03:04:05Z', s: 'x' });
  // The entity is there: what is an entity all the same, and has its keys, is a conflict.
  await flood(Array.from({ length: ROUNDS }, () => {
    const text = mutated(dice, whole);
    return { what: text, send: () => rest.post(`/${table}`, Buffer.from(text, dice.chance(0.9) ? 'utf8' : 'utf16le')) };
  }), (reply, what) => assert.ok(reply.status === 201 || (reply.status >= 400 && reply.status < 500), `${what} (seed ${SEED}): ${reply.status} ${reply.text.slice(0, 300)}`));
  for (const { PartitionKey, RowKey } of (await rest.get(`/${table}`)).json.value) {
    if (`${PartitionKey}/${RowKey}` !== 'p/r') {
      assert.equal((await rest.delete(`/${table}(PartitionKey='${encoded(PartitionKey)}',RowKey='${encoded(RowKey)}')`)).status, 204, JSON.stringify([PartitionKey, RowKey]));
    }
  }
  await unchanged();
});

test('headers that make no sense are refused, or do no harm', async () => {
  const path = entityPath(table, 'p', 'r');
  const tries = [
    ['PUT', path, { 'if-match': 'x' }], ['PUT', path, { 'if-match': '"x"' }], ['PUT', path, { 'if-match': 'W/"datetime\'2026\'"' }], ['PUT', path, { 'if-match': 'W/"' }], ['PATCH', path, { 'if-match': 'W/"datetime\'99999-01-01T00%3A00%3A00Z\'"' }],
    ['DELETE', path, { 'if-match': '' }], ['DELETE', path, {}], ['POST', path, { 'x-http-method': 'MERGE', 'if-match': 'x' }], ['POST', path, { 'x-http-method': 'GET' }], ['POST', path, { 'x-http-method': 'EXPLODE' }], ['POST', path, {}],
    ['PUT', `/${table}`, {}], ['DELETE', `/${table}`, {}], ['DELETE', '/Tables', {}], ['PUT', '/Tables', {}], ['PATCH', '/Tables', {}], ['POST', '/', {}], ['PUT', '/$batch', {}], ['GET', '/$batch', {}], ['TRACE', path, {}], ['FROB', path, {}],
  ];
  for (const [method, target, headers] of tries) {
    const reply = await rest.send(method, target, { body: ['GET', 'DELETE', 'TRACE'].includes(method) ? undefined : { n: 9 }, headers });
    refused(reply, `${method} ${target} ${JSON.stringify(headers)}`);
  }
  for (const accept of ['text/html', 'application/atom+xml', '*/*', 'application/json;odata=verbose', 'x', '']) {
    const reply = await rest.get(path, { headers: { accept } });
    assert.ok([200, 400, 406, 415].includes(reply.status), `${accept}: ${reply.status}`);
  }
  await unchanged();
});

test('continuations, signatures, dates, ETags and policies that are nearly right open and change nothing', async () => {
  const dice = random(SEED + 5);
  const secret = await rest.createTable(uniqueTable());
  await rest.post(`/${secret}`, { PartitionKey: 'p', RowKey: 'r', s: 'SECRET' });
  for (let i = 0; i < 9; i += 1) {
    await rest.post(`/${secret}`, { PartitionKey: `k${i}`, RowKey: 'r', s: 'SECRET' });
  }
  const look = async () => (await rest.get(`/${secret}`)).text + (await rest.get(`/${secret}?comp=acl`)).text + (await rest.get('/?restype=service&comp=properties')).text;
  const before1 = await look();
  const token = (await rest.get(`/${secret}?$top=3`)).headers['x-ms-continuation-nextpartitionkey'];
  const se = new Date(Date.now() + 3_600_000).toISOString();
  const one = entityPath(secret, 'p', 'r');
  const legal = (text) => encodeURI(text.toWellFormed?.() ?? '').replaceAll('%25', '%');
  const header = (text) => text.replace(/[^\x20-\x7e]/g, '?');
  const signed = (sas) => `${one}?${legal(mutated(dice, sas))}`;
  const stale = 'W/"datetime\'2001-01-01T00%3A00%3A00.0000000Z\'"';
  const kinds = [
    // A token opens no other table, whatever it is made of.
    () => ['GET', `/${table}?NextPartitionKey=${encodeURIComponent(mutated(dice, token).toWellFormed?.() ?? token)}&NextRowKey=-`],
    () => ['GET', `/${table}?NextPartitionKey=${Buffer.from(mutated(dice, Buffer.from(token, 'base64url').toString('latin1')), 'latin1').toString('base64url')}&NextRowKey=-`],
    () => ['GET', signed(rest.tableSas(table, { sp: 'raud', se })), { sign: 'none' }],
    () => ['DELETE', signed(rest.tableSas(secret, { sp: 'r', se })), { sign: 'none' }],
    () => ['DELETE', signed(rest.accountSas({ sp: 'rl', se })), { sign: 'none' }],
    () => ['DELETE', one, { date: header(mutated(dice, new Date(Date.now() - 86_400_000).toUTCString())) }],
    () => ['DELETE', one, { sign: 'none', headers: { authorization: header(mutated(dice, `SharedKeyLite ${rest.account}:${'A'.repeat(43)}=`)), 'x-ms-date': new Date().toUTCString() } }],
    () => ['PUT', one, { body: { s: 'x' }, headers: { 'if-match': header(mutated(dice, stale)) } }],
    () => ['PUT', `/${secret}?comp=acl`, { body: mutated(dice, '<SignedIdentifiers><SignedIdentifier><Id>i</Id><AccessPolicy><Permission>xyzxyzxyzxyz</Permission></AccessPolicy></SignedIdentifier></SignedIdentifiers>') }],
    () => ['PUT', '/?restype=service&comp=properties', { body: mutated(dice, '<StorageServiceProperties><Logging><Version>1.0</Version><Delete>true</Delete><Read>true</Read><Write>true</Write></Logging></StorageServiceProperties>') }],
  ];
  await flood(Array.from({ length: ROUNDS }, (_, i) => {
    const [method, target, options = {}] = kinds[i % kinds.length]();
    const any = ['DELETE'].includes(method) ? { 'if-match': '*' } : {};
    return { what: `${method} ${target} ${JSON.stringify(options)}`, send: () => rest.send(method, target, { ...options, headers: { ...any, ...options.headers } }) };
  }), (reply, what) => {
    assert.doesNotMatch(reply.text, /SECRET/, what);
    return what.startsWith('GET') && reply.status === 200 ? undefined : refused(reply, what);
  });
  assert.equal(await look(), before1, `seed ${SEED}`);
  assert.equal((await rest.delete(`/Tables('${secret}')`)).status, 204);
  await unchanged();
});

test('bytes that are no HTTP end their connection, and no other', async () => {
  const dice = random(SEED + 4);
  const start = `POST /devstoreaccount1/${table} HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nx-ms-date: now\r\n\r\n{"a":`;
  for (let i = 0; i < 40; i += 1) {
    const bytes = Buffer.from(mutated(dice, start), 'latin1');
    const text = await new Promise((resolve) => {
      const socket = net.connect({ host: '127.0.0.1', port: server.tablePort });
      let got = '';
      socket.on('data', (chunk) => { got += chunk; });
      socket.on('close', () => resolve(got));
      socket.on('error', () => resolve(got));
      socket.end(bytes);
    });
    assert.doesNotMatch(text, /^HTTP\/1\.1 5(?!01|05)/, `${bytes} (seed ${SEED})`);
  }
  await unchanged();
});
