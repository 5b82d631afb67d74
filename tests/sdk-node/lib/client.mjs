// The unmodified JavaScript SDK on a server of the tests.
import { after, before } from 'node:test';
import { CosmosClient } from '@azure/cosmos';
import { KEY, Server } from './server.mjs';

/** A client that trusts the server's CA. */
export function connect(server, options = {}) {
  return new CosmosClient({
    endpoint: server.endpoint,
    key: KEY,
    agent: server.agent,
    ...options,
    connectionPolicy: { enableBackgroundEndpointRefreshing: false, ...options.connectionPolicy },
  });
}

/** A server of a file's own with a client and the database `db`: from its first test to its last. */
export function ownServer(...args) {
  const own = {};
  before(async () => {
    own.server = await Server.start({ args });
    own.client = connect(own.server);
    ({ database: own.database } = await own.client.databases.create({ id: 'db' }));
  });
  after(async () => {
    own.client?.dispose();
    await own.server?.close();
  });
  return own;
}

/** Throughput by the number of physical partitions that it makes. */
export const THROUGHPUT = { 1: 400, 5: 50_000 };
