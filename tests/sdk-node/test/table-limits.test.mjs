// The limits of tables and entities, each at the limit and one past it, and what is refused before anything changes.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { Server } from '../lib/server.mjs';
import { batchParts, entityPath } from '../lib/table-rest.mjs';
import { Tables, uniqueTable } from '../lib/tables.mjs';

let server;
let tables;
let rest;
let table;
before(async () => {
  server = await Server.start();
  tables = new Tables(server.tablePort);
  rest = tables.rest;
});
beforeEach(async () => { table = await rest.createTable(uniqueTable()); });
after(async () => {
  tables?.close();
  await server?.close();
});

const keys = { PartitionKey: 'p', RowKey: 'r' };
const path = () => entityPath(table, 'p', 'r');

/** Every way in which an entity is written refuses it, with the code, and nothing is there afterwards. */
async function refusedEverywhere(entity, code, { partitionKey = 'p', rowKey = 'r', status = 400 } = {}) {
  const all = { PartitionKey: partitionKey, RowKey: rowKey, ...entity };
  const at = entityPath(table, partitionKey, rowKey);
  const codes = [code].flat();
  for (const reply of [await rest.post(`/${table}`, all), await rest.put(at, entity), await rest.merge(at, entity)]) {
    assert.equal(reply.status, status, `${reply.status} ${reply.text.slice(0, 300)}`);
    assert.ok(codes.includes(reply.code), `${reply.code} is not ${codes}`);
  }
  const [part] = batchParts((await rest.batch([['POST', `/${table}`, all]])).text);
  assert.equal(part?.status, status, part?.text);
  assert.ok(codes.includes(part.code), part.text);
  assert.match(part.message, /^0:/);
  assert.deepEqual((await rest.get(`/${table}`)).json.value, []);
}

async function taken(entity, { partitionKey = 'p', rowKey = 'r' } = {}) {
  const at = entityPath(table, partitionKey, rowKey);
  const reply = await rest.post(`/${table}`, { PartitionKey: partitionKey, RowKey: rowKey, ...entity });
  assert.equal(reply.status, 201, reply.text.slice(0, 300));
  const put = await rest.put(at, entity);
  assert.equal(put.status, 204, put.text);
  const read = await rest.get(at);
  assert.equal(read.status, 200);
  assert.equal((await rest.delete(at)).status, 204);
  return read.json;
}

test('entities have 252 properties', async () => {
  const many = (count) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, i]));
  assert.equal(Object.keys(await taken(many(252))).filter((name) => /^p\d/.test(name)).length, 252);
  await refusedEverywhere(many(253), 'TooManyProperties');
  // A merge counts what is there already.
  assert.equal((await rest.post(`/${table}`, { ...keys, ...many(252) })).status, 201);
  assert.equal((await rest.merge(path(), { p0: 7 })).status, 204);
  const merged = await rest.merge(path(), { another: 7 });
  assert.deepEqual([merged.status, merged.code], [400, 'TooManyProperties']);
  assert.equal((await rest.get(path())).json.p0, 7);
  assert.equal((await rest.delete(path())).status, 204);
});

test('names of properties have 255 characters', async () => {
  await taken({ ['n'.repeat(255)]: 1, ['ü'.repeat(255)]: 2, _under: 3, Öl: 4 });
  await refusedEverywhere({ ['n'.repeat(256)]: 1 }, 'PropertyNameTooLong');
  for (const name of ['with space', '1st', 'a.b', 'a/b', '$x', '', 'a"b', 'x\u0000']) {
    await refusedEverywhere({ [name]: 1 }, ['PropertyNameInvalid', 'InvalidInput']);
  }
});

test('texts have 32 Ki characters and bytes 64 KiB', async () => {
  assert.equal((await taken({ text: '漢'.repeat(32_768) })).text.length, 32_768);
  await refusedEverywhere({ text: 'x'.repeat(32_769) }, 'PropertyValueTooLarge');
  const bytes = (count) => ({ 'b@odata.type': 'Edm.Binary', b: Buffer.alloc(count, 255).toString('base64') });
  assert.equal(Buffer.from((await taken(bytes(65_536))).b, 'base64').length, 65_536);
  await refusedEverywhere(bytes(65_537), 'PropertyValueTooLarge');
});

test('entities have 1 MB', async () => {
  const sized = (characters) => Object.fromEntries(Array.from({ length: Math.ceil(characters / 32_000) }, (_, i) => [`p${i}`, 'x'.repeat(Math.min(32_000, characters - i * 32_000))]));
  // Each character counts two bytes.
  await taken(sized(520_000));
  await refusedEverywhere(sized(525_000), 'EntityTooLarge');
  // A merge counts what is there already.
  assert.equal((await rest.put(path(), sized(500_000))).status, 204);
  const merged = await rest.merge(path(), { more: 'x'.repeat(30_000) });
  assert.deepEqual([merged.status, merged.code], [400, 'EntityTooLarge']);
  assert.equal((await rest.get(`${path()}?$select=more`)).json.more, undefined);
  assert.equal((await rest.delete(path())).status, 204);
});

test('keys have 1024 characters and 2047 bytes', async () => {
  for (const most of ['k'.repeat(1024), "'".repeat(1024), '%'.repeat(1024), 'é'.repeat(1023), '漢'.repeat(682)]) {
    await taken({ n: 1 }, { partitionKey: most, rowKey: most });
    const more = most + most[0];
    await refusedEverywhere({ n: 1 }, 'KeyValueTooLarge', { partitionKey: more });
    await refusedEverywhere({ n: 1 }, 'KeyValueTooLarge', { rowKey: more });
  }
});

test('dates begin in 1601, and values fit their types', async () => {
  const typed = (type, value) => ({ 'v@odata.type': `Edm.${type}`, v: value });
  for (const [type, value] of [['DateTime', '1601-01-01T00:00:00Z'], ['DateTime', '9999-12-31T23:59:59.9999999Z'], ['Int64', '-9223372036854775808'], ['Int32', 2147483647], ['Double', 'NaN'], ['Double', '-Infinity'], ['Guid', 'A455C695-DF98-5678-AAAA-81D3367E5A34'], ['Binary', ''], ['String', 'x'], ['Boolean', true]]) {
    await taken(typed(type, value));
  }
  for (const [type, value] of [['DateTime', '1600-12-31T23:59:59Z'], ['DateTime', '9999-12-31T23:59:59-00:01'], ['DateTime', '+10000-01-01T00:00:00Z'], ['DateTime', '2026-13-01T00:00:00Z'], ['DateTime', 'soon'], ['DateTime', 5], ['Int64', '9223372036854775808'], ['Int64', 'x'], ['Int64', ''], ['Guid', 'x'], ['Guid', 7], ['Binary', '*'], ['Binary', 7], ['Int32', 'x'], ['Int32', 1.5], ['Boolean', 'perhaps'], ['Double', 'x'], ['Nonsense', 'x'], ['String', {}]]) {
    await refusedEverywhere(typed(type, value), ['InvalidInput', 'OutOfRangeInput', 'InvalidValueType', 'PropertiesNeedValue'], {});
  }
});

test('bodies that are no entities are refused', async () => {
  for (const body of ['', '{', '[]', 'null', '7', '"x"', '{"PartitionKey":"p"}', '{"RowKey":"r"}', '{"PartitionKey":1,"RowKey":"r"}', '{"PartitionKey":"p","RowKey":"r","v":{}}', '{"PartitionKey":"p","RowKey":"r","v":[1]}', '{"PartitionKey":"p","RowKey":"r","v":1e999}', `{"PartitionKey":"p","RowKey":"r","v":${'['.repeat(10_000)}}`, '\ufeff{}', '{"PartitionKey":"p","RowKey":"r","v":"\\ud800"}x']) {
    const reply = await rest.post(`/${table}`, body);
    assert.equal(reply.status, 400, `${body.slice(0, 100)}: ${reply.status} ${reply.text}`);
    assert.notEqual(reply.code, '');
  }
  assert.deepEqual((await rest.get(`/${table}`)).json.value, []);
});

test('names of tables have 3 to 63 letters and digits', async () => {
  for (const name of ['abc', 'a'.repeat(63), 'A1b2']) {
    await rest.createTable(name);
    assert.equal((await rest.delete(`/Tables('${name}')`)).status, 204);
  }
  for (const name of ['', 'ab', 'a'.repeat(64), '1abc', 'a-b', 'a b', 'ü'.repeat(3), "a'b", 'tables', 'Tables', null, 7, {}]) {
    const reply = await rest.post('/Tables', { TableName: name });
    assert.equal(reply.status, 400, `${name}: ${reply.status} ${reply.text}`);
  }
});

test('bodies have 4 MB', async () => {
  const reply = await rest.post(`/${table}`, { ...keys, v: 'x'.repeat(5 * 1024 * 1024) });
  assert.ok([400, 413].includes(reply.status), reply.text);
  assert.ok(['RequestBodyTooLarge', 'EntityTooLarge', 'PropertyValueTooLarge'].includes(reply.code), reply.text);
  const inserts = (count) => Array.from({ length: count }, (_, i) => ['POST', `/${table}`, { PartitionKey: 'p', RowKey: String(i), ...Object.fromEntries(Array.from({ length: 14 }, (_each, n) => [`p${n}`, 'ü'.repeat(32_000)])) }, { prefer: 'return-no-content' }]);
  const batch = await rest.batch(inserts(5));
  assert.equal(batch.status, 413, batch.text);
  assert.equal(batch.code, 'RequestBodyTooLarge');
  assert.deepEqual((await rest.get(`/${table}`)).json.value, []);
  const fits = await rest.batch(inserts(4));
  assert.deepEqual(batchParts(fits.text).map(({ status }) => status), [204, 204, 204, 204], fits.text.slice(0, 500));
  for (let i = 0; i < 4; i += 1) {
    assert.equal((await rest.delete(`/${table}(PartitionKey='p',RowKey='${i}')`)).status, 204);
  }
});

test('a page has 1000 entities, and pages go on', async () => {
  const many = await rest.createTable(uniqueTable());
  for (let b = 0; b < 11; b += 1) {
    const reply = await rest.batch(Array.from({ length: 100 }, (_, i) => ['POST', `/${many}`, { PartitionKey: 'p', RowKey: String(b * 100 + i).padStart(5, '0') }, { prefer: 'return-no-content' }]));
    assert.equal(batchParts(reply.text).length, 100, reply.text.slice(0, 500));
  }
  assert.equal((await rest.get(`/${many}()?$top=999`)).json.value.length, 999);
  assert.equal((await rest.get(`/${many}()?$top=5000`)).json.value.length, 1000);
  const first = await rest.get(`/${many}()`);
  assert.equal(first.json.value.length, 1000);
  const [partition, row] = ['nextpartitionkey', 'nextrowkey'].map((name) => first.headers[`x-ms-continuation-${name}`]);
  assert.ok(partition && row);
  const second = await rest.get(`/${many}()?NextPartitionKey=${encodeURIComponent(partition)}&NextRowKey=${encodeURIComponent(row)}`);
  assert.equal(second.json.value.length, 100);
  assert.equal(second.headers['x-ms-continuation-nextpartitionkey'], undefined);
  for (const wrong of ['-1', 'x', '1.5']) {
    assert.equal((await rest.get(`/${many}()?$top=${wrong}`)).status, 400, wrong);
  }
});
