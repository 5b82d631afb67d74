// Users and permissions through @azure/cosmos and over REST, and what becomes of them at a restart.
import assert from 'node:assert/strict';
import { PermissionMode } from '@azure/cosmos';
import { after, before, describe, test } from 'node:test';
import { assertError, fails, unique } from '../lib/check.mjs';
import { connect } from '../lib/client.mjs';
import { Rest } from '../lib/rest.mjs';
import { Server } from '../lib/server.mjs';

let server;
let client;
let rest;
let database;
let container;

before(async () => {
  server = await Server.start();
  client = connect(server);
  rest = new Rest(server);
  ({ database } = await client.databases.create({ id: unique('access') }));
  ({ container } = await database.containers.create({ id: unique('c'), partitionKey: '/pk' }));
});
after(async () => {
  client?.dispose();
  await server?.close();
});

const byId = (id) => ({ query: 'SELECT * FROM root r WHERE r.id=@id', parameters: [{ name: '@id', value: id }] });
const user = async () => (await database.users.create({ id: unique('u') })).user;

describe('users', () => {
  for (const upserts of [false, true]) {
    test(`are ${upserts ? 'upserted' : 'created'}, read, listed, queried, renamed and deleted`, async () => {
      const before = (await database.users.readAll().fetchAll()).resources.length;
      const id = unique('new user');
      const { resource: created, statusCode } = upserts
        ? await database.users.upsert({ id }) : await database.users.create({ id });
      assert.equal(statusCode, 201);
      assert.equal(created.id, id);
      assert.equal(created._permissions, 'permissions/');
      assert.ok(created._rid && created._etag && created._ts);
      assert.match(created._self, /^dbs\/[^/]+\/users\/[^/]+\/$/);
      assert.equal((await database.users.readAll().fetchAll()).resources.length, before + 1);
      assert.deepEqual((await database.users.query(byId(id)).fetchAll()).resources, [created]);

      const renamed = unique('replaced user');
      const { resource: replaced } = await database.user(id).replace({ ...created, id: renamed });
      assert.equal(replaced.id, renamed);
      assert.equal(replaced._rid, created._rid);
      assert.deepEqual((await database.user(renamed).read()).resource, replaced);
      await fails(database.user(id).read(), 404);
      await database.user(renamed).delete();
      await fails(database.user(renamed).read(), 404);
    });
  }

  test('have names that are taken once', async () => {
    const { id } = await user();
    await fails(database.users.create({ id }), 409);
    assert.equal((await database.users.upsert({ id })).statusCode, 200);
    const other = await user();
    await fails(other.replace({ id }), 409);
  });

  test('respect If-Match', async () => {
    const one = await user();
    const { resource } = await one.read();
    await one.replace(resource);
    const condition = { accessCondition: { type: 'IfMatch', condition: resource._etag } };
    await fails(one.replace(resource, condition), 412);
    await fails(one.delete(condition), 412);
    await one.delete();
  });

  test('come in pages', async () => {
    const { database: many } = await client.databases.create({ id: unique('many') });
    const ids = ['a', 'b', 'c', 'd', 'e'];
    for (const id of ids) {
      await many.users.create({ id });
    }
    const pages = [];
    for await (const { resources } of many.users.readAll({ maxItemCount: 2 }).getAsyncIterator()) {
      pages.push(resources.map((each) => each.id));
    }
    assert.deepEqual(pages.flat(), ids);
    assert.ok(pages.length >= 3);
    await many.delete();
  });
});

describe('permissions', () => {
  for (const upserts of [false, true]) {
    for (const resourcePartitionKey of [undefined, [1]]) {
      test(`are ${upserts ? 'upserted' : 'created'} ${resourcePartitionKey ? 'for a key' : 'for a container'}, found, replaced and deleted`, async () => {
        const one = await user();
        const definition = {
          id: 'new permission', permissionMode: PermissionMode.Read, resource: container.url,
          ...(resourcePartitionKey && { resourcePartitionKey }),
        };
        const put = (body) => (upserts ? one.permissions.upsert(body) : one.permissions.create(body));
        const { resource: created, statusCode } = await put(definition);
        assert.equal(statusCode, 201);
        assert.equal(created.resource, container.url);
        assert.deepEqual(created.resourcePartitionKey, resourcePartitionKey);
        assert.match(created._token, /^type=resource&ver=1\.0&sig=[^;]+;/);
        assert.match(created._self, /^dbs\/[^/]+\/users\/[^/]+\/permissions\/[^/]+\/$/);
        assert.equal((await one.permissions.readAll().fetchAll()).resources.length, 1);
        const [found] = (await one.permissions.query(byId('new permission')).fetchAll()).resources;
        assert.equal(found._rid, created._rid);

        const all = { ...created, permissionMode: PermissionMode.All };
        const { resource: widened } = upserts
          ? await one.permissions.upsert(all) : await one.permission(created.id).replace(all);
        assert.equal(widened.permissionMode, PermissionMode.All);
        assert.equal(widened._rid, created._rid);
        assert.deepEqual(widened.resourcePartitionKey, resourcePartitionKey);

        const { resource: renamed } = await one.permission(created.id).replace({ ...widened, id: 'replaced permission' });
        assert.equal(renamed.id, 'replaced permission');
        assert.equal((await one.permission('replaced permission').read()).resource._rid, created._rid);
        await one.permission('replaced permission').delete();
        await fails(one.permission('replaced permission').read(), 404);
      });
    }
  }

  test('are one for each resource and key of a user', async () => {
    const one = await user();
    const permission = (id, key) => ({
      id, permissionMode: PermissionMode.Read, resource: container.url, ...(key && { resourcePartitionKey: [key] }),
    });
    await one.permissions.create(permission('whole'));
    await one.permissions.create(permission('a', 'a'));
    await one.permissions.create(permission('b', 'b'));
    await fails(one.permissions.create(permission('again')), 409);
    await fails(one.permissions.create(permission('a again', 'a')), 409);
    await one.permission('a').delete();
    await one.permissions.create(permission('a again', 'a'));
    await (await user()).permissions.create(permission('whole'));
  });

  test('may be for what does not exist, and for what containers hold', async () => {
    const one = await user();
    for (const [id, resource] of Object.entries({
      rid: 'dbs/AQAAAA==/colls/AQAAAJ0fgTc=', item: `${container.url}/docs/1`, procedure: `${container.url}/sprocs/s`,
      slashes: '/dbs/x/colls/y/',
    })) {
      const { resource: created } = await one.permissions.create({ id, permissionMode: PermissionMode.All, resource });
      assert.equal(created.resource, resource);
    }
  });

  test('are valid for 10 seconds to 24 hours', async () => {
    const one = await user();
    const definition = { id: 'p', permissionMode: PermissionMode.Read, resource: container.url };
    for (const seconds of [9, 86_401]) {
      await fails(one.permissions.create(definition, { resourceTokenExpirySeconds: seconds }), 400);
    }
    await one.permissions.create(definition, { resourceTokenExpirySeconds: 10 });
    const long = await one.permission('p').read({ resourceTokenExpirySeconds: 86_400 });
    assert.match(long.resource._token, /^type=resource/);
  });

  test('go with their user, and users with their database', async () => {
    const { database: brief } = await client.databases.create({ id: unique('brief') });
    const { user: one } = await brief.users.create({ id: 'u' });
    await one.permissions.create({ id: 'p', permissionMode: PermissionMode.Read, resource: container.url });
    await one.delete();
    await fails(one.permission('p').read(), 404);
    await brief.users.create({ id: 'u' });
    assert.deepEqual((await one.permissions.readAll().fetchAll()).resources, []);
    await brief.delete();
    await fails(one.read(), 404);
  });

  test('are named by rid, too', async () => {
    const one = await user();
    const { resource } = await one.permissions.create({ id: 'p', permissionMode: PermissionMode.Read, resource: container.url });
    const reply = await rest.get(`/${resource._self}`);
    assert.equal(reply.status, 200);
    assert.equal(reply.json._rid, resource._rid);
    assert.equal(reply.headers.etag, resource._etag);
    const listed = await rest.get(`/${resource._self.split('/').slice(0, 4).join('/')}/permissions`);
    assert.deepEqual(listed.json.Permissions.map((each) => each.id), ['p']);
    assertError(await rest.get(`/dbs/${database.id}/users/nobody/permissions`), 404, { substatus: 1003 });
    assertError(await rest.post(`/dbs/${database.id}/users/${one.id}/permissions`,
      { id: 'q', permissionMode: 'Read', resource: 'dbs/d' }), 400, { message: /resource/ });
  });

  test('outlive a restart', async () => {
    const one = await user();
    const { resource } = await one.permissions.create(
      { id: 'p', permissionMode: PermissionMode.Read, resource: container.url, resourcePartitionKey: ['tenant'] });
    await server.restart();
    const again = (await one.permission('p').read()).resource;
    const { _token: before, ...rest1 } = resource;
    const { _token: now, ...rest2 } = again;
    assert.deepEqual(rest2, rest1);
    assert.match(now, /^type=resource/);
  });
});
