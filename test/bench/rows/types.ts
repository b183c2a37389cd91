import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { folder } from '../build.ts';
import { output, programs, takeTurns } from '../programs.ts';
import { compare, megabytes, type Row, type RowGroup } from '../row.ts';

const options =
  '--noEmit --strict --target es2022 --lib es2022 --module nodenext --skipLibCheck --ignoreConfig';
const tsc = fileURLToPath(import.meta.resolve('typescript/bin/tsc'));

/** Prints the processor time of the compiler, which reports only its time on the clock. */
const printCpu =
  'data:text/javascript,process.on("exit", () => { const { user, system } = process.cpuUsage(); console.log("CPU: " + (user + system)); })';

interface Cost {
  readonly cpuSeconds: number;
  readonly bytes: number;
}

/** Compiles a program. Throws if it does not compile. */
function compile(name: keyof typeof programs): Cost {
  mkdirSync(join(folder, '.tmp'), { recursive: true });
  const file = join(folder, `.tmp/${name}.mts`);
  writeFileSync(file, programs[name]);
  const printed = output('--import', printCpu, tsc, file, '--extendedDiagnostics', ...options.split(' '));
  const numberAfter = (label: string) => Number(new RegExp(`^${label}:\\s+(\\d+)`, 'm').exec(printed)?.[1]);
  return { cpuSeconds: numberAfter('CPU') / 1e6, bytes: numberAfter('Memory used') * 1024 };
}

function compilationRows(): readonly Row[] {
  const costs = takeTurns(
    7,
    () => compile('ours'),
    () => compile('stripe'),
  );
  const row = (what: string, of: (cost: Cost) => number, unit: (value: number) => string) =>
    compare({
      what: `\`tsc\` on a 10-line program, ${what}`,
      goal: ['≤', 0.7],
      peer: 'stripe',
      ours: costs.ours.map(of),
      theirs: costs.theirs.map(of),
      unit,
    });
  return [
    row(
      'CPU time',
      ({ cpuSeconds }) => cpuSeconds,
      (seconds) => `${seconds.toFixed(2)} s`,
    ),
    row('memory', ({ bytes }) => bytes, megabytes),
  ];
}

export const types: RowGroup = { name: 'types', measure: async () => compilationRows() };
