/** The files of the Next.js page of docs/browser.md, by their paths in the app. */

import { readFileSync } from 'node:fs';

const guide = readFileSync(new URL('../../docs/browser.md', import.meta.url), 'utf8');

export const nextPage: ReadonlyMap<string, string> = new Map(
  [...guide.matchAll(/```tsx\n\/\/ (app\/\S+)\n(.*?)```/gs)].map(([, path = '', code = '']) => [path, code]),
);

/** What the page uses of Next.js, which is not installed: `next/server` as a package beside the page. */
export const nextServer: ReadonlyMap<string, string> = new Map([
  ['node_modules/next/package.json', '{ "type": "module", "exports": { "./server": "./server.js" } }'],
  ['node_modules/next/server.js', 'export const connection = async () => {};'],
  ['node_modules/next/server.d.ts', 'export declare function connection(): Promise<void>;'],
]);

/** Returns the code for the strict compiler. Next.js finds the file of an import without an extension; the compiler does not. */
export function withExtensions(code: string): string {
  return code.replaceAll(
    /from '(\.[^']+)'/g,
    (_, path) => `from '${path}${nextPage.has(`app/${path.split('/').at(-1)}.ts`) ? '.ts' : '.tsx'}'`,
  );
}
