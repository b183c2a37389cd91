/** Chromium, for the entries that run in pages. */

import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { testCards } from 'payments-client/sandbox';
import { hasChromium, launchChromium } from '../../test/support/chromium.ts';
import { serve } from '../../test/support/serve.ts';
import type { Kind } from './kind.ts';
import type { Visit, Visited } from './pages/visit.ts';
import type { Project } from './project.ts';
import { wantedOfPage } from './wanted.ts';

declare global {
  /** In a page: what it does with the browser entry. */
  var visit: (visit: Visit) => Promise<Visited>;
}

/** Scripts by their paths on the site; the first one is the page's own. */
type Scripts = Readonly<Record<string, string>>;

/** A site of one page. */
function siteOf(scripts: Scripts): RequestListener {
  const [script] = Object.keys(scripts);
  const imports = { 'payments-client/browser': '/payments-client.js' };
  const page = `<!doctype html><title>Shop</title><body>
<script type="importmap">${JSON.stringify({ imports })}</script><script type="module" src="${script}"></script>`;
  return ({ url = '' }, response) => {
    const file = scripts[url];
    if (file !== undefined) {
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(readFileSync(file));
    } else if (url === '/') {
      response.writeHead(200, { 'content-type': 'text/html' }).end(page);
    } else {
      response.writeHead(404).end();
    }
  };
}

/** Opens a page of a site, and gives what it saw of a sandbox. */
export function visitSite(project: Project, scripts: Scripts): Promise<Visited> {
  return project.withSandbox(async (sandbox) => {
    const { url: baseUrl, publicKey, secretKey } = sandbox;
    const card = { ccnumber: testCards.frictionless.number, ccexp: '1230', cvv: '123' };
    const visit: Visit = { baseUrl, publicKey, secretKey, token: await sandbox.tokenize(card) };
    const site = await serve(siteOf(scripts));
    const browser = await launchChromium();
    try {
      const page = await browser.newPage();
      await page.goto(site.url);
      await page.waitForFunction('globalThis.visit !== undefined');
      return await page.evaluate((told) => globalThis.visit(told), visit);
    } finally {
      await browser.close();
      site.close();
    }
  });
}

export const chromium: Kind = {
  name: 'chromium',
  packages: {},
  isThere: hasChromium,
  cases: (project) => [
    {
      name: 'Chromium, the browser entry as it is',
      wanted: wantedOfPage,
      run: () =>
        visitSite(project, {
          '/page.mjs': project.path('page.mjs'),
          '/payments-client.js': project.path('node_modules/payments-client/dist/browser/index.js'),
        }),
    },
  ],
};
