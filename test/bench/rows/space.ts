import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { install, packedPackages } from '../../../scripts/consumer.ts';
import { folder } from '../build.ts';
import { output } from '../programs.ts';
import { withServer } from '../race.ts';
import { compare, megabytes, type Row, type RowGroup } from '../row.ts';

function bytesOf(path: string): number {
  return Number.parseInt(execFileSync('du', ['-sk', path], { encoding: 'utf8' }), 10) * 1024;
}

/** Compares what a merchant's disk gets. stripe-node has no dependencies. */
async function diskRow(): Promise<Row> {
  const merchant = mkdtempSync(join(tmpdir(), 'payments-client-bench-'));
  const { 'payments-client': sdk = '' } = packedPackages();
  await install(merchant, { 'payments-client': sdk });
  const ours = [bytesOf(join(merchant, 'node_modules'))];
  rmSync(merchant, { recursive: true });
  const theirs = [bytesOf(join(folder, '../../node_modules/stripe'))];
  const what = 'installed, with all dependencies';
  return compare({ what, goal: ['≤', 0.75], peer: 'stripe', ours, theirs, unit: megabytes });
}

/** Returns the most bytes in use after a collection, while a list is read. */
function peakOver(total: number): Promise<number> {
  return withServer({ total }, async (url) =>
    Number(output('--expose-gc', join(folder, 'memory-reader.ts'), url)),
  );
}

async function memoryRow(): Promise<Row> {
  const peaks = { ours: [await peakOver(1_000_000)], theirs: [await peakOver(300_000)] };
  const what = 'peak memory in use over 1,000,000 records';
  return compare({ what, goal: ['≤', 1.1], peer: 'that of 300,000', ...peaks, unit: megabytes });
}

export const space: readonly RowGroup[] = [
  { name: 'disk', measure: async () => [await diskRow()] },
  { name: 'memory', measure: async () => [await memoryRow()] },
];
