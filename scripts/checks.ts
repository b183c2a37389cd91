/** Named checks: prints the result of each, and counts them for the last line of `.ci/run`'s step. */

let passed = 0;
let failed = 0;

/** Runs a check. A check that throws has failed; the output of a program that failed is printed. */
export async function check(what: string, work: () => unknown): Promise<void> {
  try {
    await work();
    passed += 1;
    console.log(`ok   ${what}`);
  } catch (error) {
    failed += 1;
    console.log(`FAIL ${what}`);
    const { stdout = '', stderr = '' } = Object(error);
    console.log(stdout || stderr ? `${stdout}${stderr}` : error);
  }
}

/** Prints the counts. The process exits with 1 if a check failed. */
export function printCounts(name: string): void {
  console.log(`${name}: ${passed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
}
