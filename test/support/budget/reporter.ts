import type { Reporter, TestModule } from 'vitest/node';
import { exceptions, fileLimit, tierLimit } from './limits.ts';

const advice =
  'Make such a test do less, or leave its long form to TEST_SIZE=all. test/support/budget/limits.ts has the limits.';

/** Fails `npm test` if a file, or all files together, cost more processor time than `limits.ts` allows. */
export class CpuBudget implements Reporter {
  readonly #seconds = new Map<string, number>();

  onTestModuleEnd(module: TestModule): void {
    const { cpuSeconds } = module.meta();
    if (cpuSeconds !== undefined) this.#seconds.set(module.relativeModuleId, cpuSeconds);
  }

  onTestRunEnd(): void {
    const files = [...this.#seconds].toSorted(([, one], [, other]) => other - one);
    if (files.length === 0) return;
    const sum = files.reduce((total, [, seconds]) => total + seconds, 0);
    const problems = files.flatMap(([file, seconds]) => {
      const limit = exceptions[file]?.limit ?? fileLimit;
      return seconds > limit ? [`${file} took ${seconds.toFixed(2)} s, more than ${limit} s`] : [];
    });
    if (sum > tierLimit) problems.push(`all files took ${sum.toFixed(0)} s, more than ${tierLimit} s`);
    const verdict = `Processor time of the tests: ${sum.toFixed(1)} s of ${tierLimit} s.`;
    const lines = [verdict, ...problems.map((problem) => `FAIL ${problem}.`)];
    process.stdout.write(`${lines.join('\n')}\n`);
    if (problems.length === 0) return;
    process.stdout.write(`${advice}\n`);
    process.exitCode = 1;
  }
}
