// Computed properties through @azure/cosmos: defined, replaced, queried with and without an index.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fails, unique } from '../lib/check.mjs';
import { connect } from '../lib/client.mjs';
import { Server } from '../lib/server.mjs';

const T = 1000;
const ITEMS = 60;
const NAME = { name: 'cp_name', query: 'SELECT VALUE LOWER(c.name) FROM c' };
const TENS = { name: 'cp_tens', query: 'SELECT VALUE FLOOR(c.n / 10) FROM c' };
const MONTH = { name: 'cp_month', query: "SELECT VALUE DateTimePart('m', TimestampToDateTime(c._ts*1000)) FROM c" };

let server;
let client;
let database;

before(async () => {
  server = await Server.start({ args: ['--partition-max-throughput', String(T)] });
  client = connect(server);
  ({ database } = await client.databases.create({ id: 'db' }));
});
after(async () => {
  client?.dispose();
  await server?.close();
});

const including = (...paths) => ({ includedPaths: ['/*', ...paths].map((path) => ({ path })) });

async function filled(partitions, more) {
  const { container, resource } = await database.containers.create({
    id: unique('cp'),
    partitionKey: { paths: ['/pk'], version: 2 },
    throughput: partitions * T,
    ...more,
  });
  for (let i = 0; i < ITEMS; i += 1) {
    await container.items.create({ id: `${i}`, pk: `k${i % 20}`, n: i, name: `N${i % 3}`, cp_tens: 'stored' });
  }
  return { container, resource };
}

async function rows(container, query, maxItemCount = 7, parameters = []) {
  const iterator = container.items.query({ query, parameters }, { maxItemCount });
  const all = [];
  while (iterator.hasMoreResults()) {
    all.push(...((await iterator.fetchNext()).resources ?? []));
  }
  return all;
}

const range = (from, to) => Array.from({ length: to - from }, (_, i) => from + i);
const sorted = (numbers) => numbers.toSorted((a, b) => a - b);

for (const partitions of [1, 7]) {
  describe(`computed properties on ${partitions}`, () => {
    let container;
    before(async () => {
      const made = await filled(partitions, { computedProperties: [NAME, TENS, MONTH], indexingPolicy: including('/cp_tens/?', '/cp_name/?') });
      container = made.container;
      assert.deepEqual(made.resource.computedProperties, [NAME, TENS, MONTH]);
    });

    test('are read back', async () => {
      assert.deepEqual((await container.read()).resource.computedProperties, [NAME, TENS, MONTH]);
    });

    test('filter', async () => {
      assert.deepEqual(sorted(await rows(container, 'SELECT VALUE c.n FROM c WHERE c.cp_tens = @tens', 3, [{ name: '@tens', value: 4 }])), range(40, 50));
      assert.deepEqual(await rows(container, "SELECT VALUE c.n FROM c WHERE c.cp_tens = 'stored'"), []);
      assert.equal((await rows(container, 'SELECT VALUE COUNT(1) FROM c WHERE c.cp_month BETWEEN 1 AND 12'))[0], ITEMS);
    });

    test('sort', async () => {
      const tens = range(0, ITEMS).map((n) => Math.floor(n / 10));
      assert.deepEqual(await rows(container, 'SELECT VALUE c.cp_tens FROM c ORDER BY c.cp_tens'), tens);
      assert.deepEqual(await rows(container, 'SELECT VALUE c.cp_tens FROM c ORDER BY c.cp_tens DESC', 1), tens.toReversed());
    });

    test('group and are distinct', async () => {
      const groups = await rows(container, 'SELECT c.cp_name, COUNT(1) AS n, MAX(c.cp_tens) AS most FROM c GROUP BY c.cp_name', 100);
      assert.deepEqual(groups.toSorted((a, b) => a.cp_name.localeCompare(b.cp_name)), ['n0', 'n1', 'n2'].map((name) => ({ cp_name: name, n: 20, most: 5 })));
      assert.deepEqual((await rows(container, 'SELECT DISTINCT VALUE c.cp_name FROM c')).toSorted(), ['n0', 'n1', 'n2']);
    });

    test('are not in whole items', async () => {
      const [item] = await rows(container, 'SELECT * FROM c WHERE c.n = 5');
      assert.equal(item.cp_tens, 'stored');
      assert.ok(!('cp_name' in item));
      assert.equal((await container.item('5', 'k5').read()).resource.cp_tens, 'stored');
    });

    test('are named in the metrics where the index served', async () => {
      const page = await container.items.query('SELECT VALUE c.n FROM c WHERE c.cp_tens = 4', { populateIndexMetrics: true }).fetchNext();
      assert.match(JSON.stringify(page.indexMetrics), /\/cp_tens\/\?/);
    });

    test('have no order without an index', async () => {
      await fails(rows(container, 'SELECT VALUE c.n FROM c ORDER BY c.cp_month'), 400, { message: /order-by item is excluded/ });
    });

    test('change with the container', async () => {
      const { container: other, resource } = await filled(partitions, { computedProperties: [TENS], indexingPolicy: including('/cp_tens/?') });
      const seven = 'SELECT VALUE c.n FROM c WHERE c.cp_tens = 2';
      assert.deepEqual(sorted(await rows(other, seven)), range(20, 30));
      await other.replace({ ...resource, computedProperties: [{ name: 'cp_tens', query: 'SELECT VALUE FLOOR(c.n / 20) FROM c' }, NAME] });
      assert.deepEqual(sorted(await rows(other, seven)), range(40, 60));
      assert.equal((await rows(other, "SELECT VALUE c.n FROM c WHERE c.cp_name = 'n1'")).length, 20);
      await other.replace({ ...resource, computedProperties: undefined });
      assert.deepEqual(await rows(other, seven), []);
      assert.equal((await rows(other, "SELECT VALUE c.n FROM c WHERE c.cp_tens = 'stored'")).length, ITEMS);
      await other.delete();
    });
  });
}

describe('a definition', () => {
  for (const [what, computedProperties, message] of [
    ['of a name that is taken', [NAME, { ...TENS, name: NAME.name }], /cannot be used in multiple definitions/],
    ['of the system', [{ ...NAME, name: '_ts' }], /The system property name '_ts' cannot be used as a computed property name/],
    ['of the partition key', [{ ...NAME, name: 'pk' }], /partition key path/],
    ['without a name', [{ ...NAME, name: '' }], /Computed property 'name' is either empty or unspecified/],
    ['without VALUE', [{ name: 'x', query: 'SELECT LOWER(c.name) FROM c' }], /Required VALUE expression missing/],
    ['that does not parse', [{ name: 'x', query: 'SELECT VALUE LOWER(c.name FROM c' }], /malformed query/],
    ['with a filter', [{ name: 'x', query: 'SELECT VALUE c.n FROM c WHERE c.n > 1' }], /WHERE/],
    ['of chance', [{ name: 'x', query: 'SELECT VALUE RAND() FROM c' }], /not deterministic/],
    ['of another', [NAME, { name: 'x', query: 'SELECT VALUE c.cp_name FROM c' }], /computed property 'cp_name'/],
    ['too many', range(0, 21).map((i) => ({ ...NAME, name: `cp${i}` })), /at most 20/],
  ]) {
    test(`${what} is refused`, async () => {
      await fails(database.containers.create({ id: unique('x'), partitionKey: { paths: ['/pk'], version: 2 }, computedProperties }), 400, { message });
    });
  }
});
