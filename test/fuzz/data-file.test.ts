/**
 * A sandbox either opens a data file with any content, or refuses it with an error that says what to do and leaves the file
 * closed.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { openSandbox } from 'payments-client-sandbox';
import { expect, it } from 'vitest';
import { temporaryFile } from '../support/temporary-file.ts';
import { property, seed } from './campaign.ts';

const startsAt = Date.UTC(2026, 0, 1);

/** The bytes of a file after its sandbox was closed. */
async function validFile(): Promise<Buffer> {
  const file = await temporaryFile();
  const sandbox = await openSandbox(file, { startsAt });
  sandbox.seed({ customers: 5, intents: 20, months: 1 });
  await sandbox.close();
  return readFileSync(file);
}

/** Bytes to write, their positions, and the length of the file. */
const damage = fc.record({
  changes: fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.uint8Array({ maxLength: 8 })), {
    maxLength: 4,
  }),
  end: fc.oneof(
    { weight: 3, arbitrary: fc.constant(1) },
    { weight: 1, arbitrary: fc.double({ min: 0, max: 1, noNaN: true }) },
  ),
});

it(`opens or refuses a file with any bytes (seed ${seed})`, async () => {
  const whole = await validFile();
  const file = await temporaryFile();
  const tally = { opened: 0, refused: 0 };
  const attack = fc.asyncProperty(damage, async ({ changes, end }) => {
    const bytes = Buffer.from(whole.subarray(0, Math.floor(end * whole.length)));
    for (const [place, values] of changes)
      bytes.set(values.subarray(0, bytes.length), Math.floor(place * Math.max(0, bytes.length - 8)));
    writeFileSync(file, bytes);
    const opened = await openSandbox(file, { startsAt }).catch((error: unknown) => error);
    if (opened instanceof Error) {
      expect(opened.message).toMatch(/^openSandbox: expected '.*' to be a data file of a sandbox, but /s);
      tally.refused += 1;
      return;
    }
    tally.opened += 1;
    const sandbox = await openSandbox(file, { startsAt }).catch(() => undefined);
    expect(sandbox).toBeUndefined();
    await Object(opened).close();
  });
  await fc.assert(attack, property(200));
  expect(tally.opened).toBeGreaterThan(0);
  expect(tally.refused).toBeGreaterThan(0);
});
