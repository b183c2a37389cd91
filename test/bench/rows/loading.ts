import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';
import { folder } from '../build.ts';
import { output, programs, takeTurns } from '../programs.ts';
import { compare, kilobytes, millis, type Row, type RowGroup } from '../row.ts';

type Module = 'ES' | 'CommonJS';

/** How a new process loads a package. */
const loads: Readonly<Record<Module, (name: string) => readonly string[]>> = {
  ES: (name) => ['--input-type=module', '--eval', `await import('${name}');`],
  CommonJS: (name) => ['--input-type=commonjs', '--eval', `require('${name}');`],
};

/** Prints the processor time of a process, without that of an empty one. */
const printCpu =
  'const { user, system } = process.cpuUsage(); process.on("exit", () => { const end = process.cpuUsage(); console.log((end.user + end.system - user - system) / 1e6); });';

/** Returns how many seconds of CPU time a new process takes to load a package. */
function loadTime(name: string, module: Module): number {
  const before = `data:text/javascript,${encodeURIComponent(printCpu)}`;
  return Number(output('--import', before, ...loads[module](name)));
}

function loadRow(name: string, module: Module, bound: number): Row {
  const times = takeTurns(
    31,
    () => loadTime(name, module),
    () => loadTime('stripe', module),
  );
  return compare({
    what: `import of \`${name}\`, ${module}, CPU time`,
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

/** A program that also verifies webhooks. */
const verifying = `${programs.ours}
import { WebhookVerifier } from 'payments-client/webhooks';

export const verifier = new WebhookVerifier({ secret: 'whsec_bench' });
`;

/** Compares the size of our bundle with a bound: stripe-node validates nothing. */
function bundleRow(what: string, ours: number, bound: number, theirs: number): Row {
  const figure = kilobytes(ours);
  return {
    what: `edge bundle of a program that ${what}, gzip`,
    goal: `≤ ${bound} KB`,
    figure,
    met: ours <= bound * 1000 ? 'yes' : '**no**',
    spread: '',
    measured: `payments-client ${figure}; stripe ${kilobytes(theirs)}`,
  };
}

function bundleRows(): readonly Row[] {
  const theirs = bundleSize(programs.stripe);
  return [
    bundleRow('creates a payment intent', bundleSize(programs.ours), 63, theirs),
    bundleRow('creates one and verifies webhooks', bundleSize(verifying), 70, theirs),
  ];
}

export const loading: readonly RowGroup[] = [
  {
    name: 'import',
    measure: async () => [
      loadRow('payments-client', 'ES', 1),
      loadRow('payments-client', 'CommonJS', 0.75),
      loadRow('payments-client/webhooks', 'ES', 0.5),
    ],
  },
  {
    name: 'edge',
    measure: async () => bundleRows(),
  },
];
