import { execFileSync } from 'node:child_process';
import { edgeBundleSize, edgePrograms } from '../edge-bundle.ts';
import { kilobytes, millis, type RowGroup, times } from '../row.ts';
import { median, middleHalf, ratios } from '../statistics.ts';

const rounds = 15;
const folder = new URL('..', import.meta.url).pathname;

/** How long a new process takes to import a package, in ms. */
function importTime(name: string): number {
  const program = `const start = performance.now(); await import('${name}'); console.log(performance.now() - start);`;
  const args = ['--input-type=module', '--eval', program];
  return Number(execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }));
}

export const loading: RowGroup = {
  name: 'import',
  measure: async () => {
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      ours.push(importTime('payments-client'));
      theirs.push(importTime('stripe'));
    }
    const each = ratios(ours, theirs);
    return [
      {
        what: 'import of the main entry, not bundled',
        target: '≤ 1 × stripe',
        figure: times(median(each)),
        isMet: median(each) <= 1,
        spread: middleHalf(each),
        measured: [
          ['payments-client', millis(median(ours))],
          ['stripe', millis(median(theirs))],
        ],
      },
    ];
  },
};

const edgeBound = 1.25;

export const edge: RowGroup = {
  name: 'edge',
  measure: async () => {
    const own = edgeBundleSize(edgePrograms.ours, folder);
    const theirs = edgeBundleSize(edgePrograms.stripe, folder);
    return [
      {
        what: 'edge bundle of a program that creates a payment intent, min + gzip',
        target: `≤ ${edgeBound} × stripe`,
        figure: times(own / theirs),
        isMet: own / theirs <= edgeBound,
        spread: '',
        measured: [
          ['payments-client', kilobytes(own)],
          ['stripe', kilobytes(theirs)],
        ],
      },
    ];
  },
};
