/** A shop on `createOrders` is short: no file has more than 60 lines of code, and the tea shop is one file. */

import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const examples = new URL('../../examples/', import.meta.url);

const shops = [
  'tea-shop.mjs',
  'checkout-express.ts',
  'card-sale.cjs',
  ...['durable', 'serverless', 'web-checkout'].flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, examples), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(?:ts|js)$/.test(file))
      .map((file) => `${folder}/${file}`),
  ),
];

it.each(shops)('%s has at most 60 lines below its first comment', (file) => {
  const text = readFileSync(new URL(file, examples), 'utf8');
  const code = text.replace(/^\/\*\*.*?\*\/\n+/s, '');
  expect(code.trimEnd().split('\n').length).toBeLessThanOrEqual(60);
});
