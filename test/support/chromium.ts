import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type LaunchOptions,
  type Page,
} from 'playwright-core';
import { inject, onTestFinished } from 'vitest';
import type { TestProject } from 'vitest/node';

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

/** Without a window. Playwright gives it a profile of its own. */
function launchOptions(executablePath: string): LaunchOptions {
  return { executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'] };
}

/** Starts Chromium for a script. Whoever starts it closes it. */
export async function launchChromium(): Promise<Browser> {
  const path = chromiumPath();
  if (path === undefined) throw new Error('chromium is not installed');
  return chromium.launch(launchOptions(path));
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the Chromium of all tests is; empty where none is installed. */
    chromium: string;
  }
}

/** Starts one Chromium for all tests. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const path = chromiumPath();
  const server = path === undefined ? undefined : await chromium.launchServer(launchOptions(path));
  provide('chromium', server?.wsEndpoint() ?? '');
  return async () => server?.close();
}

/** The Chromium of all tests. Whoever connects to it closes the connection. */
export async function connectToChromium(): Promise<Browser> {
  const address = inject('chromium');
  if (address === '') throw new Error('chromium is not installed');
  return chromium.connect(address);
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
  return context.newPage();
}
