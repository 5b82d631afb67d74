// The Table API of a server of the tests, in the forms in which clients address it.
import { AzureNamedKeyCredential, TableClient, TableServiceClient } from '@azure/data-tables';
import { AZURITE_ACCOUNT, AZURITE_KEY } from './azurite.mjs';
import { KEY } from './server.mjs';
import { TableRest } from './table-rest.mjs';

/** The forms of an account that the SDKs treat differently: that of the emulator, with which merges become POST, and Azurite's. */
export const FORMS = {
  emulator: (port) => ({ url: `http://localhost:${port}`, account: 'localhost', key: KEY }),
  azurite: (port) => ({ url: `http://127.0.0.1:${port}/${AZURITE_ACCOUNT}`, account: AZURITE_ACCOUNT, key: AZURITE_KEY }),
};

let counter = 0;

/** A name of a table that no other test uses: letters and digits only. */
export function uniqueTable(prefix = 'T') {
  counter += 1;
  return `${prefix}${process.pid.toString(36)}x${counter}`;
}

const insecure = { allowInsecureConnection: true };

export class Tables {
  constructor(port, form = 'emulator') {
    Object.assign(this, FORMS[form](port));
    this.rest = new TableRest(this);
    this.credential = new AzureNamedKeyCredential(this.account, this.key);
    this.connectionString = `DefaultEndpointsProtocol=http;AccountName=${this.account};AccountKey=${this.key};TableEndpoint=${this.url};`;
  }

  service(options) { return new TableServiceClient(this.url, this.credential, { ...insecure, ...options }); }
  client(table, options) { return new TableClient(this.url, table, this.credential, { ...insecure, ...options }); }
  withSas(table, sas, options) { return new TableClient(`${this.url}?${sas}`, table, { ...insecure, ...options }); }

  /** A client of a new table. With 50,000 RU/s it has five physical partitions. */
  async create(throughput, prefix) { return this.client(await this.rest.createTable(uniqueTable(prefix), throughput)); }

  close() { this.rest.close(); }
}

/** All that an iterator gives. */
export async function all(iterator) {
  const found = [];
  for await (const each of iterator) {
    found.push(each);
  }
  return found;
}

/** The error of a call that the service refuses with this status and this code. */
export async function refused(promise, status, code) {
  let answer;
  try {
    answer = await promise;
  } catch (error) {
    const found = error.details?.odataError?.code ?? error.details?.Code ?? error.details?.code ?? error.code;
    if (error.statusCode !== status || (code && found !== code)) {
      throw new Error(`expected ${status} ${code}, got ${error.statusCode} ${found}: ${error.message}`, { cause: error });
    }
    return error;
  }
  throw new Error(`expected ${status} ${code}, got ${JSON.stringify(answer)?.slice(0, 300)}`);
}
