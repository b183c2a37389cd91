import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import puppeteer, { type Browser, type LaunchOptions } from 'puppeteer-core';

const names = ['firefox-esr', 'firefox'];

/** Returns the path of Firefox; `undefined` if it is not installed. `FIREFOX_PATH` overrides it. */
function firefoxPath(): string | undefined {
  const { FIREFOX_PATH, PATH = '' } = process.env;
  if (FIREFOX_PATH !== undefined && FIREFOX_PATH !== '') return FIREFOX_PATH;
  const candidates = PATH.split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  return candidates.find((path) => existsSync(path));
}

/** Returns whether Firefox is available. */
export function hasFirefox(): boolean {
  return firefoxPath() !== undefined;
}

/**
 * Starts Firefox over WebDriver BiDi, since Playwright drives only its own build. The caller closes it.
 *
 * @param preferences As on `about:config`.
 */
export async function launchFirefox(
  preferences: NonNullable<LaunchOptions['extraPrefsFirefox']> = {},
): Promise<Browser> {
  const executablePath = firefoxPath();
  if (executablePath === undefined) throw new Error('firefox is not installed');
  return puppeteer.launch({ browser: 'firefox', executablePath, extraPrefsFirefox: preferences });
}
