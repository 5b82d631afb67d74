// Clients that have nothing but resource tokens: tenants of one container, each with a token for its own key.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ChangeFeedStartFrom, CosmosClient } from '@azure/cosmos';
import { failure, fails, unique } from '../lib/check.mjs';
import { connect, THROUGHPUT } from '../lib/client.mjs';
import { Rest } from '../lib/rest.mjs';
import { KEY, Server } from '../lib/server.mjs';

const COUNT = `function count() {
  const container = getContext().getCollection();
  container.queryDocuments(container.getSelfLink(), 'SELECT * FROM c', (error, items) => {
    if (error) throw error;
    getContext().getResponse().setBody(items.map((item) => item.pk));
  });
}`;

let server;
let owner;
let database;

before(async () => {
  server = await Server.start();
  owner = connect(server);
  ({ database } = await owner.databases.create({ id: 'db' }));
});
after(async () => {
  owner?.dispose();
  await server?.close();
});

/** A client without a key. */
const holder = (options) => new CosmosClient({
  endpoint: server.endpoint,
  agent: server.agent,
  connectionPolicy: { enableBackgroundEndpointRefreshing: false },
  ...options,
});

/** The three ways in which an application hands tokens to the SDK. */
const WAYS = {
  resourceTokens: (permission) => ({ resourceTokens: { [permission.resource]: permission._token, [permission.resource.split('/').at(-1)]: permission._token } }),
  permissionFeed: (permission) => ({ permissionFeed: [permission] }),
  tokenProvider: (permission) => ({ tokenProvider: async () => permission._token }),
};

async function tenants(partitions) {
  const { container } = await database.containers.create({
    id: unique('c'), partitionKey: { paths: ['/pk'], version: 2 }, throughput: THROUGHPUT[partitions],
  });
  for (const pk of ['a', 'b']) {
    await container.items.create({ id: 'first', pk });
  }
  await container.scripts.storedProcedures.create({ id: 'count', body: COUNT });
  const { user } = await database.users.create({ id: unique('u') });
  const { resource: permission } = await user.permissions.create({
    id: 'all of a', permissionMode: 'All', resource: container.url, resourcePartitionKey: ['a'],
  });
  assert.match(permission._token, /^type=resource&ver=1\.0&sig=/);
  return { container, user, permission };
}

/** Everything that a tenant does with its own key, and what it must not do with another. */
async function work(client, container) {
  const mine = client.database(database.id).container(container.id);
  assert.equal((await mine.item('first', 'a').read()).statusCode, 200);
  assert.equal((await mine.item('missing', 'a').read()).statusCode, 404);
  const id = unique('i');
  assert.equal((await mine.items.create({ id, pk: 'a' })).statusCode, 201);
  assert.equal((await mine.items.upsert({ id, pk: 'a', n: 1 })).statusCode, 200);
  assert.equal((await mine.item(id, 'a').replace({ id, pk: 'a', n: 2 })).statusCode, 200);
  assert.equal((await mine.item(id, 'a').patch([{ op: 'incr', path: '/n', value: 1 }])).resource.n, 3);
  const batch = await mine.items.batch([
    { operationType: 'Read', id },
    { operationType: 'Upsert', resourceBody: { id: 'batched', pk: 'a' } },
  ], 'a');
  assert.equal(batch.code, 200);
  for (const query of ['SELECT * FROM c', 'SELECT * FROM c ORDER BY c._ts', 'SELECT DISTINCT VALUE c.pk FROM c']) {
    const { resources } = await mine.items.query(query, { partitionKey: 'a' }).fetchAll();
    assert.ok(resources.length > 0);
    assert.ok(resources.every((row) => (row.pk ?? row) === 'a'));
  }
  const { resources: all } = await mine.items.readAll({ partitionKey: 'a' }).fetchAll();
  assert.ok(all.length >= 3 && all.every((item) => item.pk === 'a'));
  const feed = mine.items.getChangeFeedIterator({ changeFeedStartFrom: ChangeFeedStartFrom.Beginning('a') });
  const page = await feed.readNext();
  assert.ok(page.result.length >= 3 && page.result.every((item) => item.pk === 'a'));
  const { resource: seen } = await mine.scripts.storedProcedure('count').execute('a', []);
  assert.ok(seen.length >= 3 && seen.every((pk) => pk === 'a'));
  assert.equal((await mine.item(id, 'a').delete()).statusCode, 204);

  await fails(mine.item('first', 'b').read(), 403);
  await fails(mine.items.create({ id, pk: 'b' }), 403);
  await fails(mine.items.upsert({ id: 'first', pk: 'b', n: 1 }), 403);
  await fails(mine.item('first', 'b').delete(), 403);
  await fails(mine.items.query('SELECT * FROM c', { partitionKey: 'b' }).fetchAll(), 403);
  await fails(mine.items.query('SELECT * FROM c WHERE c.pk = "a"').fetchAll(), 403);
  await fails(mine.items.readAll().fetchAll(), 403);
  await fails(mine.scripts.storedProcedure('count').execute('b', []), 403);
  // The SDK keeps the status of a batch to itself.
  assert.match((await failure(mine.items.batch([{ operationType: 'Read', id: 'first' }], 'b'))).message, /Insufficient permissions/);
  // Where it looks for a token of the database, it finds none and sends no authorization that is one.
  const { code } = await failure(client.database(database.id).read());
  assert.ok([401, 403].includes(code), String(code));
}

for (const partitions of [1, 5]) {
  describe(`on ${partitions} partitions`, () => {
    for (const [way, options] of Object.entries(WAYS)) {
      test(`a tenant works within its key: ${way}`, async () => {
        const { container, permission } = await tenants(partitions);
        const client = holder(options(permission));
        await work(client, container);
        client.dispose();
        assert.equal((await container.item('first', 'b').read()).resource.n, undefined);
      });
    }

    test('a token goes on across a split', async () => {
      const { container, permission } = await tenants(partitions);
      const client = holder(WAYS.tokenProvider(permission));
      await work(client, container);
      const link = `dbs/${database.id}/colls/${container.id}`;
      const { resources } = await container.readPartitionKeyRanges().fetchAll();
      for (const { id } of resources) {
        const split = await new Rest(server).post(`/_orrery/${link}/split`, { range: Number(id) }, { type: 'split', link });
        assert.equal(split.status, 200, split.text);
      }
      await work(client, container);
      client.dispose();
    });
  });
}

test('a token for reading reads', async () => {
  const { container, user } = await tenants(1);
  const { resource: permission } = await user.permissions.create({ id: 'read', permissionMode: 'Read', resource: container.url });
  const client = holder(WAYS.permissionFeed(permission));
  const shared = client.database(database.id).container(container.id);
  assert.equal((await shared.read()).resource.id, container.id);
  assert.equal((await shared.items.readAll().fetchAll()).resources.length, 2);
  assert.equal((await shared.items.query('SELECT VALUE COUNT(1) FROM c').fetchAll()).resources[0], 2);
  await fails(shared.items.create({ id: 'x', pk: 'a' }), 403);
  await fails(shared.scripts.storedProcedure('count').execute('a', []), 403);
  await fails(shared.delete(), 403);
  client.dispose();
});

test('a token for one item opens that item', async () => {
  const { container, user } = await tenants(1);
  const { resource: permission } = await user.permissions.create({
    id: 'item', permissionMode: 'All', resource: `${container.url}/docs/first`, resourcePartitionKey: ['a'],
  });
  const client = holder(WAYS.tokenProvider(permission));
  const shared = client.database(database.id).container(container.id);
  assert.equal((await shared.item('first', 'a').read()).statusCode, 200);
  assert.equal((await shared.item('first', 'a').replace({ id: 'first', pk: 'a', n: 1 })).statusCode, 200);
  await fails(shared.item('first', 'b').read(), 403);
  await fails(shared.item('missing', 'a').read(), 403);
  await fails(shared.item('first', 'a').replace({ id: 'second', pk: 'a' }), 403);
  await fails(shared.items.query('SELECT * FROM c', { partitionKey: 'a' }).fetchAll(), 403);
  client.dispose();
});

test('All on a container is enough to delete it, and nothing else of its name is reached', async () => {
  const { container, user } = await tenants(1);
  const { resource: permission } = await user.permissions.create({ id: 'all', permissionMode: 'All', resource: container.url });
  const client = holder(WAYS.resourceTokens(permission));
  assert.equal((await client.database(database.id).container(container.id).delete()).statusCode, 204);
  await database.containers.create({ id: container.id, partitionKey: { paths: ['/pk'], version: 2 } });
  await fails(client.database(database.id).container(container.id).read(), 403);
  client.dispose();
});

test('a token ends with its permission, and not with account keys or a restart', async () => {
  const { container, permission, user } = await tenants(1);
  const tenant = holder(WAYS.tokenProvider(permission));
  await work(tenant, container);

  const rest = new Rest(server);
  const reply = await rest.post('/_orrery/keys', { replace: ['primary', 'secondary', 'primary-readonly', 'secondary-readonly'] }, { type: 'keys', link: '' });
  assert.equal(reply.status, 200, reply.text);
  await fails(connect(server).database(database.id).read(), 401);
  await work(tenant, container);
  tenant.dispose();

  await server.restart();
  const again = holder(WAYS.tokenProvider(permission));
  await work(again, container);

  owner.dispose();
  owner = connect(server, { key: reply.json.primary });
  assert.notEqual(reply.json.primary, KEY);
  database = owner.database(database.id);
  await database.user(user.id).permission(permission.id).delete();
  await fails(again.database(database.id).container(container.id).item('first', 'a').read(), 403);
  again.dispose();
});
