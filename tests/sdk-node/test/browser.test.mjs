// Checks which web pages can reach a server of this machine, with a real browser: Debian's Chromium, driven by
// playwright-core.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import { after, before, describe, test } from 'node:test';
import { chromium } from 'playwright-core';
import { assertStatus } from '../lib/check.mjs';
import { Rest, signed } from '../lib/rest.mjs';
import { Server } from '../lib/server.mjs';

const CHROMIUM = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => path && fs.existsSync(path));
const skip = CHROMIUM === undefined && !process.env.CI ? 'there is no Chromium; install it (package `chromium`)' : false;

/**
 * Names in `.test` are this machine to the browser and foreign to the server, as after a rebinding of DNS. New Chromiums ask a
 * person before a page from elsewhere may reach this machine; other browsers do not, so the server has to hold without that.
 */
const ARGUMENTS = ['--disable-features=LocalNetworkAccessChecks', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--host-resolver-rules=MAP *.test 127.0.0.1'];

const PATIENCE_MS = 120_000;
const DOC = '/dbs/db/colls/c/docs';

/** Serves an empty page under every name that leads here. */
async function pages() {
  const server = http.createServer((_, response) => response.setHeader('content-type', 'text/html').end('<!doctype html><title>page</title>'));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

describe('a page in a browser', { skip }, () => {
  let server;
  let rest;
  let host;
  let browser;
  let context;

  before(async () => {
    host = await pages();
    server = await Server.start({ args: ['--cors', `https://never.test,http://app.test:${host.address().port}`] });
    rest = new Rest(server);
    assertStatus(await rest.post('/dbs', { id: 'db' }), 201);
    assertStatus(await rest.post('/dbs/db/colls', { id: 'c', partitionKey: { paths: ['/pk'], version: 2 } }), 201);
    assertStatus(await rest.post(DOC, { id: 'secret-item', pk: 'a' }, { headers: { 'x-ms-documentdb-partitionkey': '["a"]' } }), 201);
    assert.ok(CHROMIUM, 'Chromium is needed where CI is set; install it (package `chromium`)');
    browser = await chromium.launch({ executablePath: CHROMIUM, headless: true, args: ARGUMENTS, timeout: PATIENCE_MS });
  });

  after(async () => {
    await browser?.close();
    await server?.close();
    host?.close();
  });

  /** A tab at a name; `isRebound` gives it the very origin of the port, whose name used to lead elsewhere. */
  async function open(name, port, isRebound = false) {
    await context?.close();
    context = await browser.newContext({ ignoreHTTPSErrors: true });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    const url = `http://${name}:${port}/page`;
    if (isRebound) {
      await page.route(url, (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
    }
    await page.goto(url);
    return page;
  }

  /** Returns the answer to a page that asks with fetch(). */
  function ask(page, url, { method = 'GET', headers = {}, ...rest } = {}) {
    return page.evaluate(async ([target, options]) => {
      try {
        const reply = await fetch(target, options);
        return { type: reply.type, status: reply.status, charge: reply.headers.get('x-ms-request-charge'), text: await reply.text() };
      } catch (error) {
        return { error: String(error) };
      }
    }, [url, { method, headers, ...rest }]);
  }

  /** Everything that a page can try against both ports, each request signed with the key that everybody knows. */
  function attempts(sql, status) {
    const pk = { 'x-ms-documentdb-partitionkey': '["a"]' };
    return [
      [`${sql}/dbs`, { headers: signed('GET', '/dbs') }],
      [`${sql}${DOC}`, { headers: signed('GET', DOC) }],
      [`${sql}${DOC}`, { method: 'POST', headers: signed('POST', DOC, { headers: pk }), body: '{"id":"planted","pk":"a"}' }],
      [`${sql}${DOC}/secret-item`, { method: 'DELETE', headers: signed('DELETE', `${DOC}/secret-item`, { headers: pk }) }],
      [`${sql}/dbs/db`, { method: 'DELETE', headers: signed('DELETE', '/dbs/db') }],
      [`${sql}/_orrery/dbs/db/colls/c/partitions`, { headers: signed('GET', '/', { type: 'partitions', link: 'dbs/db/colls/c' }) }],
      [`${sql}/_orrery/dbs/db/colls/c/split`, { method: 'POST', headers: signed('POST', '/', { type: 'split', link: 'dbs/db/colls/c' }), body: '{"range":0}' }],
      [`${sql}/_orrery/ca.crt`, {}],
      [`${status}/status`, {}],
      [`${status}/metrics`, {}],
      // Without what gives a browser away, as far as a page can take it off.
      [`${status}/metrics`, { headers: { 'User-Agent': 'curl/8.5.0', 'Accept-Language': '' }, referrerPolicy: 'no-referrer' }],
    ];
  }

  async function assertUntouched() {
    const items = await rest.get(DOC);
    assert.deepEqual(items.json.Documents.map((item) => item.id), ['secret-item']);
  }

  test('of another site can neither read nor change anything', { timeout: 10 * PATIENCE_MS }, async () => {
    const page = await open('evil.test', host.address().port);
    for (const name of ['localhost', '127.0.0.1', 'evil.test']) {
      for (const scheme of ['http', 'https']) {
        for (const [url, options] of attempts(`${scheme}://${name}:${server.port}`, `http://${name}:${server.statusPort}`)) {
          const got = await ask(page, url, options);
          assert.match(got.error ?? '', /Failed to fetch/, `${options.method ?? 'GET'} ${url}: ${JSON.stringify(got)}`);
        }
      }
    }
    const blind = await ask(page, `http://localhost:${server.statusPort}/metrics`, { mode: 'no-cors' });
    assert.equal(blind.type, 'opaque');
    assert.equal(blind.text, '');
    await assertUntouched();
  });

  test('whose name is bound to this machine later gets nothing either', { timeout: 10 * PATIENCE_MS }, async () => {
    for (const port of [server.port, server.statusPort]) {
      const page = await open('rebound.test', port, true);
      for (const [url, options] of attempts('', '')) {
        const got = await ask(page, url, options);
        // The other port's paths are not here; what counts is that nobody looks at them.
        assert.equal(got.status, 421, `${options.method ?? 'GET'} ${url} on ${port}: ${JSON.stringify(got)}`);
        assert.doesNotMatch(got.text, /secret-item|"db"|orrery_/);
      }
    }
    await assertUntouched();
  });

  for (const name of ['localhost', 'app.test']) {
    test(`of ${name} uses the API`, { timeout: 10 * PATIENCE_MS }, async () => {
      const page = await open(name, host.address().port);
      for (const scheme of ['http', 'https']) {
        const sql = `${scheme}://localhost:${server.port}`;
        const list = await ask(page, `${sql}/dbs`, { headers: signed('GET', '/dbs') });
        assert.equal(list.status, 200, JSON.stringify(list));
        assert.ok(Number(list.charge) > 0, 'the page reads headers');
        const pk = { 'x-ms-documentdb-partitionkey': '["b"]' };
        const made = await ask(page, `${sql}${DOC}`, { method: 'POST', headers: signed('POST', DOC, { headers: pk }), body: '{"id":"1","pk":"b"}' });
        assert.equal(made.status, 201, JSON.stringify(made));
        const gone = await ask(page, `${sql}${DOC}/1`, { method: 'DELETE', headers: signed('DELETE', `${DOC}/1`, { headers: pk }) });
        assert.equal(gone.status, 204, JSON.stringify(gone));
        const refused = await ask(page, `${sql}/dbs`);
        assert.equal(refused.status, 401, 'the page reads errors too');
      }
      const status = await ask(page, `http://localhost:${server.statusPort}/status`);
      assert.equal(status.status, 200, JSON.stringify(status));
    });
  }

  test('of another site may link to the pages of the server', { timeout: 10 * PATIENCE_MS }, async () => {
    const page = await open('evil.test', host.address().port);
    const url = `http://localhost:${server.statusPort}/status`;
    await Promise.all([
      page.waitForURL(url),
      page.evaluate((target) => {
        const link = document.createElement('a');
        link.href = target;
        document.body.append(link);
        link.click();
      }, url),
    ]);
    assert.match(await page.content(), /openConnections/);
  });
});
