/** The mistakes of docs/mistakes.md. */

import { readFileSync } from 'node:fs';

const guide = readFileSync(new URL('../../docs/mistakes.md', import.meta.url), 'utf8');

/** Returns the cells of the table below a heading, without code marks. */
function tableBelow(heading: string): string[][] {
  const section = guide.slice(guide.indexOf(`## ${heading}\n`)).split('\n## ')[0] ?? '';
  const lines = section.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .slice(2, -2)
      .split(' | ')
      .map((cell) => cell.replace(/^`(.*)`$/, '$1')),
  );
}

/** The mistakes that the compiler reports. */
export const refused = tableBelow('Compile errors').map(([mistake = '', code = '', message = '']) => ({
  mistake,
  code,
  message,
}));

/** The mistakes that the SDK reports. */
export const reported = tableBelow('Runtime errors').map(
  ([mistake = '', code = '', name = '', message = '']) => ({ mistake, code, name, message }),
);
