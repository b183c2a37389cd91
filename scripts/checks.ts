/** Named checks: prints the result of each, and counts them for the last line of `.ci/run`'s step. */

let passed = 0;
let failed = 0;

export function count(isPassed: boolean): void {
  if (isPassed) passed += 1;
  else failed += 1;
}

/** Runs a check. A check that throws has failed; the output of a program that failed is printed. */
export async function check(name: string, run: () => unknown): Promise<void> {
  try {
    await run();
    count(true);
    console.log(`ok   ${name}`);
  } catch (error) {
    count(false);
    console.log(`FAIL ${name}`);
    const { stdout = '', stderr = '' } = Object(error);
    console.log(stdout || stderr ? `${stdout}${stderr}` : error);
  }
}

/** Prints the counts. The process exits with 1 if a check failed. */
export function printCounts(name: string): void {
  console.log(`${name}: ${passed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
}
