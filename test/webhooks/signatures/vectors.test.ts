import { describe, expect, test } from 'vitest';
import { inputOf, paths, verdict, withProcess } from './support.ts';
import { bodyVectors, standardVectors, timestampedVectors, type Vector } from './vectors.ts';

const all: readonly Vector[] = [...standardVectors, ...timestampedVectors, ...bodyVectors];

/** Returns the signatures without the details of format in which senders differ. */
function bare(headers: Readonly<Record<string, string>>): string {
  return JSON.stringify(headers)
    .replaceAll('sha256=', '')
    .replaceAll(/, |,v0=[0-9a-f]+/g, (part) => (part === ', ' ? ',' : ''));
}

describe.each(paths)('signatures published by others, by $path', ({ path, on }) => {
  test.each(all)('verify: $source', async ({ make, secret, signedAt, body, headers }) => {
    const scheme = on(make);
    const delivery = { body, headers, secret, now: signedAt };

    expect(scheme.checkSecret?.(secret)).toBeUndefined();
    expect(await verdict(scheme, delivery)).toBe(true);
    expect(await verdict(scheme, { ...delivery, body: new TextEncoder().encode(body) })).toBe(true);
    expect(await verdict(scheme, { ...delivery, body: `${body} ` })).toBe(false);
  });

  test.each(all.filter(({ signedAt }) => signedAt < 1.6e12 || signedAt % 1000 === 0))(
    'equal the signatures of this package: $source',
    async ({ make, secret, id, signedAt, body, headers }) => {
      const signed = await on(make).sign({ body, id, timestamp: signedAt, secret });
      expect(bare(signed)).toBe(bare(headers));
    },
  );

  test.each(standardVectors)('verify with the header names of Svix: $source', async (vector) => {
    const headers = Object.fromEntries(
      Object.entries(vector.headers).map(([name, value]) => [name.replace('webhook-', 'svix-'), value]),
    );
    const delivery = { body: vector.body, headers, secret: vector.secret, now: vector.signedAt };
    expect(await verdict(on(vector.make), delivery)).toBe(true);
  });

  test.each(standardVectors.filter(({ publicKey }) => publicKey !== undefined))(
    'verify with the public key alone: $source',
    async ({ make, publicKey = '', signedAt, body, headers }) => {
      const delivery = { body, headers, secret: publicKey, now: signedAt };
      expect(await verdict(on(make), delivery)).toBe(true);
      expect(await verdict(on(make), { ...delivery, body: `${body} ` })).toBe(false);
    },
  );

  test('verifies synchronously only with node:crypto', async () => {
    for (const { make, secret, publicKey = secret, signedAt, body, headers } of all) {
      for (const key of [secret, publicKey]) {
        const delivery = { body, headers, secret: key, now: signedAt, tolerance: 0 };
        const result = on(make).verify(inputOf(delivery));
        expect(result instanceof Promise).toBe(path === 'Web Crypto');
        expect(await result).toBe(true);
      }
    }
  });
});

test.each(all)('verify with a stubbed `process`: $source', async (vector) => {
  const { make, secret, signedAt: now, body, headers } = vector;
  // Bundlers insert such a `process` for browsers and Workers.
  const scheme = withProcess({ env: {} }, make);
  expect(await verdict(scheme, { body, headers, secret, now })).toBe(true);
});
