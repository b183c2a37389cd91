/** Many processes share the file of a store. */

import { once } from 'node:events';
import { expect, it } from 'vitest';
import { forkScript } from '../support/programs.ts';
import { temporaryFile } from '../support/temporary-file.ts';
import { cardAndAddress } from './attempts.ts';

it('six processes that create one file at once claim each key once, and share the limits of a card', async () => {
  const keys = Array.from({ length: 50 }, (_, index) => `key ${index}`);
  const task = { path: await temporaryFile(), keys, rules: cardAndAddress, tries: 10 };
  const script = new URL('./sharing-process.ts', import.meta.url);
  const children = Array.from({ length: 6 }, () => forkScript(script, task));
  await Promise.all(children.map((child) => once(child, 'message')));
  const got = await Promise.all(
    children.map(async (child) => {
      const ended = Promise.all([once(child, 'message'), once(child, 'exit')]);
      child.send('start');
      const [[message], [code]] = await ended;
      expect(code).toBe(0);
      return message;
    }),
  );
  expect(got.flatMap(({ claimed }) => claimed).sort()).toEqual(keys.sort());
  expect(got.reduce((sum, { allowed }) => sum + allowed, 0)).toBe(3);
});
