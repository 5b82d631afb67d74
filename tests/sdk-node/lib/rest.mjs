// Requests with nothing between the test and the wire but Node's own HTTP: own signing, own headers.
import crypto from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import tls from 'node:tls';
import { KEY } from './server.mjs';

export const API_VERSION = '2020-07-15';

/** Longer than a server that is still to answer takes on any machine. */
const SILENCE_MS = 60_000;

/** The master-key token of the REST API, not yet percent-encoded. */
export function token({ method, type, link, date, xDate = date, plainDate = '', key = KEY }) {
  const text = `${method.toLowerCase()}\n${type.toLowerCase()}\n${link}\n${(xDate ?? '').toLowerCase()}\n${plainDate.toLowerCase()}\n`;
  const signature = crypto.createHmac('sha256', Buffer.from(key, 'base64')).update(text, 'utf8').digest('base64');
  return `type=master&ver=1.0&sig=${signature}`;
}

/** Returns what a client signs for a path of names: the type and the link of the resource or of its parent. */
export function signedParts(path) {
  const segments = path.split('?')[0].split('/').filter((s) => s !== '').map((s) => {
    try { return decodeURIComponent(s); } catch { return s; }
  });
  if (segments.length === 0) {
    return { type: '', link: '' };
  }
  const isFeed = segments.length % 2 === 1;
  const type = segments[isFeed ? segments.length - 1 : segments.length - 2];
  if (segments[0] === 'offers') {
    return { type, link: isFeed ? '' : segments[1].toLowerCase() };
  }
  return { type, link: segments.slice(0, isFeed ? -1 : undefined).join('/') };
}

/** The headers of a signed request. */
export function signed(method, path, { type, link, key, date = new Date().toUTCString(), headers = {}, version = API_VERSION } = {}) {
  const parts = signedParts(path);
  return {
    authorization: encodeURIComponent(token({ method, type: type ?? parts.type, link: link ?? parts.link, date, key })),
    'x-ms-date': date,
    'x-ms-version': version,
    ...headers,
  };
}

/** A client for one server. */
export class Rest {
  constructor(server, { secure = true, port, host = 'localhost', key } = {}) {
    this.server = server;
    this.secure = secure;
    this.host = host;
    this.fixedPort = port;
    this.key = key;
  }

  get port() { return this.fixedPort ?? this.server.port; }

  /** Sends a signed request. `body` is text, bytes or an object to be written as JSON. */
  send(method, path, { body, headers = {}, sign = true, ...signing } = {}) {
    const all = sign ? signed(method, path, { key: this.key, ...signing, headers }) : { ...headers };
    return this.raw(method, path, all, body);
  }

  raw(method, path, headers, body) {
    const bytes = body === undefined ? undefined
      : Buffer.isBuffer(body) ? body
        : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body), 'utf8');
    const options = { host: this.host, port: this.port, method, path, headers: { ...headers } };
    if (bytes !== undefined) {
      options.headers['content-length'] = bytes.length;
    }
    if (this.secure) {
      options.agent = this.server.agent;
    }
    return new Promise((resolve, reject) => {
      const request = (this.secure ? https : http).request(options, (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => resolve(reply(response, Buffer.concat(chunks))));
      });
      request.on('error', reject);
      request.end(bytes);
    });
  }

  get(path, options) { return this.send('GET', path, options); }
  post(path, body, options) { return this.send('POST', path, { body, ...options }); }
  put(path, body, options) { return this.send('PUT', path, { body, ...options }); }
  patch(path, body, options) { return this.send('PATCH', path, { body, ...options }); }
  delete(path, options) { return this.send('DELETE', path, options); }

  /** A query over a feed. */
  query(path, query, options = {}) {
    return this.post(path, { query, parameters: [] }, {
      ...options,
      headers: { 'content-type': 'application/query+json', 'x-ms-documentdb-isquery': 'true', ...options.headers },
    });
  }

  /** The bytes that the server sends back to these bytes, until it closes or `enough` says so; or nothing comes any more. */
  exchange(bytes, { secure = this.secure, enough = () => false, end = false } = {}) {
    return new Promise((resolve, reject) => {
      const socket = secure
        ? tls.connect({ host: this.host, port: this.port, ca: this.server.ca, servername: this.host })
        : net.connect({ host: '127.0.0.1', port: this.port });
      let text = '';
      const done = (isClosed) => {
        socket.destroy();
        resolve({ text, isClosed });
      };
      socket.setEncoding('latin1');
      socket.on(secure ? 'secureConnect' : 'connect', () => {
        for (const part of Array.isArray(bytes) ? bytes : [bytes]) {
          socket.write(part);
        }
        if (end) {
          socket.end();
        }
      });
      socket.on('data', (chunk) => {
        text += chunk;
        if (enough(text)) {
          done(false);
        }
      });
      socket.setTimeout(SILENCE_MS, () => done(false));
      socket.on('end', () => done(true));
      socket.on('error', (error) => (text === '' && error.code !== 'ECONNRESET' && error.code !== 'EPIPE' ? reject(error) : done(true)));
      socket.on('close', () => done(true));
    });
  }
}

function reply(response, bytes) {
  const text = bytes.toString('utf8');
  return {
    status: response.statusCode,
    headers: response.headers,
    text,
    bytes,
    get json() { return JSON.parse(text); },
    substatus: Number(response.headers['x-ms-substatus'] ?? 0),
  };
}
