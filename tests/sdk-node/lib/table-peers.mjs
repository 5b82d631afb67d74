// One request goes to two Table services, and their answers are compared.
import { batchParts } from './table-rest.mjs';

/** More than the pages of any query here. */
const MOST_PAGES = 200;

/** A service and the ETags that it gave. */
export class Peer {
  constructor(rest) {
    this.rest = rest;
    this.etags = new Map();
  }

  #condition(ifMatch, entity) {
    return ifMatch === undefined ? {} : { 'if-match': ifMatch === 'last' ? this.etags.get(entity) ?? '*' : ifMatch };
  }

  /** Sends what `step` describes, and returns what a client could tell from the answer. */
  async ask(step) {
    if (step.batch) {
      const parts = step.batch.map((part) => [part.method, part.path, part.body, { ...part.headers, ...this.#condition(part.ifMatch, part.entity) }]);
      const reply = await this.rest.batch(parts, step.options);
      const answers = batchParts(reply.text);
      answers.forEach(({ etag }, i) => etag && this.etags.set(step.batch[i].entity, etag));
      return { ...this.#common(reply), parts: reply.status === 202 ? answers.map((part) => this.#part(part)) : reply.code };
    }
    const headers = { ...step.headers, ...this.#condition(step.ifMatch, step.entity) };
    const reply = await this.rest.send(step.method, step.path, { ...step.options, body: step.body, headers });
    if (reply.headers.etag && step.entity) {
      this.etags.set(step.entity, reply.headers.etag);
    }
    const answer = this.#common(reply);
    if (step.query && reply.status === 200) {
      const value = [...answer.body.value];
      for (let page = reply, pages = 1; ; pages += 1) {
        const next = continuation(page.headers);
        // Azurite goes on for ever with pages of no entities.
        if (!next || pages === MOST_PAGES) {
          return { ...answer, body: { ...answer.body, value } };
        }
        page = await this.rest.send('GET', `${step.path}${step.path.includes('?') ? '&' : '?'}${next}`, { headers });
        if (page.status !== 200) {
          return this.#common(page);
        }
        value.push(...this.#settled(page.json).value);
      }
    }
    return answer;
  }

  #part({ status, etag, code, message, text }) {
    return { status, code, etag: form(etag), message: message?.replace(/\\nRequestId:.*/s, ''), location: /^Location:/im.test(text), id: /^DataServiceId:/im.test(text) };
  }

  #common({ status, headers, text, code }) {
    const kept = ['content-type', 'preference-applied', 'x-ms-version', 'x-content-type-options', 'cache-control'];
    const found = Object.fromEntries(kept.map((name) => [name, headers[name]?.replace(/boundary=.*/, 'boundary').replace(/;charset=utf-8/i, '').replaceAll(' ', '')]));
    const isJson = /json/.test(headers['content-type'] ?? '') && text !== '';
    let body = isJson ? this.#settled(JSON.parse(text)) : text.replace(/^\ufeff/, '').replace(/<(\w+)><\/\1>/g, '<$1/>');
    if (status >= 400) {
      const message = text.match(/"value"\s*:\s*"((?:[^"\\]|\\.)*)"/)?.[1] ?? text.match(/<[Mm]essage[^>]*>([^<]*)</)?.[1] ?? '';
      body = { code, message: message.replace(/(\\n|\n)RequestId:[^]*/, '') };
    } else if (status === 202) {
      body = undefined;
    }
    return { status, ...found, etag: form(headers.etag), body };
  }

  /** Leaves out what differs from server to server: addresses, times, and the account's name. */
  #settled(value) {
    const { hostname, port, base, account } = this.rest;
    return JSON.parse(JSON.stringify(value, (name, member) => {
      if (name === 'odata.etag') {
        return form(member);
      }
      if (name === 'Timestamp') {
        return form(`W/"datetime'${encodeURIComponent(member)}'"`);
      }
      return typeof member === 'string' && name.startsWith('odata.')
        ? member.replace(`http://${hostname}:${port}${base}`, 'BASE').replace(new RegExp(`^${account}\\.`), 'ACCOUNT.') : member;
    }));
  }
}

const form = (etag) => etag?.replace(/^W\/"datetime'\d{4}-\d\d-\d\dT\d\d%3A\d\d%3A\d\d\.\d{7}Z'"$/, 'ETAG');

function continuation(headers) {
  const names = { 'x-ms-continuation-nextpartitionkey': 'NextPartitionKey', 'x-ms-continuation-nextrowkey': 'NextRowKey', 'x-ms-continuation-nexttablename': 'NextTableName' };
  return Object.entries(names).filter(([header]) => headers[header]).map(([header, option]) => `${option}=${encodeURIComponent(headers[header])}`).join('&');
}

/** The paths at which two answers differ, with both values. */
export function differences(first, second, path = '') {
  if (first === second || (Number.isNaN(first) && Number.isNaN(second))) {
    return [];
  }
  if (first && second && typeof first === 'object' && typeof second === 'object' && Array.isArray(first) === Array.isArray(second)) {
    return [...new Set([...Object.keys(first), ...Object.keys(second)])].flatMap((name) => differences(first[name], second[name], `${path}/${name}`));
  }
  return [{ path, first, second }];
}
