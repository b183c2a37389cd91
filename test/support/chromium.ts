import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { measurePage } from './coverage.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome'];

/** Where Chromium is; `undefined` where it is not installed. `CHROMIUM_PATH` names another one. */
function chromiumPath(): string | undefined {
  const { CHROMIUM_PATH, PATH = '' } = process.env;
  if (CHROMIUM_PATH !== undefined && CHROMIUM_PATH !== '') return CHROMIUM_PATH;
  const candidates = PATH.split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  return candidates.find((path) => existsSync(path));
}

/** Whether there is a Chromium to run. */
export function hasChromium(): boolean {
  return chromiumPath() !== undefined;
}

/** Starts Chromium, without a window and with a profile of its own. Whoever starts it closes it. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = chromiumPath();
  if (executablePath === undefined) throw new Error('chromium is not installed');
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
}

/** Widths that pages are looked at in. */
export const viewports = {
  desktop: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
} as const;

/** A page with cookies and storage of its own, until the test is over. */
export async function openPage(browser: Browser, options?: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ viewport: viewports.desktop, ...options });
  onTestFinished(() => context.close());
  // Long enough for a busy machine, and shorter than a test, so that a failure says what was waited for.
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  if (options?.javaScriptEnabled !== false) await measurePage(page);
  return page;
}
