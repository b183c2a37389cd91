/** The files of the Next.js page of docs/browser.md, by their paths in the app. */

import { readFileSync } from 'node:fs';

const guide = readFileSync(new URL('../../docs/browser.md', import.meta.url), 'utf8');

export const nextPage: ReadonlyMap<string, string> = new Map(
  [...guide.matchAll(/```tsx\n\/\/ (app\/\S+)\n(.*?)```/gs)].map(([, path = '', code = '']) => [path, code]),
);

/** Returns the code for the strict compiler. Next.js finds the file of an import without an extension; the compiler does not. */
export function withExtensions(code: string): string {
  return code.replaceAll(
    /from '(\.[^']+)'/g,
    (_, path) => `from '${path}${nextPage.has(`app/${path.split('/').at(-1)}.ts`) ? '.ts' : '.tsx'}'`,
  );
}
