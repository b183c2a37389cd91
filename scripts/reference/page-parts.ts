/** Replaces the generated parts of a page, and keeps the text around them. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

const end = '<!-- end of generated -->';

/**
 * Returns a page with new generated parts. Each is between `<!-- generated: name -->` and `<!-- end of generated -->`.
 *
 * @throws Error when the page lacks one.
 */
export function withParts(path: string, parts: Readonly<Record<string, string>>): string {
  let page = readFileSync(resolve(root, path), 'utf8');
  for (const [name, text] of Object.entries(parts)) {
    const start = `<!-- generated: ${name} -->`;
    const [before, after] = page.split(start);
    if (before === undefined || after === undefined)
      throw new Error(`Expected ${start} in ${path}, got none.`);
    page = `${before}${start}\n\n${text.trim()}\n\n${after.slice(after.indexOf(end))}`;
  }
  return page;
}

/** Returns a table. A pipe in a cell is escaped. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `| ${head.map(() => '---').join(' | ')} |`, ...rows.map(line)].join('\n');
}
