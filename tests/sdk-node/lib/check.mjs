// Assertions that many tests share.
import assert from 'node:assert/strict';

let counter = 0;

/** A name that no other test uses. */
export function unique(prefix = 'n') {
  counter += 1;
  return `${prefix}-${process.pid.toString(36)}-${counter}`;
}

const NAMES = {
  400: ['BadRequest'], 401: ['Unauthorized'], 403: ['Forbidden'], 404: ['NotFound'], 405: ['MethodNotAllowed'],
  408: ['RequestTimeout'], 409: ['Conflict'], 410: ['Gone'], 412: ['PreconditionFailed'], 413: ['RequestEntityTooLarge'],
  431: ['RequestHeaderFieldsTooLarge'], 501: ['NotImplemented'],
};

/** An error as every SDK can read it: status, name, text, length, activity, charge. */
export function assertError(reply, status, { substatus = 0, message } = {}) {
  assert.equal(reply.status, status, `expected ${status}, got ${reply.status}: ${reply.text.slice(0, 500)}`);
  assert.match(reply.headers['content-type'] ?? '', /^application\/json/);
  assert.equal(Number(reply.headers['content-length']), reply.bytes.length, 'errors have a Content-Length');
  assert.equal(reply.headers['transfer-encoding'], undefined);
  const body = reply.json;
  if (NAMES[status]) {
    assert.ok(NAMES[status].includes(body.code), `code ${body.code} for ${status}`);
  }
  assert.equal(typeof body.message, 'string');
  assert.ok(body.message.length > 10);
  assert.match(reply.headers['x-ms-activity-id'] ?? '', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i);
  assert.ok(Number.isFinite(Number(reply.headers['x-ms-request-charge'] ?? NaN)), 'errors have a charge');
  assert.equal(reply.substatus, substatus, `substatus of ${body.message}`);
  if (message) {
    assert.match(body.message, message);
  }
  assert.doesNotMatch(body.message, /Exception|\bat orrery\.|\.java:/, 'no internals in a message');
  return body;
}

export function assertStatus(reply, ...statuses) {
  assert.ok(statuses.includes(reply.status), `expected ${statuses.join(' or ')}, got ${reply.status}: ${reply.text.slice(0, 500)}`);
  return reply;
}

/** Returns the error of a promise that must be rejected. */
export async function failure(promise) {
  let value;
  try {
    value = await promise;
  } catch (error) {
    return error;
  }
  assert.fail(`expected a failure, got ${JSON.stringify(value?.statusCode ?? value)?.slice(0, 300)}`);
}

/** An SDK error with this code. */
export async function fails(promise, code, { substatus, message } = {}) {
  const error = await failure(promise);
  assert.equal(Number(error.code), code, `expected ${code}, got ${error.code ?? error}: ${error.message ?? error.body}`);
  if (substatus !== undefined) {
    assert.equal(Number(error.substatus ?? 0), substatus);
  }
  if (message) {
    assert.match(error.message ?? error.body, message);
  }
  return error;
}
