/** The rows as a table for people, and as the one in the documentation. */

import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import type { Row } from './row.ts';

function cellsOf({ what, target, figure, spread, isMet, measured }: Row): readonly string[] {
  const values = measured.map(([name, value]) => `${name} ${value}`).join('; ');
  return [what, target, figure, spread, isMet ? 'yes' : '**no**', values];
}

const head = ['what', 'target', 'figure', 'middle half', 'met', 'measured (medians)'];

/** A table in Markdown, with columns of one width each. */
export function tableOf(rows: readonly Row[]): string {
  const lines = [head, ...rows.map(cellsOf)];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const format = (line: readonly string[]) =>
    `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [first = '', ...others] = lines.map(format);
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [first, rule, ...others].join('\n');
}

const page = new URL('../../docs/performance.md', import.meta.url);
const [begin, end] = ['<!-- figures -->', '<!-- end of figures -->'];

/** Writes the table into the page of the documentation, in place of the one before. */
export function writeReport(rows: readonly Row[], versions: string): void {
  const text = readFileSync(page, 'utf8');
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined)
    throw new Error('docs/performance.md has no place for it.');
  const day = new Date().toISOString().slice(0, 10);
  const machine = `Node ${process.version} on ${process.platform}, ${cpus().length} cores, ${day}. ${versions}`;
  writeFileSync(page, `${before}${begin}\n\n${machine}\n\n${tableOf(rows)}\n\n${end}${after}`);
}
