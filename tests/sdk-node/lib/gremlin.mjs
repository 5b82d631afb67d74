// The Gremlin API of a server of the tests, through the unmodified drivers: the one of today, and 3.4.13, which the service
// recommends.
import gremlin from 'gremlin';
import old from 'gremlin-3.4';
import { KEY } from './server.mjs';

export const GRAPHSON_2 = 'application/vnd.gremlin-v2.0+json';

/** Each driver with each form that it can write; `undefined` is the one that it writes when nobody chooses. */
export const DRIVERS = [
  { name: '3.4, GraphSON 2', driver: old, mimeType: GRAPHSON_2 },
  { name: '3.4, GraphSON 3', driver: old },
  { name: '3.8, GraphSON 2', driver: gremlin, mimeType: GRAPHSON_2 },
  { name: '3.8, GraphSON 3', driver: gremlin, mimeType: 'application/vnd.gremlin-v3.0+json' },
  { name: '3.8, GraphBinary', driver: gremlin },
];

/** A client that is bound to a graph. */
export function connectGraph(server, graph, { driver = old, mimeType = driver === old ? GRAPHSON_2 : undefined, key = KEY, url } = {}) {
  return new driver.driver.Client(url ?? server.gremlinEndpoint, {
    authenticator: new driver.driver.auth.PlainTextSaslAuthenticator(graph, key),
    traversalsource: 'g',
    mimeType,
    ca: server.ca,
  });
}

/** The attributes of an answer or of an error, which typed forms give as a map. */
export function attributesOf({ attributes, statusAttributes }) {
  const found = attributes ?? statusAttributes;
  return found instanceof Map ? Object.fromEntries(found) : found;
}

/** The error of a request that fails with this code of the protocol, and with this one of the service. */
export async function failsWith(code, serviceCode, promise) {
  let answer;
  try {
    answer = await promise;
  } catch (error) {
    if (error.statusCode !== code || attributesOf(error)['x-ms-status-code'] !== serviceCode) {
      throw new Error(`expected ${code}/${serviceCode}, got ${error.statusCode}: ${error.message}`, { cause: error });
    }
    return error;
  }
  throw new Error(`expected ${code}, got ${JSON.stringify(answer)?.slice(0, 300)}`);
}
