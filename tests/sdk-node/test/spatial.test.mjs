// Containers with spatial indexes through @azure/cosmos: on the globe and on a plane.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fails, unique } from '../lib/check.mjs';
import { connect } from '../lib/client.mjs';
import { Server } from '../lib/server.mjs';

const T = 1000;
const TYPES = ['Point', 'LineString', 'Polygon', 'MultiPolygon'];
const SPATIAL = /\/at\/\? \(spatial\)/;

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

const point = (x, y) => ({ type: 'Point', coordinates: [x, y] });
const box = (x1, y1, x2, y2) => ({ type: 'Polygon', coordinates: [[[x1, y1], [x2, y1], [x2, y2], [x1, y2], [x1, y1]]] });

async function filled(partitions, more) {
  const { container, resource } = await database.containers.create({
    id: unique('s'),
    partitionKey: { paths: ['/pk'], version: 2 },
    throughput: partitions * T,
    ...more,
  });
  for (let i = 0; i < 100; i += 1) {
    await container.items.create({ id: `${i}`, pk: `k${i % 20}`, n: i, at: point(i / 10, 0), area: box(i, 1, i + 1, 2) });
  }
  return { container, resource };
}

async function numbers(container, query, value) {
  const spec = { query, parameters: [{ name: '@place', value }] };
  const iterator = container.items.query(spec, { maxItemCount: 3, populateIndexMetrics: true });
  const rows = [];
  while (iterator.hasMoreResults()) {
    const page = await iterator.fetchNext();
    rows.push(...(page.resources ?? []));
  }
  return rows.toSorted((a, b) => a - b);
}

for (const partitions of [1, 7]) {
  describe(`a spatial index on ${partitions}`, () => {
    let container;
    before(async () => {
      const made = await filled(partitions, {
        indexingPolicy: { includedPaths: [{ path: '/*' }], spatialIndexes: [{ path: '/at/*', types: ['Point'] }, { path: '/area/?', types: TYPES }] },
      });
      container = made.container;
      assert.deepEqual(made.resource.indexingPolicy.spatialIndexes, [{ path: '/at/*', types: ['Point'] }, { path: '/area/?', types: TYPES }]);
    });

    test('finds what is near', async () => {
      const rows = await numbers(container, 'SELECT VALUE c.n FROM c WHERE ST_DISTANCE(c.at, @place) < 25000', point(5, 0));
      assert.deepEqual(rows, [48, 49, 50, 51, 52]);
    });

    test('finds what is within', async () => {
      const rows = await numbers(container, 'SELECT VALUE c.n FROM c WHERE ST_WITHIN(c.at, @place)', box(0.95, -1, 1.25, 1));
      assert.deepEqual(rows, [10, 11, 12]);
    });

    test('finds what meets, together with other conditions', async () => {
      const rows = await numbers(container, "SELECT VALUE c.n FROM c WHERE ST_INTERSECTS(c.area, @place) AND c.pk != 'k1'", box(20.5, 1.5, 22.5, 1.6));
      assert.deepEqual(rows, [20, 22]);
    });

    test('is named in the metrics', async () => {
      const page = await container.items.query({
        query: 'SELECT VALUE c.n FROM c WHERE ST_DISTANCE(c.at, @place) < 25000',
        parameters: [{ name: '@place', value: point(5, 0) }],
      }, { populateIndexMetrics: true }).fetchNext();
      assert.match(JSON.stringify(page.indexMetrics), SPATIAL);
    });
  });
}

describe('on a plane', () => {
  test('an index has a box', async () => {
    const spatialIndexes = [{ path: '/at/*', types: TYPES, boundingBox: { xmin: 0, ymin: -5, xmax: 5, ymax: 5.5 } }];
    const { container, resource } = await filled(1, { geospatialConfig: { type: 'Geometry' }, indexingPolicy: { includedPaths: [{ path: '/*' }], spatialIndexes } });
    assert.deepEqual(resource.indexingPolicy.spatialIndexes, spatialIndexes);
    // Some of them lie outside of the box.
    const rows = await numbers(container, 'SELECT VALUE c.n FROM c WHERE ST_DISTANCE(c.at, @place) <= 0.25', point(5, 0));
    assert.deepEqual(rows, [48, 49, 50, 51, 52]);
  });

  test('and needs it', async () => {
    const indexingPolicy = { includedPaths: [{ path: '/*' }], spatialIndexes: [{ path: '/at/*', types: TYPES }] };
    await fails(database.containers.create({ id: unique('s'), partitionKey: '/pk', geospatialConfig: { type: 'Geometry' }, indexingPolicy }), 400, { message: /boundingBox/ });
  });
});
