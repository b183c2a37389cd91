/** A small test site: pages with the browser entry, and mock scripts of the service. */

import type { ServerResponse } from 'node:http';
import { resolve } from 'node:path';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import type * as entry from '../../../src/browser/index.ts';
import { openPage } from '../../support/chromium.ts';
import { serve } from '../../support/serve.ts';

declare global {
  /** The browser entry. */
  var sdk: typeof entry;
  /** A second copy of it. */
  var otherCopy: typeof entry;
  /** The notes of scripts and tests. */
  var notes: unknown[];
}

/** The content of a path: a script, or a function that responds. */
type Served = string | ((response: ServerResponse, count: number) => void);

/** A running site. */
export interface Site {
  readonly url: string;
  /** Sets the content of a path. */
  serve(path: string, served: Served): void;
  /** Returns how often a path was requested. */
  count(path: string): number;
  /** Opens a page with the entry as `sdk`. */
  open(options?: PageOptions): Promise<Page>;
}

/** Options of a page. */
interface PageOptions {
  /** Its Content-Security-Policy. Default: none. */
  readonly csp?: string;
  /** The head before the entry. Default: empty. */
  readonly head?: string;
}

const root = resolve(import.meta.dirname, '../../..');

/** Bundles the entry. */
export async function bundle(path = 'src/browser/index.ts', minify = false): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [resolve(root, path)],
    bundle: true,
    format: 'esm',
    target: 'es2022',
    write: false,
    minify,
    alias: { 'payments-client/browser': resolve(root, 'src/browser/index.ts') },
    define: { 'process.env.NODE_ENV': '"development"' },
  });
  return outputFiles.map(({ text }) => text).join('');
}

const setup = `
import * as sdk from '/entry.js';
import * as otherCopy from '/entry.js?copy';
globalThis.notes ??= [];
Object.assign(globalThis, { sdk, otherCopy });`;

/** Starts a site until the test ends. */
export async function startSite(browser: Browser): Promise<Site> {
  const entryText = await bundle();
  const scripts = new Map<string, Served>([
    ['/entry.js', entryText],
    ['/setup.js', setup],
  ]);
  const counts = new Map<string, number>();
  let shown: PageOptions = {};
  const { url, close } = await serve((request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    const count = (counts.get(path) ?? 0) + 1;
    counts.set(path, count);
    response.setHeader('access-control-allow-origin', '*');
    if (path === '/') {
      if (shown.csp !== undefined) response.setHeader('content-security-policy', shown.csp);
      response.setHeader('content-type', 'text/html');
      const scripts = `${shown.head ?? ''}<script type="module" src="/setup.js"></script>`;
      response.end(`<!doctype html><title>Shop</title>${scripts}`);
      return;
    }
    const served = scripts.get(path);
    if (typeof served === 'function') return served(response, count);
    response.setHeader('content-type', 'text/javascript');
    response.statusCode = served === undefined ? 404 : 200;
    response.end(served);
  });
  onTestFinished(close);
  return {
    url,
    serve: (path, served) => void scripts.set(path, served),
    count: (path) => counts.get(path) ?? 0,
    open: async (options = {}) => {
      shown = options;
      const page = await openPage(browser);
      await page.goto(url);
      await page.waitForFunction('globalThis.sdk !== undefined');
      return page;
    },
  };
}

/** A script with the interface's API of `Gateway.js`, which records its calls. */
export const gatewayScript = `
globalThis.notes ??= [];
globalThis.Gateway = {
  create(options) {
    notes.push(['create', options]);
    return {};
  },
};`;

/** A script with the interface's API of card fields: one token per `card` event of the page. */
export const collectScript = `
globalThis.CollectJS = {
  configure(options) {
    notes.push(['configure', Object.keys(options)]);
    this.callback = options.callback;
  },
};
addEventListener('card', ({ detail }) => CollectJS.callback(detail));`;
