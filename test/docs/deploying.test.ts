/** The code of docs/deploying.md is the code of test/frameworks, which runs in Next.js and in workerd. */

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** Code blocks that begin with a file name. */
const quotes = [...read('docs/deploying.md').matchAll(/^```js\n\/\/ (\S+)\n([\s\S]*?)^```$/gm)].map(
  ([, file = '', code = '']) => ({ file, code }),
);

/** Returns the project of a file of the guide. */
const folderOf = (file: string) =>
  file.startsWith('app/') ? 'next/' : file === 'worker.js' ? 'hono-workers/' : '';

const withoutHeader = (code: string) => code.replace(/^\/\*\*.*?\*\/\n\n/s, '');

it('has the shop, the routes and the Worker', () => {
  expect(quotes.map(({ file }) => file)).toEqual([
    'shop.js',
    'app/nodejs/pay/route.js',
    'app/nodejs/webhooks/route.js',
    'worker.js',
  ]);
});

it.each(quotes)('quotes $file of test/frameworks exactly', ({ file, code }) => {
  expect(code).toBe(withoutHeader(read(`test/frameworks/${folderOf(file)}${file}`)));
});
