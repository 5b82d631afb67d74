// The unmodified JavaScript SDK on a server of the tests.
import { CosmosClient } from '@azure/cosmos';
import { KEY } from './server.mjs';

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

/** Throughput by the number of physical partitions that it makes. */
export const THROUGHPUT = { 1: 400, 5: 50_000 };
