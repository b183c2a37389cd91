/** Whatever a shell passes. Nothing listens and nothing is sent: a command can neither reach nor start a sandbox here. */

import { afterAll, beforeEach, vi } from 'vitest';
import { testParsers } from './parser.ts';
import { cleanUp, commandLines } from './parsers/command-lines.ts';

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
beforeEach(() => {
  vi.stubGlobal('fetch', async (...given: ConstructorParameters<typeof Request>) => {
    void new Request(...given);
    throw new TypeError('fetch failed', {
      cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }),
    });
  });
});

afterAll(cleanUp);

testParsers([commandLines]);
