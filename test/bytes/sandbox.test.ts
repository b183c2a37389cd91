/** Whatever arrives at a sandbox, or stands in its data file, it answers or refuses as the service would. */

import { readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { openSandbox } from 'payments-client-sandbox';
import { beforeEach, expect, it, vi } from 'vitest';
import { clientOf, startSandbox } from '../support/sandbox.ts';
import { temporaryFile } from '../support/temporary-file.ts';
import { assertAlways, testParsers } from './parser.ts';
import { requestsOf, sandboxBodies, sandboxForms } from './parsers/sandbox-requests.ts';
import { securityKey } from './service.ts';

const startsAt = Date.UTC(2026, 0, 1);

beforeEach(() => {
  // The sandbox says which unknown parameters it ignored.
  vi.spyOn(console, 'warn').mockReturnValue();
});

testParsers([sandboxBodies, sandboxForms]);

it('a sandbox that listens still responds after every request of the corpus', async () => {
  const sandbox = await startSandbox({ securityKey });
  for (const request of requestsOf(sandbox)) {
    // Armed faults would change the responses.
    sandbox.faults.clear();
    const response = await fetch(request);
    await response.arrayBuffer();
    expect(response.status, request.url).toBeLessThan(500);
  }
  expect(await clientOf(sandbox).refunds.list().toArray({ max: 1000 })).toBeInstanceOf(Array);
});

/** Bytes to write, their positions, and the length of the file. */
const damage = fc.record({
  changes: fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.uint8Array({ maxLength: 8 })), {
    maxLength: 4,
  }),
  end: fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, fc.double({ min: 0, max: 1, noNaN: true })),
});

/** Returns the bytes of a file after its sandbox was closed. */
async function validFile(): Promise<Buffer> {
  const file = await temporaryFile();
  const sandbox = await openSandbox(file, { startsAt });
  sandbox.seed({ customers: 3, intents: 10, months: 1 });
  await sandbox.close();
  return readFileSync(file);
}

it('a data file with any bytes opens once at a time, or is refused and left closed', async () => {
  const whole = await validFile();
  const file = await temporaryFile();
  const endings = { opened: 0, refused: 0 };
  await assertAlways('a data file', damage, 200, async ({ changes, end }) => {
    const bytes = Buffer.from(whole.subarray(0, Math.floor(end * whole.length)));
    for (const [place, values] of changes)
      bytes.set(values.subarray(0, bytes.length), Math.floor(place * Math.max(0, bytes.length - 8)));
    writeFileSync(file, bytes);
    const opened = await openSandbox(file, { startsAt }).catch((error: unknown) => error);
    if (opened instanceof Error) {
      expect(opened.message).toMatch(/^openSandbox: expected '.*' to be a data file of a sandbox, but /s);
      endings.refused += 1;
      return;
    }
    endings.opened += 1;
    try {
      await expect(openSandbox(file, { startsAt })).rejects.toThrow('is open already');
    } finally {
      await Object(opened).close();
    }
  });
  expect(Math.min(endings.opened, endings.refused)).toBeGreaterThan(0);
});
