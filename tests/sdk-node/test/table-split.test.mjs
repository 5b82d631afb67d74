// Tables that grow, are asked for too much, or lose their server.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { connect } from '../lib/client.mjs';
import { Server } from '../lib/server.mjs';
import { batchParts } from '../lib/table-rest.mjs';
import { Tables, all, uniqueTable } from '../lib/tables.mjs';

/** Request units a second that one partition delivers. */
const T = 1000;

const keysOf = (entities) => entities.map(({ partitionKey, rowKey }) => `${partitionKey}/${rowKey}`);

/** Entities over many keys, and many of one key. */
async function fill(client, { keys = 30, rows = 30 } = {}) {
  const expected = [];
  for (let i = 0; i < keys; i += 1) {
    const partitionKey = `k${String(i).padStart(2, '0')}`;
    await client.createEntity({ partitionKey, rowKey: 'only', n: i });
    expected.push(`${partitionKey}/only`);
  }
  const many = Array.from({ length: rows }, (_, i) => String(i).padStart(3, '0'));
  await client.submitTransaction(many.map((rowKey, n) => ['create', { partitionKey: 'many', rowKey, n }]));
  return [...expected, ...many.map((rowKey) => `many/${rowKey}`)];
}

/** Returns when the throughput is there and the partitions that it needs. */
async function scale(cosmos, table, partitions) {
  const container = cosmos.database('TablesDB').container(table);
  const { resource, offer } = await container.readOffer();
  resource.content.offerThroughput = partitions * T;
  await offer.replace(resource);
  let pending;
  do {
    pending = (await offer.read()).headers['x-ms-offer-replace-pending'];
  } while (String(pending) === 'true');
  assert.equal((await container.readPartitionKeyRanges().fetchAll()).resources.length, partitions);
}

describe('a table that is split', () => {
  let server;
  let tables;
  let cosmos;
  before(async () => {
    server = await Server.start({ args: ['--partition-max-throughput', String(T)] });
    tables = new Tables(server.tablePort);
    cosmos = connect(server);
  });
  after(async () => {
    tables?.close();
    cosmos?.dispose();
    await server?.close();
  });

  test('goes on with the pages of a query', async () => {
    const client = await tables.create(T);
    const expected = await fill(client);
    const queries = [
      { options: {}, seen: [], expected },
      { options: { filter: "PartitionKey eq 'many' and n ge 3" }, seen: [], expected: expected.slice(33) },
      { options: { filter: 'n lt 20' }, seen: [], expected: expected.filter((_, i) => (i < 30 ? i : i - 30) < 20) },
    ];
    const page = async (query) => {
      const { value } = await client.listEntities({ queryOptions: query.options }).byPage({ maxPageSize: 5, continuationToken: query.token }).next();
      assert.ok(value.length <= 5);
      query.seen.push(...keysOf(value));
      query.token = value.continuationToken;
    };
    for (const partitions of [2, 5]) {
      for (const query of queries) {
        await page(query);
        assert.ok(query.token);
      }
      await scale(cosmos, client.tableName, partitions);
    }
    for (const query of queries) {
      while (query.token) {
        await page(query);
      }
      assert.deepEqual(query.seen, query.expected, JSON.stringify(query.options));
    }
    // Entities that were in one partition are still one transaction.
    const { subResponses } = await client.submitTransaction([['delete', { partitionKey: 'many', rowKey: '000' }], ['create', { partitionKey: 'many', rowKey: 'new' }]]);
    assert.deepEqual(subResponses.map(({ status }) => status), [204, 204]);
  });
});

describe('a shared access signature for a range of keys', () => {
  let server;
  let tables;
  let cosmos;
  before(async () => {
    server = await Server.start({ args: ['--partition-max-throughput', String(T)] });
    tables = new Tables(server.tablePort);
    cosmos = connect(server);
  });
  after(async () => {
    tables?.close();
    cosmos?.dispose();
    await server?.close();
  });

  test('opens the same entities while the table is split', async () => {
    const client = await tables.create(T);
    const expected = (await fill(client)).filter((key) => key >= 'k10/only' && key <= 'many/019');
    const sas = tables.rest.tableSas(client.tableName, { sp: 'ru', se: new Date(Date.now() + 600_000).toISOString(), spk: 'k10', srk: 'only', epk: 'many', erk: '019' });
    const holder = tables.withSas(client.tableName, sas);
    const seen = [];
    let token;
    let partitions = 1;
    do {
      const { value } = await holder.listEntities().byPage({ maxPageSize: 7, continuationToken: token }).next();
      seen.push(...keysOf(value));
      token = value.continuationToken;
      partitions += 1;
      if (partitions <= 3) {
        await scale(cosmos, client.tableName, partitions);
      }
    } while (token);
    assert.deepEqual(seen, expected);
    assert.deepEqual(keysOf(await all(holder.listEntities({ queryOptions: { filter: "PartitionKey ge '' or true" } }))), expected);
    // A token that somebody with a key got opens nothing more for the signature.
    const { value } = await client.listEntities().byPage({ maxPageSize: 5 }).next();
    const next = await holder.listEntities().byPage({ maxPageSize: 50, continuationToken: value.continuationToken }).next().then(
      ({ value: rest }) => keysOf(rest), (error) => { assert.equal(error.statusCode, 400); return []; });
    assert.ok(next.every((key) => expected.includes(key)), next.join());
    for (const [partitionKey, rowKey] of [['k09', 'only'], ['many', '020']]) {
      await assert.rejects(holder.getEntity(partitionKey, rowKey), { statusCode: 403 });
      await assert.rejects(holder.updateEntity({ partitionKey, rowKey, n: 0 }, 'Merge'), { statusCode: 403 });
      await assert.rejects(holder.submitTransaction([['update', { partitionKey, rowKey, n: 0 }, 'Merge']]), { statusCode: 403 });
    }
    assert.equal((await holder.getEntity('many', '019')).n, 19);
    await holder.submitTransaction([['update', { partitionKey: 'many', rowKey: '018', n: 7 }, 'Merge'], ['update', { partitionKey: 'many', rowKey: '019', n: 7 }, 'Merge']]);
    // One entity outside of the range refuses all.
    await assert.rejects(
      holder.submitTransaction([['update', { partitionKey: 'many', rowKey: '001', n: 8 }, 'Merge'], ['update', { partitionKey: 'many', rowKey: '020', n: 8 }, 'Merge']]), { statusCode: 403 });
    assert.equal((await holder.getEntity('many', '001')).n, 1);
  });
});

describe('a table that is asked for too much', () => {
  let server;
  let tables;
  before(async () => {
    server = await Server.start({ throttling: true });
    tables = new Tables(server.tablePort);
  });
  after(async () => {
    tables?.close();
    await server?.close();
  });

  test('says when to come back, and the SDK does', async () => {
    const client = await tables.create(400);
    // The entity has fourteen properties of 64 KB each: a write costs more than a second's budget.
    const large = { partitionKey: 'hot', rowKey: 'large', ...Object.fromEntries(Array.from({ length: 14 }, (_, i) => [`p${i}`, 'x'.repeat(32_000)])) };
    const write = () => tables.rest.put(`/${client.tableName}(PartitionKey='hot',RowKey='large')`, large);
    let refusal;
    for (let i = 0; i < 200 && refusal === undefined; i += 1) {
      const burst = await Promise.all(Array.from({ length: 4 }, write));
      burst.forEach(({ status, text }) => assert.ok([204, 429].includes(status), `${status} ${text}`));
      refusal = burst.find(({ status }) => status === 429);
    }
    assert.ok(refusal, 'never refused');
    assert.equal(refusal.code, 'TooManyRequests');
    assert.ok(Number(refusal.headers['x-ms-retry-after-ms']) > 0);
    assert.ok(Number(refusal.headers['retry-after']) > 0);
    let refused = 0;
    const counting = {
      name: 'counting',
      async sendRequest(request, next) {
        const response = await next(request);
        refused += response.status === 429 ? 1 : 0;
        return response;
      },
    };
    const patient = tables.client(client.tableName, { additionalPolicies: [{ policy: counting, position: 'perRetry' }], retryOptions: { maxRetries: 20 } });
    await patient.upsertEntity(large, 'Replace');
    assert.ok(refused <= 3, `${refused} refusals`);
    // Transactions are refused as a whole.
    let throttled;
    for (let i = 0; i < 200 && throttled === undefined; i += 1) {
      const burst = await Promise.all(Array.from({ length: 4 }, () => tables.rest.batch([['PUT', `/${client.tableName}(PartitionKey='hot',RowKey='large')`, large]])));
      throttled = burst.find(({ status, text }) => status === 429 || batchParts(text).some((part) => part.status === 429));
    }
    assert.ok(throttled, 'no transaction was refused');
  });
});

test('over SIGKILL entities, ETags, tables, policies, properties and pages stay as they were', async () => {
  const server = await Server.start();
  let tables = new Tables(server.tablePort);
  try {
    const client = await tables.create(50_000);
    const expected = await fill(client);
    await client.updateEntity({ partitionKey: 'k01', rowKey: 'only', text: 'é🚀', at: { type: 'DateTime', value: '2026-01-02T03:04:05.1234567Z' } }, 'Merge');
    await client.deleteEntity('k02', 'only');
    expected.splice(2, 1);
    await client.setAccessPolicy([{ id: 'reader', accessPolicy: { permission: 'r', expiry: new Date(Date.now() + 600_000), start: new Date(Date.now() - 600_000) } }]);
    await tables.service().setProperties({ cors: [{ allowedOrigins: '*', allowedMethods: 'GET', allowedHeaders: '*', exposedHeaders: '*', maxAgeInSeconds: 5 }] });
    const sas = tables.rest.tableSas(client.tableName, { si: 'reader' });
    const look = async () => {
      const here = tables.client(client.tableName);
      return { entities: await all(here.listEntities()), policies: await here.getAccessPolicy(), cors: (await tables.service().getProperties()).cors, given: await tables.withSas(client.tableName, sas).getEntity('k01', 'only') };
    };
    const before = await look();
    assert.deepEqual(keysOf(before.entities), expected);
    const { value: first } = await client.listEntities().byPage({ maxPageSize: 7 }).next();
    await server.kill();
    await server.start();
    tables.close();
    tables = new Tables(server.tablePort);
    assert.deepEqual(await look(), before);
    const again = tables.client(client.tableName);
    const rest = await all(again.listEntities().byPage({ maxPageSize: 7, continuationToken: first.continuationToken }));
    assert.deepEqual([...keysOf(first), ...rest.flatMap(keysOf)], expected);
    const { etag } = before.given;
    await again.updateEntity({ partitionKey: 'k01', rowKey: 'only', n: 5 }, 'Replace', { etag });
    await assert.rejects(again.updateEntity({ partitionKey: 'k01', rowKey: 'only', n: 6 }, 'Replace', { etag }), { statusCode: 412 });
    await again.deleteTable();
    await tables.service().createTable(uniqueTable());
  } finally {
    tables.close();
    await server.close();
  }
});

/** Says what a change asks for, and what the entity may hold as long as nobody has said that it is done. */
class Ledger {
  #known = new Map();

  begin(key, value) {
    const entry = this.#known.get(key) ?? { certain: undefined, possible: [] };
    entry.possible.push(value);
    this.#known.set(key, entry);
  }

  done(key, value) { this.#known.set(key, { certain: value, possible: [] }); }

  /** An entity shows its last acknowledged change, or one that was still under way. */
  check(found) {
    for (const [key, { certain, possible }] of this.#known) {
      const value = found.get(key);
      assert.ok([certain, ...possible].includes(value), `${key}: ${value}, and not ${certain} or one of ${possible}`);
      this.done(key, value);
    }
    for (const key of found.keys()) {
      assert.ok(this.#known.has(key), `${key} was never written`);
    }
  }
}

test('SIGKILL under load loses no change that was acknowledged, and leaves no half of a transaction', async () => {
  const server = await Server.start();
  let tables = new Tables(server.tablePort);
  const ledger = new Ledger();
  let version = 0;
  try {
    const table = await tables.rest.createTable(uniqueTable(), 50_000);
    const path = (key) => { const [partitionKey, rowKey] = key.split('/'); return `/${table}(PartitionKey='${partitionKey}',RowKey='${rowKey}')`; };
    const change = async (keys, value) => {
      keys.forEach((key) => ledger.begin(key, value));
      const { rest } = tables;
      const single = value === undefined ? () => rest.delete(path(keys[0])) : () => [rest.put, rest.merge][value % 2].call(rest, path(keys[0]), { v: value });
      const reply = keys.length === 1 ? await single() : await rest.batch(keys.map((key) => ['PUT', path(key), { v: value }]));
      const done = keys.length === 1 ? [204, 404].includes(reply.status) : batchParts(reply.text).every(({ status }) => status === 204);
      assert.ok(done, `${reply.status} ${reply.text}`);
      keys.forEach((key) => ledger.done(key, value));
    };
    /** One writer has keys of its own, so that it knows what they hold. */
    const writer = async (number, isEnough) => {
      for (let i = 0; !isEnough(); i += 1) {
        version += 1;
        const pair = [`w${number}/one${i % 7}`, `w${number}/two${i % 7}`];
        const single = [`w${number}/${i % 11}`];
        await [() => change(pair, version), () => change(single, version), () => change(single, i % 2 ? undefined : version)][i % 3]();
      }
    };
    for (let round = 0; round < 3; round += 1) {
      const enough = version + 300;
      let killed;
      const isEnough = () => {
        if (version >= enough) {
          killed ??= server.kill();
        }
        return false;
      };
      const ends = await Promise.allSettled(Array.from({ length: 8 }, (_, number) => writer(number, isEnough)));
      await killed;
      // All of them ended with their connection, and none with an answer that is wrong.
      ends.forEach(({ reason }) => assert.notEqual(reason.code, 'ERR_ASSERTION', reason.message));
      tables.close();
      await server.start();
      tables = new Tables(server.tablePort);
      const entities = await all(tables.client(table).listEntities());
      const found = new Map(entities.map(({ partitionKey, rowKey, v }) => [`${partitionKey}/${rowKey}`, v]));
      ledger.check(found);
      for (const [key, value] of found) {
        if (key.includes('/one')) {
          assert.equal(found.get(key.replace('/one', '/two')), value, key);
        }
      }
    }
  } finally {
    tables.close();
    await server.close();
  }
});
