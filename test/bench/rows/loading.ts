import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';
import { folder } from '../build.ts';
import { output, programs, takeTurns } from '../programs.ts';
import { compare, kilobytes, millis, type Row, type RowGroup } from '../row.ts';

/** Returns how many seconds a new process takes to import a package. */
function importTime(name: string): number {
  const program = `const start = performance.now(); await import('${name}'); console.log(performance.now() - start);`;
  return Number(output('--input-type=module', '--eval', program)) / 1000;
}

function importRow(name: string, bound: number): Row {
  const times = takeTurns(
    21,
    () => importTime(name),
    () => importTime('stripe'),
  );
  return compare({
    what: `import of \`${name}\``,
    goal: ['≤', bound],
    peer: 'stripe',
    ...times,
    unit: millis,
  });
}

/** Returns the size of a program in bytes: bundled, minified and compressed. */
function bundleSize(program: string): number {
  const { outputFiles } = buildSync({
    stdin: { contents: program, loader: 'ts', resolveDir: folder },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    conditions: ['workerd', 'worker', 'browser'],
    logLevel: 'error',
  });
  const [bundle] = outputFiles;
  if (bundle === undefined) throw new Error('expected a bundle, got none.');
  return gzipSync(bundle.contents, { level: 9 }).length;
}

function bundleRow(): Row {
  const sizes = { ours: [bundleSize(programs.ours)], theirs: [bundleSize(programs.stripe)] };
  const what = 'edge bundle of a program that creates a payment intent, gzip';
  return compare({ what, goal: ['≤', 1.4], peer: 'stripe', ...sizes, unit: kilobytes });
}

export const loading: readonly RowGroup[] = [
  {
    name: 'import',
    measure: async () => [importRow('payments-client', 0.9), importRow('payments-client/webhooks', 0.5)],
  },
  { name: 'edge', measure: async () => [bundleRow()] },
];
