/** Many processes share the file of a store. */

import { once } from 'node:events';
import { sqliteStore } from 'payments-client/stores';
import { describe, expect, it, onTestFinished } from 'vitest';
import { forkScript } from '../support/programs.ts';
import { temporaryFile } from '../support/temporary-file.ts';
import { cardAndAddress } from './counted-attempts.ts';

describe('many processes that open one new file concurrently', () => {
  const script = new URL('./claiming-process.ts', import.meta.url);

  it('share its claims: each key goes to one of them', async () => {
    const path = await temporaryFile();
    const keys = Array.from({ length: 50 }, (_, index) => `key ${index}`);
    // All processes should have started by then; a late one only claims later.
    const at = Date.now() + 1500;
    const children = Array.from({ length: 6 }, () => forkScript(script, { path, keys, at }));
    const claimed = await Promise.all(
      children.map(async (child) => {
        const [[got], [code]] = await Promise.all([once(child, 'message'), once(child, 'exit')]);
        expect(code).toBe(0);
        return got;
      }),
    );
    expect(claimed.flat().sort()).toEqual(keys.sort());
  });
});

describe('four processes that check the same card', () => {
  const script = new URL('./checking-process.ts', import.meta.url);

  it('share the limits of the card and of its address', async () => {
    const path = await temporaryFile();
    const store = sqliteStore(path);
    onTestFinished(() => store.close());
    const rules = cardAndAddress;
    const children = Array.from({ length: 4 }, () => forkScript(script, { path, rules, tries: 20 }));
    const allowed = await Promise.all(
      children.map(async (child) => {
        const [[count], [code]] = await Promise.all([once(child, 'message'), once(child, 'exit')]);
        expect(code).toBe(0);
        return Number(count);
      }),
    );
    expect(allowed.reduce((sum, count) => sum + count)).toBe(3);
  });
});
