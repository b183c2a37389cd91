/**
 * Checks the documentation site in a real browser, at desktop and phone size: every link works, no page is wider than
 * the screen, and the search finds guides and reference. Link checkers cover neither the layout nor the search.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../test/support/chromium.ts';
import { serve } from '../test/support/serve.ts';

const site = resolve(import.meta.dirname, '../site');
const screens = { desktop: { width: 1400, height: 1000 }, phone: { width: 390, height: 844 } };

let passed = 0;
let failed = 0;

function judge(good: boolean, what: string): void {
  if (good) passed += 1;
  else failed += 1;
  if (!good) console.log(`FAIL ${what}`);
}

const types: Readonly<Record<string, string>> = { html: 'text/html', css: 'text/css', js: 'text/javascript' };

const server = await serve((request, response) => {
  const path = decodeURIComponent(new URL(request.url ?? '/', 'http://site').pathname);
  try {
    const body = readFileSync(join(site, path));
    response.setHeader('content-type', types[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream');
    response.end(body);
  } catch {
    response.writeHead(404).end();
  }
});

/** Returns the pages for readers: the start, each guide, and each entry of the reference. */
function pages(): string[] {
  const inFolder = (folder: string) => readdirSync(join(site, folder)).map((name) => `${folder}/${name}`);
  return ['index.html', ...inFolder('documents'), ...inFolder('modules')];
}

async function checkPage(page: Page, base: string, path: string): Promise<void> {
  for (const [screen, size] of Object.entries(screens)) {
    await page.setViewportSize(size);
    await page.goto(`${base}/${encodeURI(path)}`);
    const wide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    judge(wide <= 0, `${path} is ${wide} px wider than a ${screen}`);
  }
  const targets = await page.evaluate<string[]>(
    "[...document.querySelectorAll('a[href]')].map(({ href }) => href)",
  );
  for (const target of new Set(targets.filter((href) => href.startsWith(base)))) known.add(target);
}

const known = new Set<string>();

/** Checks every linked page and fragment. */
async function checkLinks(): Promise<void> {
  const ids = new Map<string, string>();
  for (const target of known) {
    const [address = '', fragment] = target.split('#');
    if (!ids.has(address)) {
      const response = await fetch(address);
      judge(response.ok, `${address} is linked but does not exist`);
      ids.set(address, await response.text());
    }
    const text = ids.get(address) ?? '';
    // The buttons of the menu have a link without a fragment target.
    const isThere = !fragment || text.includes(`id="${decodeURIComponent(fragment)}"`);
    judge(isThere, `${target} is linked but the page has no such id`);
  }
}

/** The page for assistants, and the guides that it links to. */
async function checkMarkdown(base: string): Promise<void> {
  const text = await (await fetch(`${base}/llms.txt`)).text();
  const links = [...text.matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, path = '']) => path);
  judge(links.length > 0, 'llms.txt links to no guide');
  for (const path of links)
    judge((await fetch(`${base}/${path}`)).ok, `llms.txt links to ${path}, which is not there`);
}

async function checkSearch(page: Page, base: string): Promise<void> {
  await page.goto(`${base}/index.html`);
  for (const [words, found] of [
    ['idempotency', 'Idempotency and outcomes'],
    ['toDecimalAmount', 'toDecimalAmount'],
    ['dunning', 'The sandbox'],
  ] as const) {
    await page.locator('#tsd-search-trigger').click();
    await page.locator('#tsd-search-input').fill(words);
    const result = page.locator('#tsd-search-results li').filter({ hasText: found }).first();
    const isFound = await result.waitFor({ timeout: 10_000 }).then(
      () => true,
      () => false,
    );
    judge(isFound, `the search for '${words}' does not find ${found}`);
    await page.keyboard.press('Escape');
  }
}

async function check(browser: Browser): Promise<void> {
  // Two pages at a time, since CI has two cores.
  const left = pages().values();
  const checkLeft = async () => {
    const page = await browser.newPage();
    for (const path of left) await checkPage(page, server.url, path);
  };
  await Promise.all([checkLeft(), checkLeft()]);
  await checkLinks();
  await checkMarkdown(server.url);
  await checkSearch(await browser.newPage(), server.url);
}

const browser = await launchChromium();
try {
  await check(browser);
} finally {
  await browser.close();
  server.close();
}
console.log(`site: ${passed} passed, ${failed} failed`);
if (failed > 0) process.exitCode = 1;
