/**
 * Any command line either succeeds, or writes one line to stderr: with exit code 2 for an invalid command line, and 1 for a
 * failure. It never writes a stack, a forged line or a secret.
 *
 * Nothing listens and nothing is sent: a command can neither reach nor start a sandbox here.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import type { Output } from '../../sandbox/src/shell/console.ts';
import { run } from '../../sandbox/src/shell/run.ts';
import { type Draw, drawsOf, pick } from '../support/draws.ts';
import { controlCharacter, secretKey } from './answering.ts';
import { cases, seed } from './campaign.ts';
import { corpusOf } from './corpus.ts';

const unreachable = vi.hoisted(() => ({
  listen: async () => {
    throw new Error('nothing may listen here');
  },
  close: async () => {},
}));

vi.mock('../../sandbox/src/index.ts', () => ({ openSandbox: async () => unreachable }));
vi.mock('../../sandbox/src/sandbox.ts', () => ({
  Sandbox: class {
    listen = unreachable.listen;
    close = unreachable.close;
  },
}));

/** Fails like Node's `fetch`: first for an invalid request, then for the unreachable address. */
function stubFetch(): void {
  vi.stubGlobal('fetch', async (...given: ConstructorParameters<typeof Request>) => {
    void new Request(...given);
    throw new TypeError('fetch failed', {
      cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }),
    });
  });
}

afterEach(() => {
  vi.unstubAllGlobals();
});

/** A package, since the program warns where it cannot keep keys. */
const folder = mkdtempSync(join(tmpdir(), 'command-line-'));
writeFileSync(join(folder, 'package.json'), '{}');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Written {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function runHere(args: readonly string[]): Promise<Written> {
  const written = { stdout: '', stderr: '' };
  const output = (name: 'stdout' | 'stderr'): Output =>
    new Writable({
      decodeStrings: false,
      write: (text: string, _encoding, done) => {
        written[name] += text;
        done();
      },
    });
  const code = await run(args, {
    stdout: output('stdout'),
    stderr: output('stderr'),
    untilInterrupted: async () => {},
    folder,
  });
  return { code, ...written };
}

/** Returns the message of a JSON error, or the whole line. */
function messageOf(line: string): string {
  if (!line.startsWith('{')) return line;
  const { error } = JSON.parse(line);
  expect(error).toEqual({ code: expect.stringMatching(/^[A-Z_]+$/), message: expect.any(String) });
  return error.message;
}

/** Checks the output of a command line, and returns its code. */
function checkWritten({ code, stdout, stderr }: Written): number {
  if (code === 0) {
    expect(stderr).toBe('');
    expect(stdout).not.toBe('');
    return code;
  }
  expect([1, 2]).toContain(code);
  // Without a command the output is the help text.
  if (code === 2 && stderr.startsWith('Usage: payments-client')) return code;
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^[^\n]+\n$/);
  const line = stderr.trimEnd();
  if (!line.startsWith('{')) expect(line).toMatch(/^payments-client[ \w]*: ./);
  if (code === 2) expect(messageOf(line)).toMatch(/ See 'payments-client help[ \w]*'\.$/s);
  expect(line).not.toMatch(controlCharacter);
  expect(line).not.toContain('unexpected:');
  expect(line).not.toMatch(/ at .*\.[jt]s:\d/);
  expect(line).not.toMatch(new RegExp(`\\b${secretKey}`));
  expect(Object.keys(Object.prototype)).toEqual([]);
  return code;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** Reads a command line from a corpus file: its arguments, as JSON. */
function readArguments(bytes: Buffer): readonly string[] {
  const args: unknown = JSON.parse(bytes.toString('utf8'));
  if (isTexts(args)) return args;
  throw new Error('expected a list of texts');
}

const corpus = corpusOf('command-lines').map((entry) => ({ ...entry, args: readArguments(entry.bytes) }));

const words = [
  'sandbox',
  'trigger',
  'events',
  'requests',
  'faults',
  'inject',
  'clear',
  'seed',
  'clock',
  'webhooks',
  'replay',
  'help',
  'advance',
  '3 days',
  'evt_1',
  '--',
  '-h',
  '-v',
  '-V',
  '--no-color',
  '--env',
  'completion',
  '--port',
  '--host',
  '--allow-remote',
  '--forward-to',
  'localhost:3000/x',
  '--data',
  '--seed',
  '--secret-key',
  '--json',
  '--set',
  '--url',
  '--follow',
  '--type',
  '--limit',
  '--customers',
  '--intents',
  '--months',
  '--help',
  '--version',
  '--port=',
  '--set=a.b=1',
  '0',
  '-1',
  '1e3',
  '65536',
  'a=1',
  '__proto__.x=1',
  'a.__proto__.x={}',
  '{"a":1}',
  'http://127.0.0.1:1',
  '::1',
  '',
  ' ',
  '\n',
  'a\nb',
  '\u001b[2J',
  '\u2028',
  'é',
  '🍵',
  '\ud800',
  'x'.repeat(5000),
  secretKey,
  '=',
  '--=',
  '-',
  '---',
];

function argumentsOf(draw: Draw): string[] {
  const args = draw(3) === 0 ? [] : [...pick(draw, corpus).args];
  for (let times = 1 + draw(4); times > 0; times -= 1) {
    const at = draw(args.length + 1);
    args.splice(
      at,
      draw(3) === 0 ? 1 : 0,
      draw(4) === 0 ? pick(draw, words) + pick(draw, words) : pick(draw, words),
    );
  }
  return args;
}

describe('a command line', () => {
  it.each(corpus)('$name ends as its name says', async ({ ending, args }) => {
    stubFetch();
    expect(checkWritten(await runHere(args))).toBe(Number(ending));
  });

  it(`ends with one error line, or with its output (seed ${seed})`, async () => {
    stubFetch();
    const tally = [0, 0, 0];
    // Some endings are rare.
    const tries = Math.max(1500, cases(1500));
    for (let number = 0; number < tries; number += 1) {
      const args = argumentsOf(drawsOf(seed, number));
      try {
        const code = checkWritten(await runHere(args));
        tally[code] = (tally[code] ?? 0) + 1;
      } catch (cause) {
        const keep = 'add it to test/fuzz/corpus/command-lines, named by its exit code and what it shows';
        throw new Error(`FUZZ_SEED=${seed}, case ${number} (${keep}): ${cause}\n${JSON.stringify(args)}`, {
          cause,
        });
      }
    }
    for (const count of tally) expect(count).toBeGreaterThan(tries / 150);
  });
});
