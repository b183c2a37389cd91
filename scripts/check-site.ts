/**
 * Checks the documentation site in a real browser, at desktop and phone size: every link works, no page is wider than
 * the screen, and the search answers questions with the right guide. Link checkers cover neither the layout nor the search.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../test/support/chromium.ts';
import { serve } from '../test/support/serve.ts';
import { count, printCounts } from './checks.ts';
import questions from './tools/site/questions.json' with { type: 'json' };

const root = resolve(import.meta.dirname, '..');
const site = join(root, 'site');
const screens = { desktop: { width: 1280, height: 1000 }, phone: { width: 390, height: 844 } };

/** Counts a check, and prints only a failure, since a site has many links. */
function expect(isMet: boolean, failure: string): void {
  count(isMet);
  if (!isMet) console.log(`FAIL ${failure}`);
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
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    expect(overflow <= 0, `${path} is ${overflow} px wider than a ${screen}`);
  }
  const targets = await page.evaluate<string[]>(
    "[...document.querySelectorAll('a[href]')].map(({ href }) => href)",
  );
  for (const target of new Set(targets.filter((href) => href.startsWith(base)))) linkTargets.add(target);
}

const linkTargets = new Set<string>();

async function checkLinks(): Promise<void> {
  const ids = new Map<string, string>();
  for (const target of linkTargets) {
    const [address = '', fragment] = target.split('#');
    if (!ids.has(address)) {
      const response = await fetch(address);
      expect(response.ok, `${address} is linked but does not exist`);
      ids.set(address, await response.text());
    }
    const text = ids.get(address) ?? '';
    // The buttons of the menu have a link without a fragment target.
    const exists = !fragment || text.includes(`id="${decodeURIComponent(fragment)}"`);
    expect(exists, `${target} is linked but the page has no such id`);
  }
}

/** Checks the page for assistants, and the guides that it links to. */
async function checkMarkdown(base: string): Promise<void> {
  const text = await (await fetch(`${base}/llms.txt`)).text();
  const links = [...text.matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, path = '']) => path);
  expect(links.length > 0, 'llms.txt links to no guide');
  for (const path of links)
    expect((await fetch(`${base}/${path}`)).ok, `llms.txt links to ${path}, which does not exist`);
}

/** Returns the results of a search, best first. */
async function searchFor(page: Page, query: string): Promise<readonly string[]> {
  const results = page.locator('#tsd-search-results li');
  await page.locator('#tsd-search-trigger').click();
  await page.locator('#tsd-search-input').fill('');
  await results.first().waitFor({ state: 'detached', timeout: 10_000 });
  await page.locator('#tsd-search-input').fill(query);
  await results.first().waitFor({ timeout: 10_000 });
  const titles = await results.allInnerTexts();
  await page.keyboard.press('Escape');
  return titles.map((title) => title.trim());
}

async function checkSearch(page: Page, base: string): Promise<void> {
  await page.goto(`${base}/index.html`);
  for (const [question, guide] of Object.entries(questions)) {
    const title = /^# (.+)$/m.exec(readFileSync(join(root, guide), 'utf8'))?.[1] ?? '';
    const results = await searchFor(page, question);
    const isFound = results.slice(0, 2).includes(title);
    expect(isFound, `the search for '${question}' does not find ${title} first or second: ${results}`);
  }
  const names = await searchFor(page, 'toDecimalAmount');
  expect(
    names.some((name) => name.endsWith('toDecimalAmount')),
    'the search does not find toDecimalAmount',
  );
}

async function checkSite(browser: Browser): Promise<void> {
  // Two pages at a time, since CI has two cores.
  const queue = pages().values();
  const checkQueued = async () => {
    const page = await browser.newPage();
    for (const path of queue) await checkPage(page, server.url, path);
  };
  await Promise.all([checkQueued(), checkQueued()]);
  await checkLinks();
  await checkMarkdown(server.url);
  await checkSearch(await browser.newPage(), server.url);
}

const browser = await launchChromium();
try {
  await checkSite(browser);
} finally {
  await browser.close();
  server.close();
}
printCounts('site');
