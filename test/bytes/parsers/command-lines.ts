/** Command lines: arguments with NUL between them, as the system passes them. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { expect } from 'vitest';
import { run } from '../../../sandbox/src/shell/run.ts';
import type { Inputs, Parser } from '../parser.ts';
import { controlCharacter, secretKey } from '../service.ts';
import { words } from '../words.ts';

/** A package, since the program warns where it cannot keep keys. */
const folder = mkdtempSync(join(tmpdir(), 'command-line-'));
writeFileSync(join(folder, 'package.json'), '{}');

/** Removes the package. */
export const cleanUp = () => rmSync(folder, { recursive: true, force: true });

interface Written {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function runHere(args: readonly string[]): Promise<Written> {
  const written = { stdout: '', stderr: '' };
  const output = (name: 'stdout' | 'stderr') =>
    new Writable({
      decodeStrings: false,
      write: (text: string, _encoding, done) => {
        written[name] += text;
        done();
      },
    });
  const outputs = { stdout: output('stdout'), stderr: output('stderr') };
  const code = await run(args, { ...outputs, untilInterrupted: async () => {}, folder });
  return { code, ...written };
}

/** Returns the message of a JSON error, or the whole line. */
function messageOf(line: string): string {
  if (!line.startsWith('{')) return line;
  const { error } = JSON.parse(line);
  expect(error).toEqual({ code: expect.stringMatching(/^[A-Z_]+$/), message: expect.any(String) });
  return error.message;
}

/** Returns how a command line ended: with its output, or with an error in one line. */
async function judge(bytes: Buffer): Promise<string> {
  const args = bytes.length === 0 ? [] : bytes.toString('utf8').split('\0');
  const { code, stdout, stderr } = await runHere(args);
  if (code === 0) {
    expect(stderr).toBe('');
    expect(stdout).not.toBe('');
    return 'done';
  }
  expect([1, 2]).toContain(code);
  const ending = code === 2 ? 'invalid' : 'failed';
  // Without a command the output is the help text.
  if (code === 2 && stderr.startsWith('Usage: payments-client')) return ending;
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^[^\n]+\n$/);
  const line = stderr.trimEnd();
  if (!line.startsWith('{')) expect(line).toMatch(/^payments-client[ \w]*: ./);
  if (code === 2) expect(messageOf(line)).toMatch(/ See 'payments-client help[ \w]*'\.$/s);
  expect(line).not.toMatch(controlCharacter);
  expect(line).not.toContain('unexpected:');
  expect(line).not.toMatch(/ at .*\.[jt]s:\d/);
  expect(line).not.toMatch(new RegExp(`\\b${secretKey}`));
  return ending;
}

/** Command lines by their arguments. */
const lines = (...all: readonly (readonly string[])[]): Inputs =>
  Object.fromEntries(all.map((args) => [args.join(' ').slice(0, 60) + args.length, args.join('\0')]));

const trigger = (...sets: readonly string[]) => [
  'trigger',
  'customer.created',
  ...sets.flatMap((set) => ['--set', set]),
];
const replay = (...more: readonly string[]) => ['webhooks', 'replay', 'evt_1', ...more];

export const commandLines: Parser = {
  name: 'the program of a command line',
  promise: 'it succeeds, or prints an error in one line, without a secret, a stack or a forged line',
  corpus: {
    done: lines(['help', 'trigger'], ['sandbox', '-h'], ['--version'], ['-v']),
    failed: lines(
      ['clock', 'advance', '3 days'],
      ['clock', 'advance', '99999999999999999999999999'],
      ['events', '--follow'],
      replay(),
      replay('--secret-key', `${secretKey}茶`),
      replay('--secret-key', `${secretKey}\n`),
      replay('--url', 'http://127.0.0.1:1/\nx'),
      replay('--url', 'http://user:pass@127.0.0.1:1/'),
      ['sandbox', '--port', '0', '--forward-to', 'http://127.0.0.1:1/x', '--json'],
      ['seed', '--customers', '5', '--seed', '__proto__'],
      trigger('constructor.prototype.polluted=1'),
      trigger('a.b.c.d.e=1'),
      trigger('a=5', 'a.b=6'),
    ),
    invalid: lines(
      [],
      [''],
      ['sandbx'],
      ['sand\nbox'],
      ['\u001b[2J'],
      ['constructor'],
      ['__proto__'],
      ['x'.repeat(20_000)],
      ['help', 'constructor'],
      ['events', '--', '--json'],
      ['events', '---'],
      ['events', '--=x'],
      ['events', '-x'],
      ['events', '--folow'],
      ['events', '--no-json'],
      ['events', '--json=yes'],
      ['events', '--__proto__'],
      ['events', '--a\nb'],
      ['events', '--type', 'a\nb', '--limit', '3'],
      ['clock', 'back', '3 days'],
      ['sandbox', '--data='],
      ['sandbox', '--forward-to', 'file:///etc/passwd'],
      ['sandbox', '--host', '0.0.0.0'],
      ['sandbox', '--host', 'a\nb'],
      ['sandbox', '--port'],
      ['sandbox', '--port', '--json'],
      ['sandbox', '--port', '1e3'],
      ['sandbox', '--port', '0x10'],
      ['sandbox', '--port', '99999999999999999999999'],
      ['sandbox', '--port=-1'],
      ['sandbox', '--port', '65536'],
      ['trigger'],
      ['trigger', 'a', 'b'],
      replay('--url', 'nowhere'),
      trigger(`${'a.'.repeat(1000)}a=1`),
      trigger(`${'a.'.repeat(15_000)}a=1`),
      trigger('..=1'),
      trigger('=1'),
      trigger('amount'),
      trigger('__proto__={"polluted":1}'),
      trigger('__proto__.polluted=1'),
      trigger('a={}', 'a.__proto__.polluted=1'),
    ),
  },
  vocabulary: words(
    `sandbox trigger events requests faults inject clear seed clock webhooks replay help advance 3␣days evt_1 --
    -h -v -V --no-color --env completion --port --host --allow-remote --forward-to localhost:3000/x --data --seed
    --secret-key --json --set --url --follow --type --limit --customers --intents --months --help --version
    --port= --set=a.b=1 0 -1 1e3 65536 a=1 __proto__.x=1 a.__proto__.x={} {"a":1} http://127.0.0.1:1 ::1 ␣
    \u001b[2J \u2028 é 🍵 = --= - --- ${'x'.repeat(5000)} ${secretKey}`,
  ).concat('', '\n', 'a\nb', '\ud800'),
  separator: '\0',
  cases: 3000,
  judge,
};
