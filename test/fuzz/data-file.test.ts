/**
 * The sandbox's data file, whatever is in it and in its lock: it is opened with all that its whole lines tell, or it is
 * refused by the number of a line, and then it stays as it is and nobody has it open.
 */

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { openSandbox, type Sandbox } from 'payments-client/sandbox';
import { describe, expect, it } from 'vitest';
import { temporaryFile } from '../support/temporary-file.ts';
import { attack, patience, seed } from './campaign.ts';

const startsAt = Date.UTC(2026, 0, 1);

/** The sandbox of a file with these bytes, or why there is none. */
async function open(file: string, bytes: Buffer): Promise<Sandbox | Error> {
  writeFileSync(file, bytes);
  return openSandbox(file, { startsAt }).catch((error: unknown) => {
    if (error instanceof Error) return error;
    throw new Error('expected an Error');
  });
}

/** That a refusal tells where, and has left everything as it was. */
function expectRefusal(error: Error, file: string, bytes: Buffer): void {
  expect(error.message).toMatch(
    /^openSandbox: expected line \d+ of '.*' to be as the sandbox wrote it, but .*\.$/,
  );
  expect(readFileSync(file).equals(bytes)).toBe(true);
  expect(existsSync(`${file}.lock`)).toBe(false);
}

/** That a sandbox can be used, and that its file tells the same when it is opened again. */
async function expectUsable(sandbox: Sandbox, file: string): Promise<void> {
  const { id } = sandbox.add('customer');
  const events = JSON.stringify(sandbox.events);
  await sandbox.close();
  const again = await openSandbox(file, { startsAt });
  expect(again.get('customer', id)?.id).toBe(id);
  expect(JSON.stringify(again.events)).toBe(events);
  await again.close();
}

/** The lines of a file with checksums that are right, as if the sandbox had written them. */
function withChecksums(bytes: Buffer): Buffer {
  const lines = bytes.toString('latin1').split('\n');
  const rest = lines.pop() ?? '';
  const right = lines.map((line) => {
    const text = line.slice(9);
    return `${crc32(Buffer.from(text, 'latin1')).toString(16).padStart(8, '0')} ${text}\n`;
  });
  return Buffer.from(right.join('') + rest, 'latin1');
}

const words = [
  '\n',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  '"time"',
  '"ids"',
  '"changes"',
  '"plan"',
  '"product"',
  '"prod_1"',
  '5',
];

describe('a data file', () => {
  it(`is opened or refused, whatever its bytes are (seed ${seed})`, { timeout: patience }, async () => {
    const file = await temporaryFile();
    const tally = await attack({
      parser: 'data-files',
      words,
      tries: 120,
      check: async (bytes, entry) => {
        const opened = await open(file, bytes);
        const ending = opened instanceof Error ? 'refused' : 'opens';
        if (entry !== undefined) expect(ending, String(opened)).toBe(entry.ending);
        if (opened instanceof Error) expectRefusal(opened, file, bytes);
        else {
          // What was written to its end is kept, and nothing else; a file with nothing in it is begun anew.
          const whole = bytes.subarray(0, bytes.lastIndexOf('\n') + 1);
          if (whole.length > 0) expect(readFileSync(file).equals(whole)).toBe(true);
          await expectUsable(opened, file);
        }
        return ending;
      },
    });
    expect([...tally.keys()].sort()).toEqual(['opens', 'refused']);
  });

  it(`is no danger where its checksums are right (seed ${seed})`, { timeout: patience }, async () => {
    const file = await temporaryFile();
    const tally = await attack({
      parser: 'data-files',
      words,
      tries: 120,
      check: async (original) => {
        const bytes = withChecksums(original);
        const opened = await open(file, bytes);
        if (opened instanceof Error) {
          expectRefusal(opened, file, bytes);
          return 'refused';
        }
        await opened.close();
        return 'opens';
      },
    });
    expect([...tally.keys()].sort()).toEqual(['opens', 'refused']);
  });
});

describe('the lock of a data file', () => {
  it.each([
    ...[
      '',
      ' ',
      '\n',
      '0',
      '-1',
      '1.5',
      '1e9',
      '1e400',
      'NaN',
      'null',
      'locked by me',
      '\u0000',
      '99999999999999999999',
    ],
    ...['2147483646', '\uFEFF4000000000', '0x7fffffff', '-9007199254740993'],
  ])('that holds %j and no process holds nobody up', async (content) => {
    const file = await temporaryFile();
    writeFileSync(`${file}.lock`, content);
    const sandbox = await openSandbox(file, { startsAt });
    expect(readFileSync(`${file}.lock`, 'utf8')).toBe(String(process.pid));
    await sandbox.close();
    expect(existsSync(`${file}.lock`)).toBe(false);
    rmSync(file);
  });
});
