import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import puppeteer, { type Browser, type LaunchOptions } from 'puppeteer-core';

const names = ['firefox-esr', 'firefox'];

/** Where Firefox is; `undefined` where it is not installed. `FIREFOX_PATH` names another one. */
function firefoxPath(): string | undefined {
  const { FIREFOX_PATH, PATH = '' } = process.env;
  if (FIREFOX_PATH !== undefined && FIREFOX_PATH !== '') return FIREFOX_PATH;
  const candidates = PATH.split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  return candidates.find((path) => existsSync(path));
}

/** Whether there is a Firefox to run. */
export function hasFirefox(): boolean {
  return firefoxPath() !== undefined;
}

/**
 * Starts Firefox over WebDriver BiDi. Playwright drives only its own build of it. Whoever starts it closes it.
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
