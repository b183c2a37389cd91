/**
 * Plants each defect in a copy of the working tree, and checks that a test fails: `npx node test/planted/run.ts`. With `--draw 20 --seed 7` it plants
 * a sample, with `journal http/items-before-data` those of a room or with a name, with `--draw 0` none: it only checks that each patch
 * applies. Fails if a defect is not found, if a patch does not apply, or if two are one change.
 */

import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { parseArgs, promisify } from 'node:util';
import fc from 'fast-check';
import { allDefects, type Defect } from './defect.ts';
import { Judge } from './judge.ts';
import { Tree } from './tree.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    draw: { type: 'string' },
    seed: { type: 'string', default: '0' },
    /** The number of one of several processes. */
    worker: { type: 'string' },
  },
});

function print(...lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}

const idOf = ({ room, name }: Defect) => `${room}/${name}`;

function chosenFrom(all: Defect[]): Defect[] {
  const chosen =
    positionals.length === 0
      ? all
      : all.filter((defect) => positionals.some((given) => `${idOf(defect)}/`.startsWith(`${given}/`)));
  if (values.draw === undefined) return chosen;
  const size = Math.min(Number(values.draw), chosen.length);
  const samples = fc.shuffledSubarray(chosen, { minLength: size, maxLength: size });
  return fc.sample(samples, { numRuns: 1, seed: Number(values.seed) }).flat();
}

/** Judges defects in this process, and prints a line for each. */
async function judge(defects: readonly Defect[], tree: Tree): Promise<void> {
  const judge = new Judge(tree);
  for (const defect of defects) {
    const { found, failing } = await judge.verdictOn(defect);
    const more = failing.length > 1 ? ` and ${failing.length - 1} more` : '';
    print([`| ${idOf(defect)}`, found, `${failing[0] ?? defect.sentence}${more} |`].join(' | '));
  }
  await judge.close();
  // vitest sets it when a test fails, which is what is wanted here.
  process.exitCode = 0;
}

/** Judges each defect in one of several processes, since each has one tree. Returns the lines that they print. */
async function judgeInProcesses(defects: readonly Defect[]): Promise<string[]> {
  const count = Math.min(availableParallelism(), defects.length);
  const outputs = Array.from({ length: count }, async (_, worker) => {
    const share = defects.filter((__, index) => index % count === worker).map(idOf);
    const args = [...process.execArgv, import.meta.filename, '--worker', String(worker), ...share];
    const running = promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 26 });
    running.child.stdout?.pipe(process.stdout);
    running.child.stderr?.pipe(process.stderr);
    return (await running).stdout.split('\n').filter((line) => line.startsWith('| '));
  });
  return (await Promise.all(outputs)).flat();
}

async function run(): Promise<void> {
  const tree = new Tree('check');
  const all = allDefects();
  const stale = all.flatMap((defect) => {
    const problem = tree.problemOf(defect.path);
    return problem === undefined ? [] : [`${idOf(defect)} does not apply: ${problem}`];
  });
  const repeated = [...Map.groupBy(all, ({ change }) => change).values()]
    .filter(({ length }) => length > 1)
    .map((same) => `${same.map(idOf).join(' and ')} are one change.`);
  const defects = chosenFrom(all);
  const lines = await judgeInProcesses(defects);
  const missed = lines.filter((line) => line.includes('| nowhere |'));
  const byOne = lines.filter((line) => !missed.includes(line) && !/ and \d+ more \|$/.test(line));
  print(
    ...stale,
    ...repeated,
    `${lines.length - missed.length} of ${defects.length} planted defects found, ${byOne.length} of them by one test.`,
  );
  if (stale.length + repeated.length + missed.length > 0 || lines.length < defects.length)
    process.exitCode = 1;
}

if (values.worker === undefined) await run();
else await judge(chosenFrom(allDefects()), new Tree(`worker-${values.worker}`));
