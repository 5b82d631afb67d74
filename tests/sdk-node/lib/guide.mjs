// Reads a document as a reader does who types what it shows: files to save, commands to run, and what they print.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { Mongosh } from './mongosh.mjs';
import { signed } from './rest.mjs';

/** Commands that take longer hang. */
const COMMAND_MS = 600_000;

/** A line that begins a request in a block of HTTP, such as PUT /path  {"a":1}. */
const REQUEST = /^(GET|PUT|POST|PATCH|DELETE) (\S+)(?: +(.*))?$/;

/** The first line of a session of MongoDB's shell, and the lines in which the shell is given a command. */
const SHELL = /^\$ mongosh --quiet "(.*)"$/;
const SHELL_COMMAND = /^(globaldb \[primary\] \S+> )(.*)$/;

/** Members of answers that differ from run to run. */
const CHANGING = new Set(['time', 'durationMillis', 'ru', 'requests']);

/**
 * The steps of a document, in order. A block that begins with ```js hello.mjs is a file of that name. One that begins with
 * ```http has requests, each with its answer: the status, and JSON that may go over several lines. One that begins with
 * ```mongosh is a session of MongoDB's shell: how it is started, then its prompts with commands, and what each prints. Lines of
 * other blocks that begin with "$ " are commands, and the lines up to the next command are what each prints.
 */
export function steps(markdown) {
  const found = [];
  const lines = markdown.split('\n');
  for (let i = 0; i < lines.length; i += 1) {
    const fence = lines[i].match(/^```(\S*) ?(\S*)$/);
    if (!fence) {
      continue;
    }
    const first = i + 1;
    let end = first;
    while (lines[end] !== '```') {
      end += 1;
      assert.ok(end < lines.length, `the block of line ${i + 1} has no end`);
    }
    const block = lines.slice(first, end);
    if (fence[1] === 'http') {
      found.push(...requests(block, first));
    } else if (fence[1] === 'mongosh') {
      found.push(session(block, first));
    } else if (fence[2]) {
      found.push({ file: fence[2], text: `${block.join('\n')}\n`, line: first });
    } else {
      found.push(...commands(block, first));
    }
    i = end;
  }
  return found;
}

function commands(block, first) {
  const found = [];
  let inCommand = false;
  block.forEach((line, index) => {
    if (line.startsWith('$ ')) {
      found.push({ command: line.slice(2), output: [], line: first + index + 1 });
      inCommand = line.endsWith('\\');
    } else if (inCommand) {
      found.at(-1).command += `\n${line}`;
      inCommand = line.endsWith('\\');
    } else if (found.length > 0) {
      found.at(-1).output.push(line);
    }
  });
  return found;
}

function session(block, first) {
  const inputs = [];
  block.slice(1).forEach((line, index) => {
    const [, prompt, command] = line.match(SHELL_COMMAND) ?? [];
    if (prompt) {
      inputs.push({ prompt, command, output: [], line: first + index + 2 });
    } else {
      inputs.at(-1).output.push(line);
    }
  });
  return { shell: block[0].match(SHELL)[1], inputs, line: first + 1 };
}

function requests(block, first) {
  const found = [];
  block.forEach((line, index) => {
    const [, method, target, body] = line.match(REQUEST) ?? [];
    if (method) {
      found.push({ method, target, body, answer: '', line: first + index + 1 });
    } else {
      found.at(-1).answer += `${line}\n`;
    }
  });
  return found;
}

/** Sends a request of a document, signed as the operator API wants it, and compares the answer. */
async function ask(step, endpoint, where) {
  const { method, target, body, answer } = step;
  const segments = target.split('?')[0].split('/').slice(2);
  const headers = signed(method, target, { type: segments.at(-1), link: segments.slice(0, -1).join('/') });
  const reply = await fetch(new URL(target, endpoint), { method, headers, body });
  const [, status, json] = answer.match(/^(\d{3}) ([^]*)$/) ?? assert.fail(`${where}: no status in ${answer}`);
  const text = await reply.text();
  assert.equal(reply.status, Number(status), `${where}: ${method} ${target} answers ${text}`);
  assert.deepEqual(JSON.parse(text, settledMember), JSON.parse(json, settledMember), `${where}: ${text}`);
}

function settledMember(name, value) {
  return CHANGING.has(name) && typeof value !== 'object' ? typeof value : value;
}

/** What differs from run to run: colours, lines that are written over, times, rates, process numbers, and how long a line of dashes is. */
export function settled(line) {
  return line
    .replace(/\x1b\[[\d;]*[mK]/g, '')
    .replace(/\r+$/, '')
    .replace(/^[^\n]*\r/, '')
    .replace(/\b\d+(\.\d+)? (ms|s|min)\b/g, 'T')
    .replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/\b[\d,.]+ (items|RU)\/s\b/g, 'N $1/s')
    .replace(/\b(pid|process) \d+\b/g, '$1 N')
    .replace(/-{3,}/g, '---')
    .replace(/ +/g, ' ')
    .trimEnd();
}

/** "..." in a line stands for any text, and as a line for any lines. */
export function assertPrints(actual, expected, where) {
  const pattern = expected
    .map(settled)
    .map((line) => (line.trim() === '...' ? '(?:.*\\n)*?' : `${line.split('...').map(escaped).join('.*')}\\n`))
    .join('');
  const printed = actual.split('\n').map(settled).join('\n').replace(/\n*$/, '\n').replace(/^\n$/, '');
  assert.ok(
    new RegExp(`^${pattern}$`).test(printed),
    `${where} prints\n${actual}\nand the document says\n${expected.join('\n')}`);
}

function escaped(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/**
 * Runs a command of a document in a directory. What it prints to both outputs comes together, as on a terminal; with
 * `terminal` it is one, as far as a program can tell.
 */
export async function run(command, directory, environment, { terminal = false } = {}) {
  const script = `set -eo pipefail; exec 2>&1\n${command}`;
  const [program, ...words] = terminal
    ? ['script', '-qefc', `bash -c ${quoted(script)}`, '/dev/null']
    : ['bash', '-c', script];
  const child = spawn(program, words, {
    cwd: directory,
    // The reader is not inside a test of Node, and tests of the document print as they do alone.
    env: { ...process.env, NODE_TEST_CONTEXT: undefined, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), COMMAND_MS);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => { output += text; });
  // Of the command itself: what it leaves in the background keeps its output open.
  const code = await new Promise((resolve) => { child.once('exit', resolve); });
  await new Promise((resolve) => { setImmediate(resolve); });
  clearTimeout(timer);
  child.stdout.destroy();
  return { code, output };
}

function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Types what a session of the shell shows, and compares what the shell prints. */
async function type({ shell: uri, inputs }, directory, document) {
  const shell = await Mongosh.start(uri, directory);
  try {
    for (const { prompt, command, output, line } of inputs) {
      const where = `${document}:${line}: ${command}`;
      assert.equal(shell.prompt, prompt, where);
      assertPrints(await shell.run(command), output, where);
    }
  } finally {
    await shell.close();
  }
}

/** Follows a document from top to bottom. */
export async function follow(document, directory, environment, rewrite, options) {
  for (const step of steps(rewrite(fs.readFileSync(document, 'utf8')))) {
    const where = `${path.basename(document)}:${step.line}`;
    if (step.file) {
      const file = path.join(directory, step.file);
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, step.text);
    } else if (step.shell) {
      await type(step, directory, path.basename(document));
    } else if (step.method) {
      await ask(step, environment.ORRERY_ENDPOINT, where);
    } else {
      const { code, output } = await run(step.command, directory, environment, options);
      const isRefusal = step.output.some((line) => /^orrery: (?!built in )/.test(line));
      assert.equal(code !== 0, isRefusal, `${where}: ${step.command} ended with ${code}:\n${output}`);
      assertPrints(output, step.output, `${where}: ${step.command}`);
    }
  }
}
