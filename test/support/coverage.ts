/** Notes down what ran outside of the tests' own processes, while coverage is measured; `scripts/coverage.ts` reads it. */

import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { onTestFinished } from 'vitest';

const folder = process.env['COVERAGE_FOLDER'];

/** Whether coverage is measured. */
export const isMeasured = folder !== undefined;

/** Notes down what runs in a page, until the test is over. */
export async function measurePage(page: Page): Promise<void> {
  if (folder === undefined) return;
  await page.coverage.startJSCoverage({ resetOnNavigation: false });
  onTestFinished(async () => {
    const scripts = await page.coverage.stopJSCoverage();
    const browser = join(folder, 'browser');
    await mkdir(browser, { recursive: true });
    await writeFile(join(browser, `${randomUUID()}.json`), JSON.stringify(scripts));
  });
}

/** What makes a Node process note down what runs in it. */
export function measuredEnvironment(): Readonly<Record<string, string>> {
  return folder === undefined ? {} : { NODE_V8_COVERAGE: join(folder, 'processes') };
}
