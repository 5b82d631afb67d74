// The Table service with nothing between the test and the wire but Node's own HTTP: own signatures, own URLs.
import crypto from 'node:crypto';
import http from 'node:http';

const hmac = (key, text) => crypto.createHmac('sha256', Buffer.from(key, 'base64')).update(text, 'utf8').digest('base64');

/** Part of a path, as clients write it: the signs of keys stay, everything else is percent-encoded. */
export const encoded = (text) => encodeURIComponent(text).replace(/[!'()*]/g, (sign) => (sign === "'" ? "''" : sign));

export const entityPath = (table, partitionKey, rowKey) => `/${table}(PartitionKey='${encoded(partitionKey)}',RowKey='${encoded(rowKey)}')`;

export class TableRest {
  /** `url` may end in an account: a path-style address. */
  constructor({ url, account, key }) {
    const { hostname, port, pathname } = new URL(url);
    this.hostname = hostname;
    this.port = port;
    this.base = pathname.replace(/\/$/, '');
    this.account = account;
    this.key = key;
    this.agent = new http.Agent({ keepAlive: true, maxSockets: 16 });
  }

  /** `sign`: 'lite', 'full', or 'none', for requests with a SAS in their query. `body` is text, bytes, or an object for JSON. */
  send(method, target, { body, headers = {}, sign = 'lite', date = new Date().toUTCString(), account = this.account, key = this.key } = {}) {
    const bytes = body === undefined ? undefined
      : Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body), 'utf8');
    const all = {
      accept: 'application/json;odata=minimalmetadata', 'x-ms-version': '2019-02-02', dataserviceversion: '3.0',
      ...(bytes === undefined ? {} : { 'content-type': 'application/json' }), ...headers,
    };
    const path = this.base + target;
    if (sign !== 'none') {
      all['x-ms-date'] = date;
      const [plain, query = ''] = path.split('?');
      const comp = new URLSearchParams(query).get('comp');
      const resource = `/${account}${plain}${comp ? `?comp=${comp}` : ''}`;
      const text = sign === 'lite' ? `${date}\n${resource}`
        : `${method}\n${all['content-md5'] ?? ''}\n${all['content-type'] ?? ''}\n${date}\n${resource}`;
      all.authorization = `SharedKey${sign === 'lite' ? 'Lite' : ''} ${account}:${hmac(key, text)}`;
    }
    return this.raw(method, path, all, bytes);
  }

  raw(method, path, headers, bytes) {
    return new Promise((resolve, reject) => {
      const request = http.request({
        host: this.hostname, port: this.port, method, path, agent: this.agent,
        headers: { ...headers, ...(bytes === undefined ? {} : { 'content-length': bytes.length }) },
      }, (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({
            status: response.statusCode, headers: response.headers, text,
            get json() { return JSON.parse(text); },
            get code() { return errorCode(response.headers, text); },
          });
        });
      });
      request.on('error', reject);
      request.end(bytes);
    });
  }

  get(target, options) { return this.send('GET', target, options); }
  post(target, body, options) { return this.send('POST', target, { body, ...options }); }
  put(target, body, options) { return this.send('PUT', target, { body, ...options }); }
  merge(target, body, options) { return this.send('PATCH', target, { body, ...options }); }
  delete(target, options) { return this.send('DELETE', target, { ...options, headers: { 'if-match': '*', ...options?.headers } }); }

  /** `throughput` decides how many physical partitions it has. */
  async createTable(name, throughput) {
    const headers = throughput === undefined ? {} : { 'x-ms-offer-throughput': String(throughput) };
    const reply = await this.post('/Tables', { TableName: name }, { headers });
    if (reply.status !== 201) {
      throw new Error(`${name} is not created: ${reply.status} ${reply.text}`);
    }
    return name;
  }

  /** An entity group transaction. `parts` are [method, path, body, headers]. */
  batch(parts, { query = '', changeset = 'changeset_1', batch = 'batch_1', ...options } = {}) {
    const lines = [`--${batch}`, `Content-Type: multipart/mixed; boundary=${changeset}`, ''];
    for (const [method, path, body, headers = {}] of parts) {
      const json = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
      lines.push(
        `--${changeset}`, 'Content-Type: application/http', 'Content-Transfer-Encoding: binary', '',
        `${method} http://${this.hostname}:${this.port}${this.base}${path} HTTP/1.1`,
        'Accept: application/json;odata=minimalmetadata', 'DataServiceVersion: 3.0',
        ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
        ...(json === '' ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(json)}`]), '', json);
    }
    lines.push(`--${changeset}--`, `--${batch}--`, '');
    return this.send('POST', `/$batch${query}`, {
      ...options, body: lines.join('\r\n'), headers: { 'content-type': `multipart/mixed; boundary=${batch}`, ...options.headers },
    });
  }

  /** The query of a service SAS. `fields` are its parameters without `sv`, `tn` and `sig`. */
  tableSas(table, fields, { version = '2019-02-02' } = {}) {
    const all = { sv: version, tn: table, ...fields };
    const of = (name) => all[name] ?? '';
    const text = [of('sp'), of('st'), of('se'), `/table/${this.account}/${table.toLowerCase()}`, of('si'), of('sip'), of('spr'),
      of('sv'), of('spk'), of('srk'), of('epk'), of('erk')].join('\n');
    return new URLSearchParams({ ...all, sig: hmac(this.key, text) }).toString();
  }

  /** The query of an account SAS. */
  accountSas(fields, { version = '2019-02-02' } = {}) {
    const all = { sv: version, ss: 't', srt: 'sco', ...fields };
    const of = (name) => all[name] ?? '';
    const text = [this.account, of('sp'), of('ss'), of('srt'), of('st'), of('se'), of('sip'), of('spr'), of('sv'),
      ...(version >= '2020-12-06' ? [''] : []), ''].join('\n');
    return new URLSearchParams({ ...all, sig: hmac(this.key, text) }).toString();
  }

  close() { this.agent.destroy(); }
}

/** The code of an error, from JSON or XML. */
function errorCode(headers, text) {
  const code = text.match(/"code"\s*:\s*"([^"]*)"/)?.[1] ?? text.match(/<(?:m:)?[Cc]ode>([^<]*)</)?.[1];
  return code ?? headers['x-ms-error-code'] ?? '';
}

/** The parts of the answer to a batch: status, code, ETag. */
export function batchParts(text) {
  return [...text.matchAll(/^HTTP\/1\.1 (\d{3}).*\r?\n([^]*?)(?=\r?\n--(?:changesetresponse|batchresponse)_)/gm)].map(([, status, rest]) => ({
    status: Number(status), etag: rest.match(/^ETag: (.*?)\r?$/im)?.[1], code: rest.match(/"code"\s*:\s*"([^"]*)"/)?.[1],
    message: rest.match(/"value"\s*:\s*"((?:[^"\\]|\\.)*)"/)?.[1], text: rest,
  }));
}
