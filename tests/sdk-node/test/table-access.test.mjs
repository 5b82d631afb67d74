// Signatures of each kind, shared access signatures and stored policies decide who may do what with tables; and the service has properties.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { AzureSASCredential, TableClient, TableServiceClient, generateAccountSas, generateTableSas } from '@azure/data-tables';
import { KEY, Server } from '../lib/server.mjs';
import { entityPath } from '../lib/table-rest.mjs';
import { Tables, all, refused, uniqueTable } from '../lib/tables.mjs';

let server;
let tables;
let client;
before(async () => {
  server = await Server.start();
  tables = new Tables(server.tablePort, 'azurite');
  client = await tables.create();
  for (const [partitionKey, rowKey] of [['a', '1'], ['b', '1'], ['b', '5'], ['c', '1']]) {
    await client.createEntity({ partitionKey, rowKey, n: 1 });
  }
});
after(async () => {
  tables?.close();
  await server?.close();
});

const soon = () => new Date(Date.now() + 600_000);
const stamp = (date) => date.toISOString().replace(/\.\d+Z$/, 'Z');
const entity = (rowKey) => ({ partitionKey: 'a', rowKey, n: 2 });

/** Tells what a client with a SAS may do, one word for each operation. */
async function allowed(holder) {
  const rowKey = uniqueTable('row');
  const attempts = {
    read: () => holder.getEntity('a', '1'),
    query: () => all(holder.listEntities()),
    add: () => holder.createEntity(entity(rowKey)),
    update: () => holder.updateEntity({ partitionKey: 'a', rowKey: '1', n: 3 }, 'Merge'),
    upsert: () => holder.upsertEntity({ partitionKey: 'a', rowKey: '1', n: 4 }, 'Merge'),
    batch: () => holder.submitTransaction([['update', { partitionKey: 'a', rowKey: '1', n: 5 }, 'Merge']]),
    delete: () => holder.deleteEntity('a', rowKey),
  };
  const done = [];
  for (const [name, attempt] of Object.entries(attempts)) {
    try {
      await attempt();
      done.push(name);
    } catch (error) {
      assert.ok(error.statusCode === 403 || (name === 'delete' && error.statusCode === 404), `${name}: ${error.statusCode} ${error.message}`);
      if (error.statusCode === 404) {
        done.push(name);
      }
    }
  }
  return done.join(' ');
}

describe('signatures', () => {
  const send = (options) => tables.rest.get('/Tables', options);

  test('of both kinds are known', async () => {
    for (const sign of ['lite', 'full']) {
      assert.equal((await send({ sign })).status, 200, sign);
      assert.equal((await tables.rest.post('/Tables', { TableName: uniqueTable() }, { sign })).status, 201, sign);
      assert.equal((await tables.rest.get(`/${client.tableName}?comp=acl`, { sign, headers: { accept: 'application/xml' } })).status, 200, sign);
    }
  });

  test('that are wrong are refused', async () => {
    const wrong = Buffer.from('wrong'.repeat(13)).toString('base64');
    for (const options of [{ key: wrong }, { sign: 'full', key: wrong }, { sign: 'none' },
      { sign: 'none', headers: { authorization: 'SharedKeyLite devstoreaccount1' } }, { sign: 'none', headers: { authorization: 'Bearer x' } },
      { sign: 'none', headers: { authorization: 'SharedKeyLite devstoreaccount1:!!!' } }]) {
      const reply = await send(options);
      assert.ok([400, 403].includes(reply.status), `${JSON.stringify(options)}: ${reply.status} ${reply.text}`);
      assert.notEqual(reply.code, '');
    }
  });

  test('of more than 15 minutes ago are refused', async () => {
    assert.equal((await send({ date: new Date(Date.now() - 3_600_000).toUTCString() })).status, 403);
    assert.equal((await send({ date: new Date(Date.now() + 3_600_000).toUTCString() })).status, 403);
    assert.equal((await send({ date: new Date(Date.now() - 300_000).toUTCString() })).status, 200);
    assert.ok([400, 403].includes((await send({ date: 'yesterday' })).status));
  });

  test('work in each form of the account', async () => {
    for (const form of ['emulator', 'azurite']) {
      const here = new Tables(server.tablePort, form);
      assert.equal((await here.rest.get('/Tables')).status, 200, form);
      const read = await TableClient.fromConnectionString(here.connectionString, client.tableName, { allowInsecureConnection: true }).getEntity('a', '1');
      assert.equal(read.rowKey, '1');
      here.close();
    }
    // The key of the account counts for the name that Azurite has, too.
    assert.equal((await send({ key: KEY })).status, 200);
  });

  test('work where the host names the account', async () => {
    const { rest } = new Tables(server.tablePort);
    const at = (name) => ({ account: 'people', headers: { host: `${name}.localhost:${server.tablePort}` } });
    const read = await rest.get(entityPath(client.tableName, 'a', '1'), at('people'));
    assert.equal(read.status, 200, read.text);
    assert.ok(read.json['odata.metadata'].startsWith(`http://people.localhost:${server.tablePort}/$metadata#`), read.text);
    const statistics = '/?restype=service&comp=stats';
    assert.equal((await rest.get(statistics, at('people-secondary'))).status, 200);
    assert.equal((await rest.get(statistics, at('people'))).status, 400);
    rest.account = 'people';
    const sas = rest.tableSas(client.tableName, { sp: 'r', se: stamp(soon()) });
    assert.equal((await rest.get(`${entityPath(client.tableName, 'a', '1')}?${sas}`, { ...at('people'), sign: 'none' })).status, 200);
    assert.equal((await rest.get(`${entityPath(client.tableName, 'a', '1')}?${sas}`, { ...at('others'), sign: 'none' })).status, 403);
    rest.close();
  });
});

describe('a SAS for a table', () => {
  test('allows what it says', async () => {
    const holder = (permissions) => tables.withSas(client.tableName, generateTableSas(client.tableName, tables.credential, { permissions, expiresOn: soon() }));
    assert.equal(await allowed(holder({ query: true })), 'read query');
    assert.equal(await allowed(holder({ add: true })), 'add');
    assert.match(await allowed(holder({ update: true })), /^update( batch)?$/);
    assert.equal(await allowed(holder({ delete: true })), 'delete');
    assert.match(await allowed(holder({ add: true, update: true })), /^add update upsert( batch)?$/);
    assert.equal(await allowed(holder({ query: true, add: true, update: true, delete: true })), 'read query add update upsert batch delete');
  });

  test('reaches its table, its time, its protocol and its addresses', async () => {
    const other = await tables.create();
    const whole = { query: true, add: true, update: true, delete: true };
    const sas = (options, table = client.tableName) => generateTableSas(table, tables.credential, { permissions: whole, expiresOn: soon(), ...options });
    const read = (query, table = client.tableName) => tables.withSas(table, query).getEntity('a', '1');
    assert.equal((await read(sas())).rowKey, '1');
    await refused(read(sas(), other.tableName), 403);
    await refused(read(sas({ expiresOn: new Date(Date.now() - 1000) })), 403);
    await refused(read(sas({ startsOn: soon(), expiresOn: new Date(Date.now() + 900_000) })), 403);
    await refused(read(sas({ protocol: 'https' })), 403);
    assert.equal((await read(sas({ protocol: 'https,http' }))).rowKey, '1');
    assert.equal((await read(sas({ ipRange: { start: '127.0.0.0', end: '127.0.0.255' } }))).rowKey, '1');
    await refused(read(sas({ ipRange: { start: '10.0.0.1' } })), 403);
    await refused(read(sas().replace(/sig=[^&]*/, 'sig=AAAA')), 403);
    await refused(read(sas().replace(/sp=[^&]*/, 'sp=r')), 403);
    await refused(new TableServiceClient(`${tables.url}?${sas()}`, { allowInsecureConnection: true }).createTable(uniqueTable()), 403);
    await refused(all(new TableServiceClient(`${tables.url}?${sas()}`, { allowInsecureConnection: true }).listTables()), 403);
  });

  test('reaches a range of keys', async () => {
    const sas = generateTableSas(client.tableName, tables.credential, {
      permissions: { query: true, add: true, update: true, delete: true }, expiresOn: soon(),
      startPartitionKey: 'b', startRowKey: '1', endPartitionKey: 'b', endRowKey: '3',
    });
    const holder = tables.withSas(client.tableName, sas);
    assert.equal((await holder.getEntity('b', '1')).rowKey, '1');
    await refused(holder.getEntity('a', '1'), 403);
    await refused(holder.getEntity('b', '5'), 403);
    await refused(holder.createEntity({ partitionKey: 'c', rowKey: 'x' }), 403);
    await holder.createEntity({ partitionKey: 'b', rowKey: '2' });
    await refused(holder.submitTransaction([['create', { partitionKey: 'b', rowKey: '4' }]]), 403);
    assert.deepEqual((await all(holder.listEntities())).map(({ partitionKey, rowKey }) => partitionKey + rowKey), ['b1', 'b2']);
    await holder.deleteEntity('b', '2');
  });

  test('is a credential, too', async () => {
    const sas = generateTableSas(client.tableName, tables.credential, { permissions: { query: true }, expiresOn: soon() });
    const holder = new TableClient(tables.url, client.tableName, new AzureSASCredential(sas), { allowInsecureConnection: true });
    assert.equal((await holder.getEntity('a', '1')).rowKey, '1');
  });
});

describe('a stored access policy', () => {
  const policy = (id, permission = 'r', more = {}) => ({ id, accessPolicy: { start: new Date(Date.now() - 600_000), expiry: soon(), permission, ...more } });
  const holder = (id, fields = {}) => tables.withSas(client.tableName, tables.rest.tableSas(client.tableName, { si: id, ...fields }));

  test('is kept as it was set', async () => {
    const { tableName } = await tables.create();
    const here = tables.client(tableName);
    assert.deepEqual(await here.getAccessPolicy(), []);
    const set = [policy('one', 'r'), policy('tw o & <3>', 'raud')];
    await here.setAccessPolicy(set);
    const got = await here.getAccessPolicy();
    assert.deepEqual(got.map(({ id, accessPolicy }) => [id, accessPolicy.permission, stamp(new Date(accessPolicy.expiry))]), set.map(({ id, accessPolicy }) => [id, accessPolicy.permission, stamp(accessPolicy.expiry)]));
    await refused(here.setAccessPolicy(Array.from({ length: 6 }, (_, i) => policy(`p${i}`))), 400, 'InvalidXmlDocument');
    assert.equal((await here.getAccessPolicy()).length, 2);
    await here.setAccessPolicy([]);
    assert.deepEqual(await here.getAccessPolicy(), []);
    await refused(tables.client('nowhere').getAccessPolicy(), 404);
    await refused(tables.client('nowhere').setAccessPolicy([]), 404);
  });

  test('decides for the signatures that name it', async () => {
    await client.setAccessPolicy([policy('reader', 'r'), policy('late', 'r', { expiry: new Date(Date.now() - 1000) }), policy('all', 'raud')]);
    assert.equal(await allowed(holder('reader')), 'read query');
    assert.equal(await allowed(holder('all')), 'read query add update upsert batch delete');
    await refused(holder('late').getEntity('a', '1'), 403);
    await refused(holder('unknown').getEntity('a', '1'), 403);
    // A policy that is changed changes what was given away.
    await client.setAccessPolicy([policy('reader', 'a')]);
    assert.equal(await allowed(holder('reader')), 'add');
    await client.setAccessPolicy([]);
    await refused(holder('reader').getEntity('a', '1'), 403);
  });
});

describe('a SAS for the account', () => {
  const service = (options) => new TableServiceClient(`${tables.url}?${generateAccountSas(tables.credential, { expiresOn: soon(), ...options })}`, { allowInsecureConnection: true });
  const whole = { query: true, write: true, delete: true, list: true, add: true, create: true, update: true };

  test('allows what it says', async () => {
    const name = uniqueTable();
    await service({ permissions: whole }).createTable(name);
    assert.ok((await all(service({ permissions: { list: true, query: true } }).listTables())).some((table) => table.name === name));
    await refused(service({ permissions: { query: true, list: true } }).createTable(uniqueTable()), 403);
    await refused(service({ permissions: { query: true, list: true } }).deleteTable(name), 403);
    const holder = (options) => tables.withSas(client.tableName, generateAccountSas(tables.credential, { expiresOn: soon(), ...options }));
    assert.equal(await allowed(holder({ permissions: whole })), 'read query add update upsert batch delete');
    assert.equal(await allowed(holder({ permissions: { query: true } })), 'read query');
    await refused(holder({ permissions: whole, resourceTypes: 's' }).getEntity('a', '1'), 403);
    await refused(holder({ permissions: whole, expiresOn: new Date(Date.now() - 1000) }).getEntity('a', '1'), 403);
    await service({ permissions: whole }).deleteTable(name);
  });

  test('is for tables', async () => {
    for (const [fields, status] of [[{ ss: 't' }, 200], [{ ss: 'btqf' }, 200], [{ ss: 'b' }, 403], [{ srt: 'o' }, 200], [{ srt: 'c' }, 403]]) {
      const sas = tables.rest.accountSas({ sp: 'rl', se: stamp(soon()), ...fields });
      const reply = await tables.rest.get(`${entityPath(client.tableName, 'a', '1')}?${sas}`, { sign: 'none' });
      assert.equal(reply.status, status, `${JSON.stringify(fields)}: ${reply.text}`);
    }
  });

  test('of a later version has a line for an encryption scope', async () => {
    const sas = tables.rest.accountSas({ sp: 'rl', se: stamp(soon()) }, { version: '2020-12-06' });
    assert.equal((await tables.rest.get(`/Tables?${sas}`, { sign: 'none' })).status, 200);
  });
});

describe('HTTPS on the same port', () => {
  const options = () => ({ tlsOptions: { ca: fs.readFileSync(path.join(server.data, 'tls', 'ca.crt')) } });
  const url = () => `https://localhost:${server.tablePort}`;

  test('serves clients that trust the certificate', async () => {
    const table = uniqueTable('Tls');
    const secure = TableClient.fromConnectionString(`DefaultEndpointsProtocol=https;AccountName=localhost;AccountKey=${KEY};TableEndpoint=${url()}/;`, table, options());
    await secure.createTable();
    await secure.createEntity({ partitionKey: 'p', rowKey: "it's é", n: 1n });
    assert.equal((await secure.getEntity('p', "it's é")).n, 1n);
    await secure.submitTransaction([['upsert', { partitionKey: 'p', rowKey: 'b' }, 'Replace']]);
    assert.equal((await all(secure.listEntities())).length, 2);
    // Links have the scheme by which the client came.
    const { etag, ...read } = await secure.getEntity('p', 'b');
    assert.ok(etag && read['odata.metadata'].startsWith(`${url()}/`), read['odata.metadata']);
    await assert.rejects(new TableClient(url(), table, tables.credential, { retryOptions: { maxRetries: 0 } }).getEntity('p', 'b'), /certificate/);
  });

  test('is what a signature may ask for', async () => {
    const sas = tables.rest.tableSas(client.tableName, { sp: 'r', se: stamp(soon()), spr: 'https' });
    const holder = new TableClient(`${url()}/${tables.account}?${sas}`, client.tableName, options());
    assert.equal((await holder.getEntity('a', '1')).rowKey, '1');
    await refused(tables.withSas(client.tableName, sas).getEntity('a', '1'), 403, 'AuthorizationProtocolMismatch');
  });
});

describe('the service', () => {
  test('keeps its properties', async () => {
    const service = tables.service();
    const before = await service.getProperties();
    assert.ok(before.logging && before.hourMetrics);
    const cors = [{ allowedOrigins: 'http://example.com', allowedMethods: 'GET,PUT', allowedHeaders: 'x-ms-*', exposedHeaders: 'x-ms-*', maxAgeInSeconds: 60 }];
    const { logging, hourMetrics, minuteMetrics } = before;
    await service.setProperties({ logging, hourMetrics, minuteMetrics, cors });
    const after = await service.getProperties();
    assert.deepEqual(after.cors, cors);
    assert.deepEqual(after.logging, logging);
    const page = { headers: { origin: 'http://example.com' } };
    const asked = { headers: { ...page.headers, 'access-control-request-method': 'PUT', 'access-control-request-headers': 'x-ms-date' }, sign: 'none' };
    assert.equal((await tables.rest.send('OPTIONS', '/Tables', asked)).headers['access-control-max-age'], '60');
    assert.equal((await tables.rest.get('/Tables', page)).headers['access-control-allow-origin'], 'http://example.com');
    await service.setProperties({ cors: [] });
    assert.equal((await tables.rest.send('OPTIONS', '/Tables', asked)).status, 403);
  });

  test('refuses to turn on what it does not have', async () => {
    const service = tables.service();
    const retentionPolicy = { enabled: false };
    for (const wanted of [
      { logging: { version: '1.0', delete: true, read: false, write: true, retentionPolicy } },
      { hourMetrics: { version: '1.0', enabled: true, includeAPIs: true, retentionPolicy } },
      { minuteMetrics: { version: '1.0', enabled: true, includeAPIs: true, retentionPolicy } },
    ]) {
      const { message } = await refused(service.setProperties(wanted), 501, 'NotImplemented');
      assert.match(message, /log-requests|\/metrics/);
    }
  });

  test('answers what is not XML with 400', async () => {
    for (const body of ['', 'x', '<a>', '<StorageServiceProperties><Logging><Version>9.9</Version></Logging></StorageServiceProperties>', '<!DOCTYPE x [<!ENTITY a "b">]><StorageServiceProperties>&a;</StorageServiceProperties>']) {
      const reply = await tables.rest.put('/?restype=service&comp=properties', body, { headers: { 'content-type': 'application/xml' } });
      assert.equal(reply.status, 400, `${body}: ${reply.status} ${reply.text}`);
    }
  });

  test('has statistics on its secondary endpoint', async () => {
    const secondary = new Tables(server.tablePort, 'azurite');
    assert.equal((await secondary.rest.get('/?restype=service&comp=stats')).status, 400);
    secondary.rest.base = '/devstoreaccount1-secondary';
    const reply = await secondary.rest.get('/?restype=service&comp=stats');
    assert.equal(reply.status, 200, reply.text);
    assert.match(reply.text, /<Status>live<\/Status>/);
    secondary.close();
  });
});
