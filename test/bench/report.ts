/** The rows as a table, on the screen and in the documentation. */

import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { folder } from './build.ts';
import type { Row } from './row.ts';

const head = ['what', 'goal', 'figure', 'middle half', 'met', 'medians'];

function cellsOf({ what, goal, figure, spread, met, measured }: Row): readonly string[] {
  return [what, goal, figure, spread, met, measured];
}

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

function versionOf(name: string): string {
  const { version } = JSON.parse(readFileSync(join(folder, '../node_modules', name, 'package.json'), 'utf8'));
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
  writeFileSync(page, `${before}${begin}\n\n${machine}; ${versions}\n\n${tableOf(rows)}\n\n${end}${after}`);
}
