/** The one test of `npm test` that starts programs: what one process claims in a file, another does not get. */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryFile } from '../support/temporary-file.ts';

const script = fileURLToPath(new URL('two-processes/claiming-process.ts', import.meta.url));

it('two processes claim each key of one SQLite file once', async () => {
  const path = await temporaryFile();
  const keys = Array.from({ length: 20 }, (_, index) => `key ${index}`);
  const claimed = await Promise.all(
    ['one', 'other'].map(async () => {
      const child = fork(script, [path, ...keys], { execArgv: [] });
      const [[got]] = await Promise.all([once(child, 'message'), once(child, 'exit')]);
      return got;
    }),
  );
  expect(claimed.flat().sort()).toEqual(keys.sort());
});
