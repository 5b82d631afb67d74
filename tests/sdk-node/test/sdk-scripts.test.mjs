// Stored procedures, triggers and user-defined functions through @azure/cosmos, on one and on five physical partitions.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { failure, unique } from '../lib/check.mjs';
import { connect, THROUGHPUT } from '../lib/client.mjs';
import { Server } from '../lib/server.mjs';

let server;
let client;

before(async () => {
  server = await Server.start();
  client = connect(server);
});
after(async () => {
  client?.dispose();
  await server?.close();
});

for (const [partitions, throughput] of Object.entries(THROUGHPUT)) {
  describe(`scripts on ${partitions} physical partitions`, () => {
    let database;
    let container;
    let scripts;

    before(async () => {
      ({ database } = await client.databases.create({ id: unique('scripts') }));
      ({ container } = await database.containers.create(
        { id: unique('c'), partitionKey: { paths: ['/pk'], version: 2 }, throughput }));
      scripts = container.scripts;
    });
    after(() => database?.delete());

    const procedure = async (body) => {
      const { storedProcedure } = await scripts.storedProcedures.create({ id: unique('s'), body });
      return storedProcedure;
    };
    const ids = async (pk) => {
      const { resources } = await container.items.readAll({ partitionKey: pk }).fetchAll();
      return resources.map((item) => item.id).sort();
    };

    for (const [feed, one, more] of [
      ['storedProcedures', 'storedProcedure', {}],
      ['userDefinedFunctions', 'userDefinedFunction', {}],
      ['triggers', 'trigger', { triggerType: 'Pre', triggerOperation: 'Create' }],
    ]) {
      test(`${feed} are created, read, listed, queried, replaced and deleted`, async () => {
        const definition = { id: unique('r'), body: 'function () { return 1; }', ...more };
        const { resource: created } = await scripts[feed].create(definition);
        for (const name of Object.keys(definition)) {
          assert.equal(created[name], definition[name]);
        }
        assert.ok(created._rid && created._self && created._etag && created._ts);
        const script = scripts[one](definition.id);
        assert.deepEqual((await script.read()).resource, created);
        assert.equal((await failure(scripts[feed].create(definition))).code, 409);

        await scripts[feed].create({ ...definition, id: unique('r') });
        const listed = (await scripts[feed].readAll({ maxItemCount: 1 }).fetchAll()).resources;
        assert.ok(listed.length >= 2);
        assert.ok(listed.some((each) => each.id === definition.id));
        const found = await scripts[feed].query({
          query: 'SELECT * FROM root r WHERE r.id = @id', parameters: [{ name: '@id', value: definition.id }],
        }).fetchAll();
        assert.deepEqual(found.resources, [created]);

        const { resource: replaced } = await script.replace({ ...definition, body: 'function () { return 2; }' });
        assert.equal(replaced.body, 'function () { return 2; }');
        assert.equal(replaced._rid, created._rid);
        assert.notEqual(replaced._etag, created._etag);
        await script.delete();
        assert.equal((await failure(script.read())).code, 404);
      });
    }

    test('what is no JavaScript is stored and fails when it is run', async () => {
      const broken = await procedure('function ( {');
      const refused = await failure(broken.execute(unique('pk')));
      assert.equal(refused.code, 400);
      assert.equal(refused.substatus, 65535);
    });

    test('a procedure takes arguments and answers', async () => {
      const sum = await procedure(`function (a, b) {
        getContext().getResponse().setBody({ sum: a + b, has: typeof b });
      }`);
      assert.deepEqual((await sum.execute(unique('pk'), [1, 2])).resource, { sum: 3, has: 'number' });
      assert.equal((await sum.execute(unique('pk'), ['a', 'b'])).resource.sum, 'ab');
      const text = await procedure('function () { getContext().getResponse().setBody("plain"); }');
      assert.equal((await text.execute(unique('pk'))).resource, 'plain');
    });

    test('a procedure reads and writes the items of its key', async () => {
      const pk = unique('pk');
      const other = unique('pk');
      await container.items.create({ id: 'kept', pk: other });
      const fill = await procedure(`function (pk, count) {
        var collection = getContext().getCollection(), made = 0;
        function next(err) {
          if (err) throw err;
          if (made === count) return getContext().getResponse().setBody(made);
          var item = { id: 'i' + made++, pk: pk };
          if (!collection.createDocument(collection.getSelfLink(), item, next)) {
            getContext().getResponse().setBody(made - 1);
          }
        }
        next();
      }`);
      const { resource, headers } = await fill.execute(pk, [pk, 5]);
      assert.equal(resource, 5);
      assert.ok(Number(headers['x-ms-request-charge']) > 5);
      assert.deepEqual(await ids(pk), ['i0', 'i1', 'i2', 'i3', 'i4']);

      const count = await procedure(`function () {
        var collection = getContext().getCollection();
        collection.queryDocuments(collection.getSelfLink(), 'SELECT VALUE c.id FROM c', {}, function (err, found) {
          if (err) throw err;
          getContext().getResponse().setBody(found.sort());
        });
      }`);
      assert.deepEqual((await count.execute(pk)).resource, ['i0', 'i1', 'i2', 'i3', 'i4']);
      assert.deepEqual((await count.execute(other)).resource, ['kept']);
    });

    test('a procedure that fails leaves nothing behind', async () => {
      const pk = unique('pk');
      const fails = await procedure(`function (pk) {
        var collection = getContext().getCollection();
        collection.createDocument(collection.getSelfLink(), { id: 'gone', pk: pk }, function (err) {
          if (err) throw err;
          throw new Error('second thoughts');
        });
      }`);
      const thrown = await failure(fails.execute(pk, [pk]));
      assert.equal(thrown.code, 400);
      assert.match(thrown.body?.message ?? thrown.message, /second thoughts/);
      assert.deepEqual(await ids(pk), []);
    });

    test('a procedure logs where that is asked for', async () => {
      const talks = await procedure(`function () {
        console.log('one + one = 100 %');
        getContext().getResponse().setBody(true);
      }`);
      const header = 'x-ms-documentdb-script-log-results';
      const heard = await talks.execute(unique('pk'), [], { enableScriptLogging: true });
      assert.match(decodeURIComponent(heard.headers[header]), /one \+ one = 100 %/);
      assert.equal((await talks.execute(unique('pk'))).headers[header], undefined);
    });

    test('a log is formatted and ends with its last character; values are appended', async () => {
      const talks = await procedure(`function () {
        console.log('The value of %s is %s.', 'x', 1);
        for (let i = 0; i < 10; i++) getContext().getResponse().appendValue('Body', i);
      }`);
      const heard = await talks.execute(unique('pk'), [], { enableScriptLogging: true });
      assert.equal(heard.headers['x-ms-documentdb-script-log-results'], encodeURIComponent('The value of x is 1.'));
      assert.equal(heard.resource, '0123456789');
    });

    test('triggers come back as they were spelled', async () => {
      const { resource } = await scripts.triggers.create({ id: unique('t'), body: 'function () {}', triggerType: 'pre', triggerOperation: 'all' });
      assert.deepEqual([resource.triggerType, resource.triggerOperation], ['pre', 'all']);
    });

    test('pre-triggers change what is written', async () => {
      const id = unique('stamp');
      await scripts.triggers.create({
        id,
        triggerType: 'Pre',
        triggerOperation: 'Create',
        body: `function () {
          var request = getContext().getRequest(), item = request.getBody();
          item.stamp = 'by trigger';
          request.setBody(item);
        }`,
      });
      const pk = unique('pk');
      const { resource } = await container.items.create({ id: '1', pk }, { preTriggerInclude: [id] });
      assert.equal(resource.stamp, 'by trigger');
      assert.equal((await container.item('1', pk).read()).resource.stamp, 'by trigger');
      const wrong = await failure(container.item('1', pk).replace({ id: '1', pk }, { preTriggerInclude: [id] }));
      assert.equal(wrong.code, 400);
      const side = await failure(container.items.create({ id: '2', pk }, { postTriggerInclude: [id] }));
      assert.equal(side.code, 400);
      const unknown = await failure(container.items.create({ id: '2', pk }, { preTriggerInclude: [unique('none')] }));
      assert.equal(unknown.code, 400);
      assert.deepEqual(await ids(pk), ['1']);
    });

    test('post-triggers write more, or undo it all', async () => {
      const id = unique('count');
      await scripts.triggers.create({
        id,
        triggerType: 'Post',
        triggerOperation: 'All',
        body: `function () {
          var collection = getContext().getCollection(), item = getContext().getResponse().getBody();
          if (item.bad) throw new Error('not this one');
          collection.createDocument(collection.getSelfLink(), { id: 'of-' + item.id, pk: item.pk }, function (err) {
            if (err) throw err;
          });
        }`,
      });
      const pk = unique('pk');
      await container.items.create({ id: '1', pk }, { postTriggerInclude: [id] });
      assert.deepEqual(await ids(pk), ['1', 'of-1']);
      const undone = await failure(container.items.create({ id: '2', pk, bad: true }, { postTriggerInclude: [id] }));
      assert.equal(undone.code, 400);
      assert.deepEqual(await ids(pk), ['1', 'of-1']);
    });

    test('functions are called by queries over all keys', async () => {
      const name = unique('tax').replaceAll('-', '_');
      await scripts.userDefinedFunctions.create({ id: name, body: 'function (n) { return n > 5 ? n * 2 : n; }' });
      const run = unique('run');
      for (let n = 0; n < 10; n += 1) {
        await container.items.create({ id: `${run}-${n}`, pk: `${run}-${n}`, run, n });
      }
      const ask = async (query) =>
        (await container.items.query({ query, parameters: [{ name: '@run', value: run }] }).fetchAll()).resources;
      assert.deepEqual(
        (await ask(`SELECT VALUE udf.${name}(c.n) FROM c WHERE c.run = @run`)).sort((a, b) => a - b),
        [0, 1, 2, 3, 4, 5, 12, 14, 16, 18]);
      assert.deepEqual(
        (await ask(`SELECT VALUE c.n FROM c WHERE c.run = @run AND udf.${name}(c.n) > 13`)).sort(), [7, 8, 9]);
      assert.deepEqual(
        await ask(`SELECT VALUE udf.${name}(c.n) FROM c WHERE c.run = @run ORDER BY c.n DESC`),
        [18, 16, 14, 12, 5, 4, 3, 2, 1, 0]);
      assert.deepEqual(await ask(`SELECT VALUE SUM(udf.${name}(c.n)) FROM c WHERE c.run = @run`), [75]);
      assert.equal((await failure(ask('SELECT VALUE udf.nobody(c.n) FROM c WHERE c.run = @run'))).code, 400);
    });
  });
}
