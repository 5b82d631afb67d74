// Throughput buckets, and keys that are replaced while clients work, through @azure/cosmos.
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { unique } from '../lib/check.mjs';
import { connect } from '../lib/client.mjs';
import { distribution, Server } from '../lib/server.mjs';

const run = promisify(execFile);

let data;
let server;
let keys;
let client;
let database;

before(async () => {
  data = fs.mkdtempSync(path.join(os.tmpdir(), 'orrery-node-'));
  keys = JSON.parse(execFileSync(distribution(), ['keys', 'new', '--output', 'json', '--data', data], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  server = await Server.start({ data, throttling: true });
  client = connect(server, { key: keys.secondary });
  ({ database } = await client.databases.create({ id: 'db' }));
});
after(async () => {
  client?.dispose();
  await server?.close();
  fs.rmSync(data, { recursive: true, force: true });
});

/** Runs a command and returns what it printed as JSON. */
async function orrery(...words) {
  const { stdout } = await run(distribution(), [...words, '--output', 'json']);
  return JSON.parse(stdout);
}

const remote = () => ['--endpoint', `http://localhost:${server.port}`, '--key', keys.secondary];

describe('throughput buckets', () => {
  /** Costs about 500 RU: more than the container has in a second, and minutes of a bucket of 1 %. */
  const large = (id) => ({ id, pk: 'a', text: 'x'.repeat(500_000) });
  const impatient = () => connect(server, { key: keys.secondary, connectionPolicy: { retryOptions: { maxRetryAttemptCount: 0 } } });

  async function withBuckets(throughputBuckets) {
    const { container } = await database.containers.create({ id: unique('c'), partitionKey: '/pk', throughput: 400 });
    const { resource } = await container.readOffer();
    assert.equal(resource.content.throughputBuckets, undefined);
    const replaced = await client.offer(resource.id).replace({ ...resource, content: { ...resource.content, throughputBuckets } });
    assert.deepEqual(replaced.resource.content.throughputBuckets, throughputBuckets);
    return container;
  }

  test('hold their requests and nobody else', async () => {
    const container = await withBuckets([{ id: 1, maxThroughputPercentage: 1 }, { id: 2, maxThroughputPercentage: 100 }]);
    await container.items.create(large('1'), { throughputBucket: 1 });
    const other = impatient();
    const same = other.database('db').container(container.id);
    await assert.rejects(same.item('1', 'a').read({ throughputBucket: 1 }), (error) => {
      assert.equal(error.code, 429);
      assert.equal(Number(error.headers['x-ms-substatus']), 3212);
      assert.ok(Number(error.headers['x-ms-retry-after-ms']) > 0);
      return true;
    });
    await assert.rejects(same.items.query('SELECT * FROM c', { partitionKey: 'a', throughputBucket: 1 }).fetchAll(), { code: 429 });
    other.dispose();
    assert.equal((await container.item('1', 'a').read()).statusCode, 200);
    assert.equal((await container.item('1', 'a').read({ throughputBucket: 2 })).statusCode, 200);
    assert.equal((await container.item('1', 'a').read({ throughputBucket: 5 })).statusCode, 200);
  });

  test('have requests that name none, where one is the default', async () => {
    const container = await withBuckets([{ id: 3, maxThroughputPercentage: 1, isDefaultBucket: true }]);
    await container.items.create(large('1'));
    const other = impatient();
    await assert.rejects(other.database('db').container(container.id).item('1', 'a').read(), { code: 429 });
    other.dispose();
    assert.equal((await container.item('1', 'a').read({ throughputBucket: 1 })).statusCode, 200);
  });

  test('stay when the throughput changes, and are shown and taken away by a command', async () => {
    const buckets = [{ id: 1, maxThroughputPercentage: 100 }, { id: 5, maxThroughputPercentage: 20 }];
    const container = await withBuckets(buckets);
    const { resource } = await container.readOffer();
    await client.offer(resource.id).replace({ ...resource, content: { offerThroughput: 500 } });
    assert.deepEqual((await orrery('throughput', 'buckets', 'list', `db/${container.id}`, ...remote())).buckets, buckets);
    assert.deepEqual(
      (await orrery('throughput', 'buckets', 'set', `db/${container.id}`, '--to', '2=50', '--default', '2', ...remote())).buckets,
      [{ id: 2, maxThroughputPercentage: 50, isDefaultBucket: true }]);
    assert.deepEqual((await orrery('throughput', 'buckets', 'clear', `db/${container.id}`, ...remote())).buckets, []);
    assert.equal((await container.readOffer()).resource.content.throughputBuckets, undefined);
  });

  test('beyond the rules are refused', async () => {
    const container = await withBuckets([{ id: 1, maxThroughputPercentage: 1 }]);
    const { resource } = await container.readOffer();
    for (const wrong of [[{ id: 0, maxThroughputPercentage: 1 }], [{ id: 6, maxThroughputPercentage: 1 }],
      [{ id: 1, maxThroughputPercentage: 0 }], [{ id: 1, maxThroughputPercentage: 101 }], [{ id: 1 }],
      [{ id: 1, maxThroughputPercentage: 5 }, { id: 1, maxThroughputPercentage: 6 }],
      [{ id: 1, maxThroughputPercentage: 5, isDefaultBucket: true }, { id: 2, maxThroughputPercentage: 6, isDefaultBucket: true }]]) {
      await assert.rejects(client.offer(resource.id).replace({ ...resource, content: { ...resource.content, throughputBuckets: wrong } }), { code: 400 });
    }
    await assert.rejects(container.item('1', 'a').read({ throughputBucket: 6 }), { code: 400 });
  });
});

describe('a key that is replaced', () => {
  test('shuts nobody out who uses another one', async () => {
    const { container } = await database.containers.create({ id: unique('c'), partitionKey: '/pk', throughput: 10_000 });
    const clients = ['secondary', 'secondary-readonly'].map((kind) => connect(server, { key: keys[kind] }));
    const old = connect(server, { key: keys.primary });
    await container.items.create({ id: '0', pk: 'a' });
    assert.equal((await old.database('db').container(container.id).item('0', 'a').read()).statusCode, 200);

    let isOver = false;
    let requests = 0;
    const work = clients.map(async (each, i) => {
      const mine = each.database('db').container(container.id);
      while (!isOver) {
        if (i === 0) {
          await mine.items.upsert({ id: String(requests), pk: 'a' });
        }
        assert.equal((await mine.item('0', 'a').read()).statusCode, 200);
        requests += 1;
      }
    });
    const kinds = ['primary', 'primary-readonly', 'primary', 'primary-readonly'];
    for (const which of kinds) {
      const before = requests;
      const made = await orrery('keys', 'new', '--rotate', '--which', which, '--data', data);
      assert.deepEqual(Object.keys(made), [which]);
      assert.notEqual(made[which], keys[which]);
      keys = { ...keys, ...made };
      // Everybody has worked since, with the key that stayed.
      while (requests < before + 2) {
        await new Promise((resolve) => { setImmediate(resolve); });
      }
    }
    isOver = true;
    await Promise.all(work);

    await assert.rejects(old.database('db').container(container.id).item('0', 'a').read(), (error) => {
      assert.equal(error.code, 401);
      assert.match(error.message, /If the key was replaced, use the other one/);
      return true;
    });
    const renewed = connect(server, { key: keys.primary });
    const mine = renewed.database('db').container(container.id);
    assert.equal((await mine.item('0', 'a').read()).statusCode, 200);
    assert.deepEqual(await orrery('keys', 'show', '--data', data), keys);
    [...clients, old, renewed].forEach((each) => each.dispose());
  });

  test('leaves continuations as they are', async () => {
    const { container } = await database.containers.create({ id: unique('c'), partitionKey: '/pk', throughput: 10_000 });
    for (const id of ['1', '2', '3']) {
      await container.items.create({ id, pk: 'a' });
    }
    const options = { maxItemCount: 1, partitionKey: 'a' };
    const first = await container.items.query('SELECT * FROM c', options).fetchNext();
    keys = { ...keys, ...(await orrery('keys', 'new', '--rotate', '--data', data)) };
    client.dispose();
    client = connect(server, { key: keys.secondary });
    database = client.database('db');
    const rest = await database.container(container.id).items
      .query('SELECT * FROM c', { ...options, continuationToken: first.continuationToken }).fetchAll();
    assert.deepEqual([...first.resources, ...rest.resources].map((item) => item.id), ['1', '2', '3']);
  });

  test('is replaced while no server runs, too', async () => {
    await server.stop();
    await assert.rejects(run(distribution(), ['keys', 'new', '--rotate', '--which', 'tertiary', '--data', data]), { code: 2 });
    const made = await orrery('keys', 'new', '--rotate', '--which', 'secondary', '--data', data);
    assert.deepEqual(Object.keys(made), ['secondary']);
    const old = keys.secondary;
    keys = { ...keys, ...made };
    await server.start();
    client.dispose();
    client = connect(server, { key: keys.secondary });
    await client.databases.readAll().fetchAll();
    const shutOut = connect(server, { key: old });
    await assert.rejects(shutOut.databases.readAll().fetchAll(), { code: 401 });
    shutOut.dispose();
    const audit = fs.readFileSync(path.join(data, 'audit', 'management.0.jsonl'), 'utf8').trim().split('\n').map((line) => JSON.parse(line));
    assert.ok(audit.some((line) => line.client === 'this machine' && line.operation === 'POST keys'));
  });
});
