// Graphs with the unmodified Gremlin drivers.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import http from 'node:http';
import { after, before, describe, test } from 'node:test';
import gremlin from 'gremlin';
import old from 'gremlin-3.4';
import { connect, THROUGHPUT } from '../lib/client.mjs';
import { attributesOf, connectGraph, DRIVERS, failsWith } from '../lib/gremlin.mjs';
import { distribution, KEY, Server } from '../lib/server.mjs';

const PK = { paths: ['/country'], kind: 'Hash', version: 2 };

describe('a Gremlin client', () => {
  let server;
  let sql;
  let database;
  before(async () => {
    server = await Server.start();
    sql = connect(server);
    ({ database } = await sql.databases.create({ id: 'shop' }));
  });
  after(async () => {
    sql?.dispose();
    await server?.close();
  });

  let graphs = 0;
  async function newGraph(partitions = 1) {
    const id = `g${graphs++}`;
    await database.containers.create({ id, partitionKey: PK, throughput: THROUGHPUT[partitions] });
    return `/dbs/shop/colls/${id}`;
  }

  for (const { name, driver, mimeType } of DRIVERS) {
    for (const partitions of [1, 5]) {
      describe(`${name}, on ${partitions} partitions`, () => {
        let graph;
        let client;
        before(async () => {
          graph = await newGraph(partitions);
          client = connectGraph(server, graph, { driver, mimeType });
          await client.open();
        });
        after(() => client?.close());

        test('writes and reads a graph', async () => {
          for (const [id, country] of [['Seattle', 'USA'], ['Portland', 'USA'], ['Paris', 'France']]) {
            const added = await client.submit(
              "g.addV('city').property('id', id).property('country', country).property('people', 5)", { id, country });
            assert.equal(added.length, 1);
            assert.equal(added.first().id, id);
            assert.equal(added.first().label, 'city');
          }
          await client.submit("g.V(['USA','Seattle']).addE('road').to(g.V(['USA','Portland'])).property('id','I5')");
          await client.submit("g.V(['USA','Seattle']).addE('flight').to(g.V(['France','Paris'])).property('id','AF1')");
          assert.equal((await client.submit("g.V(['USA','Seattle'])")).first().id, 'Seattle');
          assert.equal((await client.submit("g.E(['USA','I5'])")).first().label, 'road');
          assert.deepEqual((await client.submit("g.V(['USA','Seattle']).out('road').values('id')")).toArray(), ['Portland']);
          assert.deepEqual((await client.submit("g.V(['USA','Seattle']).out().id()")).toArray().sort(), ['Paris', 'Portland']);
          assert.deepEqual((await client.submit("g.V(['France','Paris']).in().id()")).toArray(), ['Seattle']);
          assert.equal((await client.submit('g.V().count()')).first(), 3);
          assert.equal((await client.submit("g.V().has('people', 5).count()")).first(), 3);
        });

        test('tells charge and activity in the attributes', async () => {
          const attributes = attributesOf(await client.submit("g.V(['USA','Seattle'])"));
          assert.equal(attributes['x-ms-status-code'], 200);
          assert.ok(attributes['x-ms-total-request-charge'] > 0);
          assert.ok(attributes['x-ms-total-server-time-ms'] > 0);
          assert.match(attributes['x-ms-activity-id'], /^[0-9a-f-]{36}$/);
        });

        test('gets many results in their batches', async () => {
          const result = await client.submit('g.inject(0).repeat(union(identity(), identity())).times(8)');
          assert.equal(result.length, 256);
        });

        test('hears of each failure by its codes', async () => {
          const failed = await failsWith(597, 1000, client.submit('g.V().foo()'));
          assert.match(failed.message, /GraphCompileException/);
          await failsWith(500, 409, client.submit("g.addV('city').property('id','Seattle').property('country','USA')"));
          await failsWith(499, 1004, client.submit(`g.inject('${'x'.repeat(65_536)}')`));
          assert.equal((await client.submit('g.inject(1)')).first(), 1);
        });
      });
    }
  }

  test('sees what the SQL API writes, and SQL what it writes', async () => {
    const graph = await newGraph();
    const client = connectGraph(server, graph);
    const container = database.container(graph.split('/').at(-1));
    await client.submit("g.addV('city').property('id','Oslo').property('country','Norway').property('people', 7)");
    const { resource } = await container.item('Oslo', 'Norway').read();
    assert.equal(resource.label, 'city');
    assert.equal(resource.people[0]._value, 7);
    await container.items.create({ id: 'Bergen', label: 'city', country: 'Norway', people: [{ id: 'x', _value: 3 }] });
    assert.deepEqual((await client.submit("g.V(['Norway','Bergen']).values('people')")).toArray(), [3]);
    await client.close();
  });

  test('has the results of GraphSON 2 in the form of the service', async () => {
    const graph = await newGraph();
    const client = connectGraph(server, graph);
    const added = (await client.submit(
      "g.addV('person').property('id','mina').property('country','N').property('age', 42)")).first();
    const valueId = added.properties.age[0].id;
    assert.match(valueId, /^[0-9a-f-]{36}$/);
    assert.deepEqual(added, {
      id: 'mina', label: 'person', type: 'vertex',
      properties: { country: [{ id: 'mina|country', value: 'N' }], age: [{ id: valueId, value: 42 }] },
    });
    await client.submit("g.addV('person').property('id','theo').property('country','S')");
    await client.submit("g.V(['N','mina']).addE('calls').property('id','e17').property('via','radio').to(g.V(['S','theo']))");
    assert.deepEqual((await client.submit("g.E(['N','e17'])")).first(), {
      id: 'e17', label: 'calls', type: 'edge', inVLabel: 'person', outVLabel: 'person', inV: 'theo', outV: 'mina',
      properties: { via: 'radio' },
    });
    assert.deepEqual((await client.submit("g.V(['N','mina']).valueMap()")).first(), { country: ['N'], age: [42] });
    assert.deepEqual((await client.submit("g.V(['N','mina']).out().path().by('id')")).first(), {
      labels: [[], []], objects: ['mina', 'theo'],
    });
    await client.close();
  });

  test('is refused with a wrong key, and told which graph is missing', async () => {
    const graph = await newGraph();
    const wrong = connectGraph(server, graph, { key: Buffer.from('wrong wrong wrong').toString('base64') });
    await assert.rejects(wrong.submit('g.V()'), (error) => error.statusCode === 401
      && error.message.includes('Unauthorized: Invalid credentials provided'));
    const missing = connectGraph(server, '/dbs/shop/colls/nowhere');
    await failsWith(500, 404, missing.submit('g.V()'));
    await missing.close();
  });

  test('may read and not write with a read-only key', async () => {
    const graph = await newGraph();
    const told = execFileSync(distribution(), ['keys', 'show', '--data', server.data, '--output', 'json'], { encoding: 'utf8' });
    const reader = connectGraph(server, graph, { key: JSON.parse(told)['primary-readonly'] });
    assert.equal((await reader.submit('g.V().count()')).first(), 0);
    await failsWith(403, 403, reader.submit("g.addV('city').property('country','USA')"));
    await reader.close();
  });

  test('walks over the graph of the samples', async () => {
    execFileSync(distribution(), ['sample', 'flights', '--endpoint', server.endpoint, '--insecure'], { stdio: 'pipe' });
    const client = connectGraph(server, '/dbs/flights/colls/routes');
    assert.equal((await client.submit("g.V(['USA','Seattle']).values('code')")).first(), 'SEA');
    assert.deepEqual((await client.submit("g.E(['USA','I5']).inV().id()")).toArray(), ['Los Angeles']);
    assert.equal((await client.submit('g.V().count()')).first(), 15);
    const flights = (await client.submit("g.E().hasLabel('route').values('flights').sum()")).first();
    assert.equal(flights, 1000);
    await client.close();
  });

  test('is let in over TLS on the same port', async () => {
    const graph = await newGraph();
    const client = connectGraph(server, graph, { url: `wss://localhost:${server.gremlinPort}/gremlin` });
    assert.equal((await client.submit('g.inject(1)')).first(), 1);
    await client.close();
  });

  test('runs many requests at once over one connection', async () => {
    const graph = await newGraph();
    for (const driver of [old, gremlin]) {
      const client = connectGraph(server, graph, { driver });
      const all = await Promise.all(Array.from({ length: 20 }, (_, n) => client.submit(`g.inject(${n})`)));
      assert.deepEqual(all.map((result) => result.first()), Array.from({ length: 20 }, (_, n) => n));
      await client.close();
    }
  });

  test('sends compiled traversals', async () => {
    const graph = await newGraph(5);
    for (const { driver, mimeType } of [{ driver: old }, { driver: gremlin }]) {
      const { AnonymousTraversalSource: { traversal } } = driver.process;
      const connection = new driver.driver.DriverRemoteConnection(server.gremlinEndpoint, {
        authenticator: new driver.driver.auth.PlainTextSaslAuthenticator(graph, KEY), traversalsource: 'g', mimeType,
      });
      const g = traversal().withRemote(connection);
      const { t, P } = driver.process;
      const id = driver === old ? 'old' : 'new';
      await g.addV('city').property(t.id, id).property('country', 'USA').property('people', 4).next();
      assert.equal((await g.V().has('country', 'USA').has('people', P.gt(3)).hasId(id).next()).value.id, id);
      const values = await g.inject(1, 1, 1).toList();
      assert.deepEqual(values, [1, 1, 1]);
      await connection.close();
    }
  });

  test('gets a sentence when it asks the port with a browser', async () => {
    const answer = await fetch(`http://localhost:${server.gremlinPort}/`);
    assert.equal(answer.status, 426);
    assert.match(await answer.text(), /speaks WebSocket/);
  });

  test('is not let in from a page of another site', async () => {
    const status = await new Promise((resolve, reject) => {
      http.get({
        port: server.gremlinPort, host: 'localhost', headers: {
          Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': 13, Origin: 'https://evil.example',
          'Sec-WebSocket-Key': Buffer.alloc(16).toString('base64'),
        },
      }, (response) => resolve(response.statusCode)).on('error', reject);
    });
    assert.equal(status, 403);
  });
});

test('a graph without throughput left throttles with the time to come back', async () => {
  const server = await Server.start({ throttling: true });
  const sql = connect(server);
  try {
    const { database } = await sql.databases.create({ id: 'db' });
    await database.containers.create({ id: 'g', partitionKey: PK, throughput: 400 });
    const client = connectGraph(server, '/dbs/db/colls/g');
    let throttled;
    for (let n = 0; n < 2000 && !throttled; n++) {
      const wave = Array.from({ length: 20 }, (_, i) => client.submit(
        "g.addV('x').property('country','USA').property('id', id).property('text', text)",
        { id: `v${n}-${i}`, text: 'x'.repeat(2000) }));
      const done = await Promise.allSettled(wave);
      throttled = done.find(({ status }) => status === 'rejected')?.reason;
    }
    assert.equal(throttled.statusCode, 500);
    const attributes = attributesOf(throttled);
    assert.equal(attributes['x-ms-status-code'], 429);
    assert.match(attributes['x-ms-retry-after-ms'], /^\d{2}:\d{2}:\d{2}\.\d{7}$/);
    assert.match(throttled.message, /RequestRateTooLargeException/);
    await client.close();
  } finally {
    sql.dispose();
    await server.close();
  }
});
