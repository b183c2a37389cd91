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

/** Returns the path of Chromium; `undefined` if it is not installed. `CHROMIUM_PATH` overrides it. */
function chromiumPath(): string | undefined {
  const { CHROMIUM_PATH, PATH = '' } = process.env;
  if (CHROMIUM_PATH !== undefined && CHROMIUM_PATH !== '') return CHROMIUM_PATH;
  const candidates = PATH.split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  return candidates.find((path) => existsSync(path));
}

/** Returns whether Chromium is available. */
export function hasChromium(): boolean {
  return chromiumPath() !== undefined;
}

/** Headless. Playwright creates a profile for it. */
function launchOptions(executablePath: string): LaunchOptions {
  return { executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'] };
}

/** Starts Chromium for a script. The caller closes it. */
export async function launchChromium(): Promise<Browser> {
  const path = chromiumPath();
  if (path === undefined) throw new Error('chromium is not installed');
  return chromium.launch(launchOptions(path));
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the shared Chromium; empty if none is installed. */
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

/** Connects to the shared Chromium. The caller closes the connection. */
export async function connectToChromium(): Promise<Browser> {
  const address = inject('chromium');
  if (address === '') throw new Error('chromium is not installed');
  return chromium.connect(address);
}

/** The page widths of the tests. */
export const viewports = {
  desktop: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
} as const;

/** Opens a page with its own cookies and storage until the test ends. */
export async function openPage(browser: Browser, options?: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ viewport: viewports.desktop, ...options });
  onTestFinished(() => context.close());
  // Long enough for a busy machine, but shorter than a test, so that a failure names the awaited condition.
  context.setDefaultTimeout(60_000);
  return context.newPage();
}
