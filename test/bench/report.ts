/** The rows as a table, on the screen and in the documentation. */

import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { folder } from './build.ts';
import type { Row } from './row.ts';

const columns = {
  what: 'what',
  goal: 'goal',
  figure: 'figure',
  spread: 'middle half',
  met: 'met',
  measured: 'medians',
} as const satisfies Partial<Record<keyof Row, string>>;

type Column = keyof typeof columns;
const everyColumn: readonly Column[] = ['what', 'goal', 'figure', 'spread', 'met', 'measured'];
/** The page leaves out what holds for one machine only. */
const pageColumns: readonly Column[] = ['what', 'goal', 'figure', 'met'];

/** A table in Markdown, with columns of one width each. */
export function tableOf(rows: readonly Row[], shown = everyColumn): string {
  const lines = [shown.map((name) => columns[name]), ...rows.map((row) => shown.map((name) => row[name]))];
  const widths = shown.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const format = (line: readonly string[]) =>
    `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [first = '', ...others] = lines.map(format);
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [first, rule, ...others].join('\n');
}

function versionOf(name: string): string {
  const { version } = JSON.parse(
    readFileSync(join(folder, '../../node_modules', name, 'package.json'), 'utf8'),
  );
  return `${name} ${version}`;
}

const page = join(folder, '../../docs/performance.md');
const [begin, end] = ['<!-- figures -->', '<!-- end of figures -->'];

/** Replaces the table of the documentation. */
export function writeReport(rows: readonly Row[]): void {
  const text = readFileSync(page, 'utf8');
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined)
    throw new Error(`expected ${begin} and ${end} in docs/performance.md.`);
  const day = new Date().toISOString().slice(0, 10);
  const machine = `Node ${process.version} on ${process.platform}, ${cpus().length} cores, ${day}`;
  const versions = ['stripe', 'standardwebhooks'].map(versionOf).join(', ');
  writeFileSync(
    page,
    `${before}${begin}\n\n${machine}; ${versions}\n\n${tableOf(rows, pageColumns)}\n\n${end}${after}`,
  );
}
