import type { Reporter, TestModule } from 'vitest/node';
import { exceptions, fileLimit, tierLimit } from './limits.ts';

const advice =
  'Make such a test do less, or leave its long form to TEST_SIZE=all. test/support/budget/limits.ts has the limits.';

/**
 * Returns the value that a quarter of the measurements is below; 1 if there is none. Others may have been interrupted: on a busy machine most
 * are, and the limits are wide then.
 */
function lowerQuartile(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 4)] ?? 1;
}

/** Fails `npm test` if a file, or all files together, cost more processor time than `limits.ts` allows. */
export class CpuBudget implements Reporter {
  readonly #seconds = new Map<string, number>();
  readonly #slowness: number[] = [];

  onTestModuleEnd(module: TestModule): void {
    const { cpuSeconds, slowness } = module.meta();
    if (cpuSeconds !== undefined) this.#seconds.set(module.relativeModuleId, cpuSeconds);
    if (slowness !== undefined) this.#slowness.push(slowness);
  }

  onTestRunEnd(): void {
    // A machine that is faster than the reference machine does not count as one: the limits are for it too.
    const slowness = Math.max(1, lowerQuartile(this.#slowness));
    const files = [...this.#seconds].map(([file, seconds]) => [file, seconds / slowness] as const);
    if (files.length === 0) return;
    const sum = files.reduce((total, [, seconds]) => total + seconds, 0);
    const problems = files
      .toSorted(([, one], [, other]) => other - one)
      .flatMap(([file, seconds]) => {
        const limit = exceptions[file]?.limit ?? fileLimit;
        return seconds > limit ? [`${file} took ${seconds.toFixed(2)} s, more than ${limit} s`] : [];
      });
    if (sum > tierLimit) problems.push(`all files took ${sum.toFixed(0)} s, more than ${tierLimit} s`);
    const verdict = `Processor time of the tests: ${sum.toFixed(1)} s of ${tierLimit} s, on a machine ${slowness.toFixed(1)} times slower than the reference machine.`;
    const lines = [verdict, ...problems.map((problem) => `FAIL ${problem}.`)];
    process.stdout.write(`${lines.join('\n')}\n`);
    if (problems.length === 0) return;
    process.stdout.write(`${advice}\n`);
    process.exitCode = 1;
  }
}
