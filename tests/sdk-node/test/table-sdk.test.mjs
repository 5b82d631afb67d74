// Tables with the unmodified @azure/data-tables: on one and on five physical partitions, in both forms of its addresses.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { odata, TableTransaction } from '@azure/data-tables';
import { THROUGHPUT, connect } from '../lib/client.mjs';
import { Server } from '../lib/server.mjs';
import { Tables, all, refused, uniqueTable } from '../lib/tables.mjs';

let server;
before(async () => { server = await Server.start(); });
after(() => server?.close());

/** Every type that a property has, as the SDK writes it and as it reads it. */
const TYPED = {
  text: ['it\'s "ü" 漢🚀\u0000\n', undefined],
  empty: ['', undefined],
  yes: [true, undefined],
  no: [false, undefined],
  small: [42, undefined],
  smallest: [{ type: 'Int32', value: '-2147483648' }, -2147483648],
  real: [1.5, undefined],
  // A number without a fraction stays a Double: without its type the SDK reads it as a number, too.
  whole: [{ type: 'Double', value: '3.0' }, 3],
  tiny: [{ type: 'Double', value: '5E-324' }, 5e-324],
  large: [9007199254740993n, undefined],
  largest: [9223372036854775807n, undefined],
  lowest: [-9223372036854775808n, undefined],
  moment: [new Date('2026-01-02T03:04:05.678Z'), undefined],
  exact: [{ type: 'DateTime', value: '2026-01-02T03:04:05.1234567Z' }, new Date('2026-01-02T03:04:05.123Z')],
  early: [{ type: 'DateTime', value: '1601-01-01T00:00:00.0000000Z' }, new Date('1601-01-01T00:00:00Z')],
  guid: [{ type: 'Guid', value: 'a455c695-df98-5678-aaaa-81d3367e5a34' }, undefined],
  bytes: [new Uint8Array([0, 1, 127, 128, 255]), undefined],
  none: [new Uint8Array(0), undefined],
};
const written = Object.fromEntries(Object.entries(TYPED).map(([name, [value]]) => [name, value]));
const expected = Object.fromEntries(Object.entries(TYPED).map(([name, [value, read]]) => [name, read ?? value]));

/** Returns an entity without what the service adds. Buffers of Node are equal to no other bytes. */
const own = ({ etag, timestamp, 'odata.metadata': metadata, ...entity }) => Object.fromEntries(
  Object.entries(entity).map(([name, value]) => [name, Buffer.isBuffer(value) ? new Uint8Array(value) : value]));
const keysOf = (entities) => entities.map(({ partitionKey, rowKey }) => `${partitionKey}/${rowKey}`);

for (const [partitions, form] of [[1, 'emulator'], [5, 'azurite']]) {
  describe(`@azure/data-tables on ${partitions} partitions, addressed as the ${form}`, () => {
    let tables;
    before(() => { tables = new Tables(server.tablePort, form); });
    after(() => tables.close());
    const create = () => tables.create(THROUGHPUT[partitions]);

    test('tables are created, listed and deleted', async () => {
      const service = tables.service();
      const names = ['A', 'B', 'C', 'D', 'E'].map((letter) => uniqueTable(`List${partitions}${letter}`));
      for (const name of names) {
        await service.createTable(name);
      }
      // The SDK says nothing where a table is there already.
      await service.createTable(names[0]);
      const filter = odata`TableName ge ${names[0]} and TableName le ${names[4]}`;
      assert.deepEqual((await all(service.listTables({ queryOptions: { filter } }))).map(({ name }) => name), names);
      const pages = await all(service.listTables({ queryOptions: { filter } }).byPage({ maxPageSize: 2 }));
      assert.deepEqual(pages.flatMap((page) => page.map(({ name }) => name)), names);
      assert.ok(pages.every((page) => page.length <= 2));
      assert.deepEqual((await all(service.listTables({ queryOptions: { filter: odata`TableName eq ${names[2]}` } }))).map(({ name }) => name), [names[2]]);
      assert.ok((await all(service.listTables())).map(({ name }) => name).includes(names[3]));
      for (const name of names) {
        await service.deleteTable(name);
      }
      await service.deleteTable(names[0]);
      assert.deepEqual(await all(service.listTables({ queryOptions: { filter } })), []);
      await refused(tables.client(names[0]).getEntity('p', 'r'), 404, 'TableNotFound');
      // The name is free again, and the entities of the table before are gone.
      await service.createTable(names[0]);
      assert.deepEqual(await all(tables.client(names[0]).listEntities()), []);
      await refused(service.createTable('1bad'), 400, 'InvalidResourceName');
      await refused(service.createTable('a'), 400);
      await refused(service.createTable('with-dash'), 400, 'InvalidResourceName');
    });

    test('every type comes back as it was written', async () => {
      const client = await create();
      const created = await client.createEntity({ partitionKey: 'p', rowKey: 'r', ...written });
      assert.match(created.etag, /^W\/"datetime'.*'"$/);
      const { etag, timestamp, ...read } = await client.getEntity('p', 'r');
      assert.deepEqual(own(read), { partitionKey: 'p', rowKey: 'r', ...expected });
      assert.equal(etag, created.etag);
      assert.equal(decodeURIComponent(etag), `W/"datetime'${timestamp}'"`);
      // The types are those that the service says, and not those that JavaScript has.
      const typed = await client.getEntity('p', 'r', { disableTypeConversion: true });
      assert.deepEqual(typed.small, { type: 'Int32', value: '42' });
      assert.deepEqual(typed.exact, { type: 'DateTime', value: '2026-01-02T03:04:05.1234567Z' });
      assert.deepEqual(typed.largest, { type: 'Int64', value: '9223372036854775807' });
      const [listed] = await all(client.listEntities());
      assert.deepEqual(own(listed), { partitionKey: 'p', rowKey: 'r', ...expected });
      assert.equal(listed.etag, created.etag);
      const raw = await tables.rest.get(`/${client.tableName}(PartitionKey='p',RowKey='r')`);
      assert.match(raw.text, /"whole":3\.0[,}]/, 'a whole Double keeps its fraction');
      assert.match(raw.text, /"small":42[,}]/);
    });

    test('a property that is null is not there', async () => {
      const client = await create();
      await client.createEntity({ partitionKey: 'p', rowKey: 'r', a: null, b: undefined, c: 1 });
      assert.deepEqual(own(await client.getEntity('p', 'r')), { partitionKey: 'p', rowKey: 'r', c: 1 });
      await client.updateEntity({ partitionKey: 'p', rowKey: 'r', c: null, d: 2 }, 'Merge');
      assert.deepEqual(own(await client.getEntity('p', 'r')), { partitionKey: 'p', rowKey: 'r', c: 1, d: 2 });
    });

    test('entities are inserted, updated, upserted and deleted', async () => {
      const client = await create();
      const keys = { partitionKey: 'p', rowKey: 'r' };
      const read = async () => own(await client.getEntity('p', 'r'));
      await refused(client.getEntity('p', 'r'), 404, 'ResourceNotFound');
      for (const mode of ['Merge', 'Replace']) {
        await refused(client.updateEntity({ ...keys, a: 1 }, mode), 404, 'ResourceNotFound');
      }
      await refused(client.deleteEntity('p', 'r'), 404, 'ResourceNotFound');
      await client.createEntity({ ...keys, a: 1, b: 1 });
      await refused(client.createEntity({ ...keys, a: 2 }), 409, 'EntityAlreadyExists');
      await client.updateEntity({ ...keys, b: 2 }, 'Merge');
      assert.deepEqual(await read(), { ...keys, a: 1, b: 2 });
      await client.updateEntity({ ...keys, b: 3 }, 'Replace');
      assert.deepEqual(await read(), { ...keys, b: 3 });
      await client.upsertEntity({ ...keys, c: 'x' }, 'Merge');
      assert.deepEqual(await read(), { ...keys, b: 3, c: 'x' });
      await client.upsertEntity({ ...keys, c: 'y' }, 'Replace');
      assert.deepEqual(await read(), { ...keys, c: 'y' });
      await client.upsertEntity({ ...keys, rowKey: 'new', a: 1 }, 'Merge');
      await client.upsertEntity({ ...keys, rowKey: 'newer', a: 1 }, 'Replace');
      assert.deepEqual(keysOf(await all(client.listEntities())), ['p/new', 'p/newer', 'p/r']);
      // A merge may change the type of a property.
      await client.upsertEntity({ ...keys, c: 7n }, 'Merge');
      assert.deepEqual(await read(), { ...keys, c: 7n });
      await client.deleteEntity('p', 'r');
      await refused(client.getEntity('p', 'r'), 404, 'ResourceNotFound');
    });

    test('an ETag protects what another has changed', async () => {
      const client = await create();
      const keys = { partitionKey: 'p', rowKey: 'r' };
      const { etag: first } = await client.createEntity({ ...keys, n: 1 });
      const { etag: second } = await client.updateEntity({ ...keys, n: 2 }, 'Replace', { etag: first });
      assert.notEqual(second, first);
      for (const mode of ['Merge', 'Replace']) {
        await refused(client.updateEntity({ ...keys, n: 9 }, mode, { etag: first }), 412, 'UpdateConditionNotSatisfied');
      }
      await refused(client.deleteEntity('p', 'r', { etag: first }), 412, 'UpdateConditionNotSatisfied');
      assert.equal((await client.getEntity('p', 'r')).n, 2);
      const { etag: third } = await client.updateEntity({ ...keys, n: 3 }, 'Merge', { etag: second });
      assert.equal((await client.getEntity('p', 'r')).etag, third);
      await client.updateEntity({ ...keys, n: 4 }, 'Merge', { etag: '*' });
      const { etag: last } = await client.getEntity('p', 'r');
      await client.deleteEntity('p', 'r', { etag: last });
      await refused(client.deleteEntity('p', 'r', { etag: last }), 404, 'ResourceNotFound');
    });

    test('a transaction does all of its actions', async () => {
      const client = await create();
      for (const rowKey of ['merged', 'replaced', 'deleted', 'upserted']) {
        await client.createEntity({ partitionKey: 'p', rowKey, a: 1, b: 1 });
      }
      const { etag } = await client.getEntity('p', 'replaced');
      const transaction = new TableTransaction();
      transaction.createEntity({ partitionKey: 'p', rowKey: 'created', ...written });
      transaction.updateEntity({ partitionKey: 'p', rowKey: 'merged', b: 2 }, 'Merge');
      transaction.updateEntity({ partitionKey: 'p', rowKey: 'replaced', b: 2 }, 'Replace', { etag });
      transaction.upsertEntity({ partitionKey: 'p', rowKey: 'upserted', b: 2 }, 'Merge');
      transaction.upsertEntity({ partitionKey: 'p', rowKey: "it's new 漢", b: 2 }, 'Replace');
      transaction.deleteEntity('p', 'deleted');
      const { status, subResponses } = await client.submitTransaction(transaction.actions);
      assert.equal(status, 202);
      assert.deepEqual(subResponses.map((each) => each.status), [204, 204, 204, 204, 204, 204]);
      assert.equal(subResponses[0].rowKey, 'created');
      const found = Object.fromEntries((await all(client.listEntities())).map((entity) => [entity.rowKey, own(entity)]));
      assert.deepEqual(Object.keys(found), ['created', "it's new 漢", 'merged', 'replaced', 'upserted']);
      assert.deepEqual(found.created, { partitionKey: 'p', rowKey: 'created', ...expected });
      assert.deepEqual(found.merged, { partitionKey: 'p', rowKey: 'merged', a: 1, b: 2 });
      assert.deepEqual(found.replaced, { partitionKey: 'p', rowKey: 'replaced', b: 2 });
      assert.deepEqual(found.upserted, { partitionKey: 'p', rowKey: 'upserted', a: 1, b: 2 });
      const merged = await client.getEntity('p', 'merged');
      assert.equal(subResponses[1].etag, merged.etag);
    });

    test('a transaction that fails says where, and changes nothing', async () => {
      const client = await create();
      await client.createEntity({ partitionKey: 'p', rowKey: 'there', n: 1 });
      const before = await all(client.listEntities());
      const entity = (rowKey) => ({ partitionKey: 'p', rowKey, n: 9 });
      const stale = "W/\"datetime'2001-01-01T00%3A00%3A00.0000000Z'\"";
      const failures = [
        [[['create', entity('x')], ['create', entity('there')]], 409, 'EntityAlreadyExists', 1],
        [[['create', entity('x')], ['create', entity('y')], ['update', entity('missing'), 'Replace']], 404, 'ResourceNotFound', 2],
        [[['create', entity('x')], ['delete', entity('missing')]], 404, 'ResourceNotFound', 1],
        [[['update', entity('there'), 'Merge', { etag: stale }], ['create', entity('x')]], 412, 'UpdateConditionNotSatisfied', 0],
        [[['create', entity('x')], ['upsert', entity('x'), 'Merge']], 400, 'InvalidDuplicateRow', 1],
      ];
      for (const [actions, status, code, index] of failures) {
        const error = await refused(client.submitTransaction(actions), status, code);
        assert.match(error.details?.odataError?.message?.value ?? error.message, new RegExp(`^${index}:`), code);
        assert.deepEqual(await all(client.listEntities()), before, code);
      }
    });

    test('100 actions are the most that a transaction has', async () => {
      const client = await create();
      const actions = (count) => Array.from({ length: count }, (_, i) => ['create', { partitionKey: 'p', rowKey: String(i).padStart(3, '0') }]);
      await refused(client.submitTransaction(actions(101)), 400, 'InvalidInput');
      assert.deepEqual(await all(client.listEntities()), []);
      const { subResponses } = await client.submitTransaction(actions(100));
      assert.equal(subResponses.length, 100);
      assert.equal((await all(client.listEntities())).length, 100);
    });

    describe('queries', () => {
      let client;
      let found;
      before(async () => {
        client = await create();
        for (const partitionKey of ['a', 'b', 'c']) {
          await client.submitTransaction(Array.from({ length: 20 }, (_, i) => ['create', {
            partitionKey, rowKey: String(i).padStart(2, '0'),
            n: i, l: { type: 'Int64', value: String(BigInt(i) * 1_000_000_000_000n) }, d: { type: 'Double', value: String(i / 4) }, s: `s${i % 7}`, b: i % 2 === 0,
            t: new Date(Date.UTC(2026, 0, 1 + i)), g: { type: 'Guid', value: `00000000-0000-0000-0000-0000000000${String(i).padStart(2, '0')}` },
            x: new Uint8Array([i, 255]), ...(i % 5 === 0 ? { rare: i } : {}),
          }]));
        }
        found = async (filter, options = {}) => keysOf(await all(client.listEntities({ queryOptions: { filter, ...options } })));
      });

      test('come in the order of their keys', async () => {
        const keys = await found(undefined);
        assert.equal(keys.length, 60);
        assert.deepEqual(keys, keys.toSorted());
      });

      test('compare every type with every operator', async () => {
        const rows = (is) => ['a', 'b', 'c'].flatMap((key) => Array.from({ length: 20 }, (_, i) => i).filter(is).map((i) => `${key}/${String(i).padStart(2, '0')}`));
        const at = 7;
        const is = { eq: (i) => i === at, ne: (i) => i !== at, gt: (i) => i > at, ge: (i) => i >= at, lt: (i) => i < at, le: (i) => i <= at };
        const literals = {
          n: '7', l: '7000000000000L', d: '1.75', t: "datetime'2026-01-08T00:00:00Z'", g: "guid'00000000-0000-0000-0000-000000000007'", x: "X'07ff'",
        };
        for (const [name, literal] of Object.entries(literals)) {
          for (const [operator, matches] of Object.entries(is)) {
            assert.deepEqual(await found(`${name} ${operator} ${literal}`), rows(matches), `${name} ${operator}`);
          }
        }
        assert.deepEqual(await found('b eq true'), rows((i) => i % 2 === 0));
        assert.deepEqual(await found('b ne true'), rows((i) => i % 2 === 1));
        assert.deepEqual(await found("s ge 's5'"), rows((i) => i % 7 >= 5));
        assert.deepEqual(await found("x eq binary'07ff'"), rows(is.eq));
        assert.deepEqual(await found(odata`t eq ${new Date(Date.UTC(2026, 0, 8))}`), rows(is.eq));
      });

      test('combine conditions', async () => {
        assert.deepEqual(await found("PartitionKey eq 'b' and RowKey ge '03' and RowKey lt '06'"), ['b/03', 'b/04', 'b/05']);
        assert.deepEqual(await found("PartitionKey eq 'b' and (n eq 1 or n eq 2)"), ['b/01', 'b/02']);
        assert.deepEqual(await found("PartitionKey eq 'b' and n eq 1 or PartitionKey eq 'c' and n eq 2"), ['b/01', 'c/02']);
        assert.deepEqual(await found("not (PartitionKey eq 'a' or PartitionKey eq 'b') and n lt 2"), ['c/00', 'c/01']);
        assert.deepEqual(await found("PartitionKey eq 'a' and rare ge 10"), ['a/10', 'a/15']);
        // A comparison with a property that is not there is false, also `ne`.
        assert.deepEqual(await found("PartitionKey eq 'a' and rare ne 10"), ['a/00', 'a/05', 'a/15']);
        assert.deepEqual(await found("PartitionKey eq 'nobody'"), []);
      });

      test('by Timestamp', async () => {
        const { timestamp } = await client.getEntity('a', '00');
        const same = await found(`Timestamp eq datetime'${timestamp}'`);
        assert.ok(same.includes('a/00'));
        assert.deepEqual(await found("Timestamp lt datetime'2001-01-01T00:00:00Z'"), []);
        assert.equal((await found("Timestamp gt datetime'2001-01-01T00:00:00Z'")).length, 60);
      });

      test('select properties', async () => {
        const [entity] = await all(client.listEntities({ queryOptions: { filter: "PartitionKey eq 'a' and RowKey eq '07'", select: ['n', 's'] } }));
        assert.equal(entity.n, 7);
        assert.equal(entity.s, 's0');
        assert.ok(!('d' in entity) && !('b' in entity));
        const one = await client.getEntity('a', '07', { queryOptions: { select: ['t'] } });
        assert.deepEqual(one.t, new Date(Date.UTC(2026, 0, 8)));
        assert.ok(!('n' in one));
      });

      test('go on page by page', async () => {
        const keys = [];
        let token;
        do {
          const { value: page } = await client.listEntities({ queryOptions: { filter: 'n ge 5' } }).byPage({ maxPageSize: 7, continuationToken: token }).next();
          assert.ok(page.length <= 7);
          keys.push(...keysOf(page));
          token = page.continuationToken;
        } while (token);
        assert.deepEqual(keys, await found('n ge 5'));
        assert.equal(keys.length, 45);
      });

      test('that nobody understands are refused', async () => {
        for (const filter of ['n eq', 'n eq 1 and', 'n foo 1', "n eq 'a", '(n eq 1', 'startswith(s, \'a\')', 'n eq 1 n eq 2', "t eq datetime'nonsense'", "g eq guid'1'", 'and', 'eq eq eq eq']) {
          const error = await all(client.listEntities({ queryOptions: { filter } })).then(() => assert.fail(filter), (thrown) => thrown);
          assert.ok([400, 501].includes(error.statusCode), `${filter}: ${error.statusCode} ${error.message}`);
        }
      });
    });

    test('keys have every character but those that no key has', async () => {
      const client = await create();
      const awkward = ["it's", "''", "'", '"', ' ', '  lead', 'a b', '%', '%25', '%2F', '+', '&', '=', '$', '@', '!', '*', '(', ')', '()', ',', ';', ':', '[', ']', '{', '}', '|', '^', '`', '~', '<', '>', '.', '..', '-', '_',
        'ü', 'é', 'e\u0301', '漢字', '🚀', '\u2028', '\u00a0', 'null', 'true', "x' or '1' eq '1", "a',RowKey='b", 'x'.repeat(254)];
      for (const key of awkward) {
        await client.createEntity({ partitionKey: `p${key}`, rowKey: `${key}.`, value: key });
        assert.deepEqual(own(await client.getEntity(`p${key}`, `${key}.`)), { partitionKey: `p${key}`, rowKey: `${key}.`, value: key });
        await client.updateEntity({ partitionKey: `p${key}`, rowKey: `${key}.`, more: 1 }, 'Merge');
        await client.submitTransaction([['update', { partitionKey: `p${key}`, rowKey: `${key}.`, last: key }, 'Merge']]);
        const [entity] = await all(client.listEntities({ queryOptions: { filter: odata`PartitionKey eq ${`p${key}`} and RowKey eq ${`${key}.`}` } }));
        assert.equal(entity?.last, key);
      }
      const keys = keysOf(await all(client.listEntities()));
      assert.deepEqual(keys.length, awkward.length);
      for (const key of awkward) {
        await client.deleteEntity(`p${key}`, `${key}.`);
      }
      assert.deepEqual(await all(client.listEntities()), []);
      for (const sign of ['/', '\\', '#', '?', '\u0000', '\u001f', '\u007f', '\u009f', '\t', '\n']) {
        for (const entity of [{ partitionKey: `a${sign}b`, rowKey: 'r' }, { partitionKey: 'p', rowKey: `a${sign}b` }]) {
          await refused(client.createEntity(entity), 400);
        }
      }
      assert.deepEqual(await all(client.listEntities()), []);
    });
  });
}

test('an entity is an item of SQL in the documented form', async () => {
  const tables = new Tables(server.tablePort);
  const client = await tables.create();
  const { etag } = await client.createEntity({
    partitionKey: 'p1', rowKey: 'r1', name: 'Bob', age: 5, big: 9007199254740993n, ok: true, d: 1.5, _ts: 'own',
    g: { type: 'Guid', value: 'a455c695-df98-5678-aaaa-81d3367e5a34' }, dt: new Date('2026-01-02T03:04:05.678Z'), bin: new Uint8Array([1, 2, 255]),
  });
  const cosmos = connect(server);
  const container = cosmos.database('TablesDB').container(client.tableName);
  const { resource: { _rid, _self, _etag, _attachments, _ts, ...item } } = await container.item('r1', 'p1').read();
  assert.deepEqual(item, {
    id: 'r1', $id: 'r1', $pk: 'p1',
    name: { $t: 2, $v: 'Bob' }, age: { $t: 16, $v: 5 }, big: { $t: 18, $v: '00009007199254740993' }, ok: { $t: 8, $v: true }, d: { $t: 1, $v: 1.5 },
    $_ts: { $t: 2, $v: 'own' }, g: { $t: 0, $v: 'a455c695-df98-5678-aaaa-81d3367e5a34' }, dt: { $t: 9, $v: '00639029198456780000' }, bin: { $t: 5, $v: '\u0001\u0002\u00ff' },
  });
  assert.match(_etag, /^"00000000-0000-0000-[0-9a-f]{4}-[0-9a-f]{12}"$/);
  assert.ok(etag);
  const { resource: definition } = await container.read();
  assert.match(definition.partitionKey.paths.join(), /^\/["']\$pk["']$/);
  const { resources } = await container.items.query("SELECT VALUE c.name['$v'] FROM c WHERE c['$pk'] = 'p1'").fetchAll();
  assert.deepEqual(resources, ['Bob']);
  cosmos.dispose();
  tables.close();
});

test('throughput is what the request says, or else the default', async () => {
  const tables = new Tables(server.tablePort);
  const cosmos = connect(server);
  const offered = async (table) => (await cosmos.database('TablesDB').container(table).readOffer()).resource.content.offerThroughput;
  assert.equal(await offered((await tables.create(800)).tableName), 800);
  assert.equal(await offered((await tables.create()).tableName), 400);
  const ranges = await cosmos.database('TablesDB').container((await tables.create(50_000)).tableName).readPartitionKeyRanges().fetchAll();
  assert.equal(ranges.resources.length, 5);
  for (const wrong of ['399', '0', '-1', 'many', '401']) {
    const reply = await tables.rest.post('/Tables', { TableName: uniqueTable() }, { headers: { 'x-ms-offer-throughput': wrong } });
    assert.equal(reply.status, 400, `${wrong}: ${reply.text}`);
  }
  const other = await Server.start({ args: ['--table-default-throughput', '700'] });
  try {
    const there = new Tables(other.tablePort);
    const { tableName } = await there.create();
    const client = connect(other);
    assert.equal((await client.database('TablesDB').container(tableName).readOffer()).resource.content.offerThroughput, 700);
    client.dispose();
    there.close();
  } finally {
    await other.close();
  }
  cosmos.dispose();
  tables.close();
});
