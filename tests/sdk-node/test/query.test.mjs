// Every kind of query through @azure/cosmos: as it sends them by itself, and by the plan that it can ask for.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertStatus, fails, unique } from '../lib/check.mjs';
import { connect } from '../lib/client.mjs';
import { Rest } from '../lib/rest.mjs';
import { Server } from '../lib/server.mjs';

/** Request units a second that one partition delivers. */
const T = 1000;
const ITEMS = 60;

let server;
let client;
let rest;
let database;
const containers = {};

before(async () => {
  server = await Server.start({ args: ['--partition-max-throughput', String(T)] });
  client = connect(server);
  rest = new Rest(server);
  ({ database } = await client.databases.create({ id: 'db' }));
  containers.one = await filled(1);
  containers.seven = await filled(7);
});
after(async () => {
  client?.dispose();
  await server?.close();
});

/** Numbers are all different; every seventh has no group. */
const item = (i) => ({
  id: `i${i}`, pk: `k${i % 12}`, n: (i * 37) % 101, deep: { half: Math.floor(i / 2) }, tags: [`t${i % 3}`, i],
  ...(i % 7 === 0 ? {} : { team: `g${i % 4}` }),
});
const items = Array.from({ length: ITEMS }, (_, i) => item(i));
const byNumber = items.toSorted((a, b) => a.n - b.n);
const grouped = items.filter((each) => each.team !== undefined);

async function filled(partitions) {
  const { container } = await database.containers.create({
    id: unique('q'),
    partitionKey: { paths: ['/pk'], version: 2 },
    throughput: partitions * T,
    indexingPolicy: {
      includedPaths: [{ path: '/*' }],
      compositeIndexes: [[{ path: '/team', order: 'ascending' }, { path: '/n', order: 'descending' }]],
    },
  });
  for (const each of items) {
    await container.items.create(each);
  }
  return container;
}

const sum = (values) => values.reduce((a, b) => a + b, 0);

/** `fixed`: the rows come as listed. `whole`: no page of it stands alone. */
const CASES = [
  { query: 'SELECT * FROM c WHERE c.n > 50', rows: items.filter((each) => each.n > 50) },
  { query: 'SELECT VALUE t FROM c JOIN t IN c.tags WHERE c.deep.half = 3', rows: ['t0', 6, 't1', 7] },
  { query: 'SELECT VALUE c.n FROM c ORDER BY c.n', fixed: true, rows: byNumber.map((each) => each.n) },
  { query: 'SELECT c.n, c.id FROM c ORDER BY c.n DESC', fixed: true, rows: byNumber.toReversed().map(({ n, id }) => ({ n, id })) },
  { query: 'SELECT VALUE c.team FROM c ORDER BY c.team', fixed: true, rows: grouped.map((each) => each.team).toSorted() },
  {
    query: 'SELECT VALUE [c.team, c.n] FROM c WHERE IS_DEFINED(c.team) ORDER BY c.team ASC, c.n DESC',
    fixed: true,
    rows: grouped.toSorted((a, b) => (a.team === b.team ? b.n - a.n : a.team < b.team ? -1 : 1)).map((each) => [each.team, each.n]),
  },
  { query: 'SELECT TOP 7 VALUE c.n FROM c ORDER BY c.n', fixed: true, rows: byNumber.slice(0, 7).map((each) => each.n) },
  { query: 'SELECT VALUE c.n FROM c ORDER BY c.n OFFSET 5 LIMIT 9', fixed: true, rows: byNumber.slice(5, 14).map((each) => each.n) },
  { query: 'SELECT DISTINCT VALUE c.team FROM c ORDER BY c.team', fixed: true, rows: ['g0', 'g1', 'g2', 'g3'] },
  { query: 'SELECT DISTINCT c.team FROM c', whole: true, rows: [{ team: 'g0' }, { team: 'g1' }, { team: 'g2' }, { team: 'g3' }, {}] },
  { query: 'SELECT DISTINCT * FROM c', whole: true, rows: items },
  { query: 'SELECT DISTINCT VALUE c FROM c WHERE c.n > 50', whole: true, rows: items.filter((each) => each.n > 50) },
  { query: 'SELECT VALUE COUNT(1) FROM c', whole: true, rows: [60] },
  { query: 'SELECT VALUE SUM(c.n) FROM c', whole: true, rows: [sum(items.map((each) => each.n))] },
  { query: 'SELECT VALUE AVG(c.deep.half) FROM c', whole: true, rows: [14.5] },
  { query: 'SELECT VALUE MAX(c.team) FROM c', whole: true, rows: ['g3'] },
  { query: 'SELECT COUNT(c.team) AS groups, MAX(c.deep.half) AS half FROM c', whole: true, rows: [{ groups: grouped.length, half: 29 }] },
  {
    query: "SELECT c.team, COUNT(1) AS n FROM c WHERE c.team != 'g0' GROUP BY c.team",
    whole: true,
    rows: ['g1', 'g2', 'g3'].map((group) => ({ team: group, n: grouped.filter((each) => each.team === group).length })),
  },
  { query: "SELECT VALUE c.id FROM c WHERE c.pk = 'k5' ORDER BY c.id", fixed: true, rows: ['i17', 'i29', 'i41', 'i5', 'i53'] },
  { query: "SELECT VALUE c.id FROM c WHERE c.pk IN ('k1', 'k2') AND c.n > @low", rows: items.filter((each) => /^k[12]$/.test(each.pk) && each.n > 40).map((each) => each.id) },
  { query: 'SELECT VALUE MAKELIST(c.n) FROM c WHERE c.deep.half = 4', whole: true, rows: [items.filter((each) => each.deep.half === 4).map((each) => each.n)] },
];

const spec = (query) => ({ query, parameters: [{ name: '@low', value: 40 }] });

const own = (row) => {
  if (row === null || typeof row !== 'object' || Array.isArray(row)) {
    return row;
  }
  const { _rid, _self, _etag, _ts, _attachments, ...rest } = row;
  return rest;
};

const sorted = (rows) => rows.map((row) => JSON.stringify(row, Array.isArray(row) ? undefined : Object.keys(row ?? {}).toSorted())).toSorted();

function check({ rows, fixed, whole }, actual) {
  const mine = actual.map(own);
  if (fixed) {
    assert.deepEqual(mine, rows);
  } else if (whole && Array.isArray(rows[0])) {
    assert.deepEqual(mine[0].toSorted(), rows[0].toSorted());
  } else {
    assert.deepEqual(sorted(mine), sorted(rows));
  }
}

for (const name of ['one', 'seven']) {
  describe(`queries on ${name}`, () => {
    for (const each of CASES) {
      test(each.query, async () => {
        const container = containers[name];
        for (const maxItemCount of [1, 100]) {
          for (const forceQueryPlan of [false, true]) {
            check(each, (await container.items.query(spec(each.query), { maxItemCount, forceQueryPlan }).fetchAll()).resources);
          }
        }
      });

      test(`${each.query} of one key`, async () => {
        const { resources } = await containers[name].items.query(spec(each.query), { partitionKey: 'k5' }).fetchAll();
        assert.ok(resources.length <= 10);
      });

      // To go on behind values of several paths, the SDK asks for those where each path is behind, which are too few. And it
      // gives distinct values again that several ranges have. Sorted rows of the same items come as they should.
      const isGoodFromTokens = !/ASC, /.test(each.query) && !(name === 'seven' && /DISTINCT/.test(each.query));
      if (!each.whole && isGoodFromTokens) {
        test(`${each.query} from the token of any page`, async () => {
          const rows = [];
          let continuationToken;
          let pages = 0;
          let iterator;
          do {
            // Where the SDK merges, it makes tokens of its own, if it is told to.
            iterator = containers[name].items.query(spec(each.query), { maxItemCount: 7, continuationToken, enableQueryControl: each.fixed === true });
            let page;
            do {
              page = await iterator.fetchNext();
              pages += 1;
              assert.ok(pages < 100);
              // Tokens of the SDK are not good behind an empty page.
            } while (each.fixed && (page.resources ?? []).length === 0 && iterator.hasMoreResults());
            rows.push(...(page.resources ?? []));
            ({ continuationToken } = page);
          } while (iterator.hasMoreResults());
          check(each, rows);
        });
      }
    }
  });
}

describe('what users of the SDK see of its merging', () => {
  test('is a token of the gateway that they can parse', async () => {
    const { continuationToken } = await containers.seven.items.query('SELECT * FROM c', { maxItemCount: 7 }).fetchNext();
    const { token, range } = JSON.parse(continuationToken);
    assert.equal(typeof token, 'string');
    assert.equal(typeof range.min, 'string');
    assert.equal(typeof range.max, 'string');
  });

  test('is an error where no plan can say what is asked for', async () => {
    const { message } = await fails(containers.seven.items.query('SELECT VALUE SUM(c.n) / COUNT(1) FROM c').fetchAll(), 400);
    assert.match(message, /Compositions of aggregates/);
  });

  test('is that the ranges of a container are asked for', async () => {
    const asked = [];
    const watching = connect(server, {
      plugins: [{
        on: 'request',
        plugin: (context, diagnostics, next) => {
          if (context.headers['x-ms-documentdb-partitionkeyrangeid'] !== undefined) {
            asked.push(context.headers['x-ms-documentdb-partitionkeyrangeid']);
          }
          return next(context);
        },
      }],
    });
    const { id } = containers.seven;
    const { resources } = await watching.database('db').container(id).items.query('SELECT VALUE MAX(c.nothing) FROM c').fetchAll();
    watching.dispose();
    assert.deepEqual(resources, []);
    assert.equal(new Set(asked).size, 7);
  });
});

// The index has 256 bytes of a string, and a token not much more: 86 Chinese characters, or some hundred letters.
describe('strings that begin alike', () => {
  const text = (i) => `${i % 2 === 0 ? '漢'.repeat(90) : 'l'.repeat(1200)}${((i * 37) % 101) + 100}`;
  const rising = Array.from({ length: 40 }, (_, i) => i).toSorted((a, b) => (text(a) < text(b) ? -1 : 1));

  for (const partitions of [1, 5]) {
    test(`are sorted by all they have, on ${partitions}`, async () => {
      const { container } = await database.containers.create({
        id: unique('long'),
        partitionKey: { paths: ['/pk'], version: 2 },
        throughput: partitions * T,
        indexingPolicy: {
          includedPaths: [{ path: '/*' }],
          compositeIndexes: [[{ path: '/a', order: 'ascending' }, { path: '/n', order: 'descending' }]],
        },
      });
      for (const i of rising.keys()) {
        await container.items.create({ id: `i${i}`, pk: `k${i % 12}`, n: i, a: text(i) });
      }
      for (const [order, rows] of [
        ['c.a', rising], ['c.a DESC', rising.toReversed()],
        ['c.a ASC, c.n DESC', rising], ['c.a DESC, c.n ASC', rising.toReversed()],
      ]) {
        const query = `SELECT VALUE c.n FROM c ORDER BY ${order}`;
        for (const forceQueryPlan of [false, true]) {
          const { resources } = await container.items.query(query, { maxItemCount: 3, forceQueryPlan }).fetchAll();
          assert.deepEqual(resources, rows, query);
        }
        const top = await container.items.query(`SELECT TOP 7 VALUE c.n FROM c ORDER BY ${order}`, { maxItemCount: 3 }).fetchAll();
        assert.deepEqual(top.resources, rows.slice(0, 7), query);
        // These clients do not merge by themselves.
        const resumed = [];
        let continuation;
        do {
          const page = assertStatus(await rest.query(`/dbs/db/colls/${container.id}/docs`, query, {
            headers: { 'x-ms-documentdb-query-enablecrosspartition': 'true', 'x-ms-max-item-count': '3', ...(continuation ? { 'x-ms-continuation': continuation } : {}) },
          }), 200);
          resumed.push(...page.json.Documents);
          continuation = page.headers['x-ms-continuation'];
          assert.ok(resumed.length <= rows.length);
        } while (continuation);
        assert.deepEqual(resumed, rows, `from tokens: ${query}`);
      }
    });
  }
});

describe('metrics', () => {
  test('are read by the SDK', async () => {
    const pages = containers.one.items.query('SELECT * FROM c WHERE c.n > 50', { populateQueryMetrics: true, populateIndexMetrics: true });
    let retrieved = 0;
    let returned = 0;
    // One page, unless the server takes seconds for it.
    do {
      const page = await pages.fetchNext();
      const metrics = page.headers['x-ms-documentdb-query-metrics']['0'];
      assert.equal(metrics.indexHitRatio, 1);
      assert.ok(metrics.totalQueryExecutionTime.totalMilliseconds() > 0);
      assert.match(JSON.stringify(page.indexMetrics), /\/n\/\?/);
      retrieved += metrics.retrievedDocumentCount;
      returned += metrics.outputDocumentCount;
    } while (pages.hasMoreResults());
    const matching = items.filter((each) => each.n > 50).length;
    assert.equal(retrieved, matching);
    assert.equal(returned, matching);
  });
});

// A page looks at 2,000 items if it calls a function of a user; the other ranges have their answers at once.
test('a range that takes several pages of work is waited for', async () => {
  const { container } = await database.containers.create({ id: unique('long'), partitionKey: { paths: ['/pk'], version: 2 }, throughput: 3 * T });
  await container.scripts.userDefinedFunctions.create({ id: 'isOdd', body: 'function (n) { return n % 2 === 1; }' });
  const numbers = Array.from({ length: 5000 }, (_, n) => n);
  const created = await container.items.executeBulkOperations(numbers.map((n) => {
    const pk = n < 4500 ? 'hot' : `k${n}`;
    return { operationType: 'Create', partitionKey: pk, resourceBody: { id: `i${n}`, pk, n, g: n % 3 } };
  }));
  assert.ok(created.every((each) => each.response?.statusCode === 201));
  const ask = async (text, options) => (await container.items.query(text, options).fetchAll()).resources;
  assert.deepEqual(await ask('SELECT VALUE COUNT(1) FROM c WHERE udf.isOdd(c.n)'), [2500]);
  assert.deepEqual(await ask('SELECT VALUE AVG(c.n) FROM c WHERE udf.isOdd(c.n)'), [2500]);
  assert.deepEqual(await ask('SELECT COUNT(1) AS n, MAX(c.n) AS most FROM c WHERE udf.isOdd(c.n)'), [{ n: 2500, most: 4999 }]);
  assert.deepEqual(await ask('SELECT VALUE COUNT(1) FROM c WHERE udf.isOdd(c.n)', { partitionKey: 'hot' }), [2250]);
  const groups = await ask('SELECT c.g, COUNT(1) AS n FROM c WHERE udf.isOdd(c.n) GROUP BY c.g');
  assert.deepEqual(groups.toSorted((a, b) => a.g - b.g), [{ g: 0, n: 833 }, { g: 1, n: 834 }, { g: 2, n: 833 }]);
});

// The SDK takes a round of pages without a group for the end: it would give what it has, and ask for ever.
describe('groups of ranges that have none', () => {
  const counts = 'SELECT c.g, COUNT(1) AS n FROM c WHERE udf.isOdd(c.n) GROUP BY c.g';
  const byGroup = (rows) => rows.map(({ g, n }) => `${g.slice(0, 1)}${n}`).toSorted();
  let container;

  // One key holds all items in two pages of work; only the first and the last items match.
  before(async () => {
    ({ container } = await database.containers.create({
      id: unique('gaps'), partitionKey: { paths: ['/pk'], version: 2 }, throughput: 5 * T,
    }));
    await container.scripts.userDefinedFunctions.create({ id: 'isOdd', body: 'function (n) { return n % 2 === 1; }' });
    const write = async (from, to, document) => {
      const operations = Array.from({ length: to - from }, (_, i) => from + i).map((i) => {
        const resourceBody = { id: `i${i}`, pk: 'hot', ...document(i) };
        return { operationType: 'Create', partitionKey: resourceBody.pk, resourceBody };
      });
      const created = await container.items.executeBulkOperations(operations);
      assert.ok(created.every((each) => each.response?.statusCode === 201));
    };
    await write(0, 1, () => ({ n: 1, g: 'a'.repeat(700) }));
    await write(1, 4200, () => ({ n: 0, g: 'none' }));
    // Another range has its one item, and the other three have nothing.
    await write(4200, 4201, () => ({ pk: 'other', n: 1, g: 'b' }));
  });

  for (const maxDegreeOfParallelism of [undefined, 1, 2]) {
    test(`asked ${maxDegreeOfParallelism ?? 'all'} at a time`, async () => {
      const { resources } = await container.items.query(counts, { maxDegreeOfParallelism }).fetchAll();
      assert.deepEqual(byGroup(resources), ['a1', 'b1']);
      const values = await container.items.query(
        'SELECT VALUE c.g FROM c WHERE udf.isOdd(c.n) GROUP BY c.g', { maxDegreeOfParallelism },
      ).fetchAll();
      assert.deepEqual(values.resources.toSorted(), ['a'.repeat(700), 'b']);
    });
  }

  test('are an empty answer where all have none', async () => {
    const { resources } = await container.items.query("SELECT c.g, COUNT(1) AS n FROM c WHERE c.g = 'x' GROUP BY c.g").fetchAll();
    assert.deepEqual(resources, []);
  });
});

describe('refusals', () => {
  test('say which numbers JSON cannot write', async () => {
    const error = await containers.seven.items.query('SELECT VALUE c.n / 0 FROM c WHERE c.n > 0').fetchAll().then(() => assert.fail('it has an answer'), (failed) => failed);
    assert.equal(error.code, 400);
    assert.equal(Number(error.substatus), 4001);
  });

  test('carry the code and the place', async () => {
    await fails(containers.seven.items.query('SELECT BADFUNC(c.x) FROM c').fetchAll(), 400, { message: /SC2005.*BADFUNC/s });
    await fails(containers.seven.items.query('selectttt * FROM c').fetchAll(), 400, { message: /SC1001/ });
  });

  test('name what is not there', async () => {
    await fails(containers.seven.items.query("SELECT * FROM c WHERE FULLTEXTCONTAINS(c.x, 'a')").fetchAll(), 400, { message: /full.?text/i });
  });

  test('of orders without an index are the service\'s', async () => {
    await fails(containers.seven.items.query('SELECT * FROM c ORDER BY c.n, c.team').fetchAll(), 400, { message: /composite index/ });
  });
});
