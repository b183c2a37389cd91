/** Signatures that others published, and the forms of a header that other senders use. */

import { describe, expect, test } from 'vitest';
import { inputOf, paths, verdict, withProcess } from './support.ts';
import { bodyVectors, standardVectors, timestampedVectors, type Vector } from './vectors.ts';

const all: readonly Vector[] = [...standardVectors, ...timestampedVectors, ...bodyVectors];

/** Returns the signatures without the details of format in which senders differ. */
function bare(headers: Readonly<Record<string, string>>): string {
  return JSON.stringify(headers).replaceAll('sha256=', '').replaceAll(', ', ',');
}

describe.each(paths)('by $path', ({ path, on }) => {
  test.each(all)('a published signature is verified: $source', async (vector) => {
    const { make, secret, publicKey = secret, id, signedAt: now, body, headers } = vector;
    const scheme = on(make);
    for (const key of [secret, publicKey]) {
      const delivery = { body, headers, secret: key, now, tolerance: 0 };
      expect(scheme.checkSecret?.(key)).toBeUndefined();
      const result = scheme.verify(inputOf(delivery));
      expect(result instanceof Promise).toBe(path === 'Web Crypto');
      expect(await result).toBe(true);
      expect(await verdict(scheme, { ...delivery, body: `${body} ` })).toBe(false);
    }
    // One was signed within a second, of which we write only the whole.
    if (now % 1000 !== 0) return;
    expect(bare(await scheme.sign({ body, id, timestamp: now, secret }))).toBe(bare(headers));
  });

  test.each(standardVectors)(
    'headers of Svix are read if only they have a signature: $source',
    async (vector) => {
      const { make, secret, signedAt: now, body } = vector;
      const headers = Object.fromEntries(
        Object.entries(vector.headers).map(([name, value]) => [name.replace('webhook-', 'svix-'), value]),
      );
      expect(await verdict(on(make), { body, headers, secret, now })).toBe(true);
    },
  );
});

test.each(all)(
  'is verified with a stubbed `process`, as bundlers insert for Workers: $source',
  async (vector) => {
    const { make, secret, signedAt: now, body, headers } = vector;
    expect(await verdict(withProcess({ env: {} }, make), { body, headers, secret, now })).toBe(true);
  },
);
