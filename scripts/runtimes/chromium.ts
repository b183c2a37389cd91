/** Chromium, for the entries that run in pages. */

import { readFileSync } from 'node:fs';
import { type RequestListener, request as send } from 'node:http';
import { testCards } from 'payments-client/sandbox';
import type { Page } from 'playwright-core';
import { hasChromium, launchChromium } from '../../test/support/chromium.ts';
import { serve } from '../../test/support/serve.ts';
import { bundle } from './esbuild.ts';
import { expectedOfClientInPage, expectedOfPage } from './expected.ts';
import { filesIn } from './marked-package.ts';
import type { VisitInput, VisitResult } from './pages/visit.ts';
import type { Platform, Run } from './platform.ts';
import type { Observations, Service } from './programs/service.ts';
import type { Project } from './project.ts';
import { withSandbox } from './sandbox.ts';

declare global {
  /** In a page: uses the browser entry. */
  var visit: (visit: VisitInput) => Promise<VisitResult>;
  /** In a page: runs the scenario. */
  var runScenario: (service: Service) => Promise<Observations>;
}

/** Scripts by path on the site; the first one is the page's own. */
type Scripts = Readonly<Record<string, string>>;

/** Forwards a request, so that the page has the same origin as the service, which answers no other origin. */
function forward(to: string): RequestListener {
  return (request, response) => {
    const { origin, referer, host, ...headers } = request.headers;
    const outgoing = send(`${to}${request.url}`, { method: request.method, headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    request.pipe(outgoing);
  };
}

/** Returns a site with one page and the service. */
function siteOf(scripts: Scripts, service: string): RequestListener {
  const [script] = Object.keys(scripts);
  const imports = { 'payments-client/browser': '/payments-client.js' };
  const page = `<!doctype html><title>Shop</title><body>
<script type="importmap">${JSON.stringify({ imports })}</script><script type="module" src="${script}"></script>`;
  const forwardRequest = forward(service);
  return (request, response) => {
    const { url = '' } = request;
    const file = scripts[url];
    if (file !== undefined) {
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(readFileSync(file));
    } else if (url === '/') {
      response.writeHead(200, { 'content-type': 'text/html' }).end(page);
    } else {
      forwardRequest(request, response);
    }
  };
}

/** Opens a page of a site, and returns its result and output. */
async function openPage<T>(
  scripts: Scripts,
  service: string,
  work: (page: Page, site: string) => Promise<T>,
): Promise<{ observed: T; output: string }> {
  const site = await serve(siteOf(scripts, service));
  const browser = await launchChromium();
  let output = '';
  try {
    const page = await browser.newPage();
    page.on('console', (message) => {
      output += `${message.text()}\n`;
    });
    await page.goto(site.url);
    await page.waitForFunction('(globalThis.visit ?? globalThis.runScenario) !== undefined');
    return { observed: await work(page, site.url), output };
  } finally {
    await browser.close();
    site.close();
  }
}

/** Opens a page that uses the browser entry, and returns its observations of a sandbox. */
export function visitSite(scripts: Scripts): Promise<Run> {
  return withSandbox(async (sandbox, transport) => {
    const { url: baseUrl, publicKey, secretKey } = sandbox;
    const card = { ccnumber: testCards.frictionless.number, ccexp: '1230', cvv: '123' };
    const visit: VisitInput = { baseUrl, publicKey, secretKey, token: await sandbox.tokenize(card) };
    const { observed, output } = await openPage(scripts, sandbox.url, (page) =>
      page.evaluate((input) => globalThis.visit(input), visit),
    );
    return { observed, files: filesIn(output), transport: transport() };
  });
}

/** The expected result of a page that uses the browser entry. */
export const expectedOfPageRun: Run = {
  observed: expectedOfPage,
  files: ['browser/index.js'],
  transport: 'none',
};

/** Bundles the client for a page, under the condition `browser`, and uses it there. */
async function runPage(project: Project): Promise<Run> {
  const outfile = project.path('out', 'scenario-page.mjs');
  await bundle(project, 'page', outfile, { entryPoints: ['scenario-page.mjs'] });
  return project.runScenario((service) =>
    openPage({ '/page.mjs': outfile }, service.baseUrl, (page, baseUrl) =>
      page.evaluate((input) => globalThis.runScenario(input), { ...service, baseUrl }),
    ),
  );
}

async function versionOfChromium(): Promise<string> {
  const browser = await launchChromium();
  try {
    return browser.version();
  } finally {
    await browser.close();
  }
}

export const chromium: Platform = {
  name: 'chromium',
  packages: {},
  isAvailable: hasChromium,
  version: versionOfChromium,
  cases: (project) => [
    {
      name: 'Chromium, the browser entry as it is',
      expected: expectedOfPageRun,
      run: () =>
        visitSite({
          '/page.mjs': project.path('page.mjs'),
          '/payments-client.js': project.path('node_modules/payments-client/dist/browser/index.js'),
        }),
    },
    {
      name: 'Chromium, the client',
      expected: { observed: expectedOfClientInPage, files: ['index.js'], transport: 'fetch' },
      run: () => runPage(project),
    },
  ],
};
