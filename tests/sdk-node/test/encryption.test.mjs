// Client-side encryption of @azure/cosmos, with a key store of the test's own: what the server gets is never the plain text.
import assert from 'node:assert/strict';
import {
  BulkOperationType, EncryptionAlgorithm, EncryptionQueryBuilder, EncryptionType, KeyEncryptionAlgorithm, PatchOperationType,
} from '@azure/cosmos';
import { after, before, describe, test } from 'node:test';
import { fails, unique } from '../lib/check.mjs';
import { connect, THROUGHPUT } from '../lib/client.mjs';
import { Server } from '../lib/server.mjs';

const ALGORITHM = EncryptionAlgorithm.AEAD_AES_256_CBC_HMAC_SHA256;

/** Wraps keys by adding a number to each byte, which is no protection and all that a test needs. */
class KeyStore {
  encryptionKeyResolverName = 'TEST_KEY_STORE';

  async wrapKey(place, algorithm, key) { return this.#moved(key, place.length); }

  async unwrapKey(place, algorithm, key) { return this.#moved(key, -place.length); }

  #moved(key, by) { return Buffer.from(key.map((byte) => byte + by)); }
}

const wrapping = (name) => ({
  type: 'TEST_KEY_STORE', name, value: `place of ${name}`, algorithm: KeyEncryptionAlgorithm.RSA_OAEP,
});
const included = (path, clientEncryptionKeyId, encryptionType) =>
  ({ path, clientEncryptionKeyId, encryptionType, encryptionAlgorithm: ALGORITHM });

let server;
let plain;
let encrypting;
let database;

before(async () => {
  server = await Server.start();
  plain = connect(server);
  encrypting = connect(server, { clientEncryptionOptions: { keyEncryptionKeyResolver: new KeyStore() } });
  ({ database } = await encrypting.databases.create({ id: unique('encrypted') }));
  await database.createClientEncryptionKey('key1', ALGORITHM, wrapping('key1'));
  await database.createClientEncryptionKey('key2', ALGORITHM, wrapping('key2'));
});
after(async () => {
  plain?.dispose();
  encrypting?.dispose();
  await server?.close();
});

describe('client encryption keys', () => {
  test('are created once, read and wrapped anew', async () => {
    const id = unique('k');
    const { clientEncryptionKeyProperties: created, statusCode, requestCharge } =
      await database.createClientEncryptionKey(id, ALGORITHM, wrapping(id));
    assert.equal(statusCode, 201);
    assert.ok(requestCharge > 0);
    assert.ok(created.etag);
    assert.deepEqual(created.encryptionKeyWrapMetadata, wrapping(id));
    await fails(database.createClientEncryptionKey(id, ALGORITHM, wrapping('other')), 409);
    const { clientEncryptionKeyProperties: read } = await database.readClientEncryptionKey(id);
    assert.deepEqual(read, created);
    const rewrapped = await database.rewrapClientEncryptionKey(id, wrapping('a new place'));
    assert.equal(rewrapped.statusCode, 200);
    assert.deepEqual(rewrapped.clientEncryptionKeyProperties.encryptionKeyWrapMetadata, wrapping('a new place'));
    assert.notEqual(rewrapped.clientEncryptionKeyProperties.etag, created.etag);
    await fails(database.readClientEncryptionKey('nowhere'), 404);
  });
});

describe('policies', () => {
  const create = (policy, more = {}) => plain.database(database.id).containers.create(
    { id: unique('c'), partitionKey: { paths: ['/pk'] }, clientEncryptionPolicy: policy, ...more });

  test('are returned as they were given', async () => {
    const clientEncryptionPolicy = {
      includedPaths: [included('/a', 'key1', EncryptionType.RANDOMIZED), included('/id', 'key2', EncryptionType.DETERMINISTIC)],
      policyFormatVersion: 2,
    };
    const { resource, container } = await create(clientEncryptionPolicy);
    assert.deepEqual(resource.clientEncryptionPolicy, clientEncryptionPolicy);
    assert.deepEqual((await container.read()).resource.clientEncryptionPolicy, clientEncryptionPolicy);
    const { resource: replaced } = await container.replace({ ...resource, defaultTtl: 60 });
    assert.deepEqual(replaced.clientEncryptionPolicy, clientEncryptionPolicy);
    const { clientEncryptionPolicy: _, ...without } = replaced;
    await fails(container.replace(without), 400,
      { message: /'clientEncryptionPolicy' cannot be changed as part of collection replace operation\./ });
    await container.delete();
  });

  for (const [what, policy, message] of [
    ['a key that does not exist', { includedPaths: [included('/', 'unknownKey', 'Deterministic')], policyFormatVersion: 1 },
      /ClientEncryptionKey with id '\[unknownKey\]' does not exist\./],
    ['the id in version 1', { includedPaths: [included('/id', 'key1', 'Deterministic')], policyFormatVersion: 1 }, /version 2/],
    ['a random key', { includedPaths: [included('/pk', 'key1', 'Randomized')], policyFormatVersion: 2 }, /Deterministic/],
    ['another version', { includedPaths: [included('/a', 'key1', 'Randomized')], policyFormatVersion: 3 }, /1 and 2/],
    ['no paths', { policyFormatVersion: 1 }, /includedPaths/],
  ]) {
    test(`with ${what} are refused`, async () => {
      await fails(create(policy), 400, { message });
    });
  }
});

for (const [partitions, throughput] of Object.entries(THROUGHPUT)) {
  describe(`items on ${partitions} physical partitions`, () => {
    let container;
    let seen;

    before(async () => {
      ({ container } = await database.containers.create({
        id: unique('c'),
        partitionKey: { paths: ['/pk'], version: 2 },
        throughput,
        clientEncryptionPolicy: {
          includedPaths: [
            included('/id', 'key1', EncryptionType.DETERMINISTIC),
            included('/pk', 'key1', EncryptionType.DETERMINISTIC),
            included('/name', 'key2', EncryptionType.DETERMINISTIC),
            included('/secret', 'key2', EncryptionType.RANDOMIZED),
          ],
          policyFormatVersion: 2,
        },
      }));
      await container.initializeEncryption();
      seen = plain.database(database.id).container(container.id);
    });

    const item = (pk) => ({ id: unique('i'), pk, name: 'Ada', secret: { pin: 1234, notes: ['x'] }, open: 1 });
    const shown = ({ id, pk, name, secret, open }) => ({ id, pk, name, secret, open });

    test('are written and read, and the server has no plain text', async () => {
      const body = item('tenant');
      const { resource } = await container.items.create(structuredClone(body));
      assert.deepEqual(shown(resource), body);
      assert.deepEqual(shown((await container.item(body.id, body.pk).read()).resource), body);
      const { resources } = await seen.items.readAll().fetchAll();
      const stored = JSON.stringify(resources);
      for (const text of [body.id, 'tenant', 'Ada', '1234']) {
        assert.ok(!stored.includes(text), `${text} stands in ${stored}`);
      }
      assert.ok(resources.every((each) => each.open === 1));
    });

    test('are found by an encrypted property', async () => {
      const body = { ...item('query'), name: unique('name') };
      await container.items.create(structuredClone(body));
      const query = new EncryptionQueryBuilder('SELECT * FROM c WHERE c.name = @name AND c.open = @open');
      query.addParameter('@name', body.name, '/name');
      query.addUnencryptedParameter('@open', 1, '/open');
      const iterator = await container.items.getEncryptionQueryIterator(query);
      const { resources } = await iterator.fetchAll();
      assert.deepEqual(resources.map(shown), [body]);
    });

    test('are replaced, upserted, patched and deleted', async () => {
      const body = item('changes');
      await container.items.upsert(structuredClone(body));
      const next = { ...body, name: 'Grace' };
      await container.item(body.id, body.pk).replace(structuredClone(next));
      assert.deepEqual(shown((await container.item(body.id, body.pk).read()).resource), next);
      const { resource: patched } = await container.item(body.id, body.pk)
        .patch([{ op: PatchOperationType.replace, path: '/name', value: 'Edsger' }, { op: PatchOperationType.incr, path: '/open', value: 1 }]);
      assert.deepEqual(shown(patched), { ...next, name: 'Edsger', open: 2 });
      await container.item(body.id, body.pk).delete();
      assert.equal((await container.item(body.id, body.pk).read()).statusCode, 404);
    });

    test('go through batches, bulks and the change feed', async () => {
      const bodies = [item('batch'), item('batch')];
      const batch = await container.items.batch(
        bodies.map((resourceBody) => ({ operationType: BulkOperationType.Create, resourceBody: structuredClone(resourceBody) })), 'batch');
      assert.deepEqual(batch.result.map((each) => shown(each.resourceBody)), bodies);
      const bulk = item('bulk');
      const [written] = await container.items.bulk(
        [{ operationType: BulkOperationType.Create, resourceBody: structuredClone(bulk) }]);
      assert.equal(written.statusCode, 201);
      assert.deepEqual(shown(written.resourceBody), bulk);
      const { resources } = await container.items.query('SELECT * FROM c').fetchAll();
      assert.ok(resources.some((each) => each.id === bulk.id));
    });

    test('of a container that was made anew are refused with 1024', async () => {
      const definition = (await seen.read()).resource;
      const { container: first } = await database.containers.create(
        { id: unique('again'), partitionKey: { paths: ['/pk'], version: 2 }, clientEncryptionPolicy: definition.clientEncryptionPolicy });
      await first.initializeEncryption();
      await first.items.create(item('a'));
      const other = plain.database(database.id);
      await other.container(first.id).delete();
      await other.containers.create({
        id: first.id,
        partitionKey: { paths: ['/pk'], version: 2 },
        clientEncryptionPolicy: { includedPaths: [included('/name', 'key1', EncryptionType.DETERMINISTIC)], policyFormatVersion: 1 },
      });
      await assert.rejects(first.items.create(item('a')), /possible mismatch in Client Encryption Policy/);
      const body = item('a');
      await first.items.create(structuredClone(body));
      const { resources } = await other.container(first.id).items.readAll().fetchAll();
      assert.deepEqual(resources.map((each) => each.id), [body.id], 'encrypted by the new policy');
    });
  });
}
