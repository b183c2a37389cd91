/** A merchant's page on its own port, with a policy that allows the sandbox and no inline code. */

import type { Sandbox } from 'payments-client-sandbox';
import { onTestFinished } from 'vitest';
import { serve } from '../../../../test/support/serve.ts';

function policyOf(sandbox: string): string {
  return [
    "default-src 'none'",
    `script-src ${sandbox}`,
    `connect-src ${sandbox}`,
    `frame-src ${sandbox}`,
    "style-src 'none'",
    'img-src data:',
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

function documentOf(script: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>Tea shop</title>
<link rel="icon" href="data:,"><script src="${script}" async></script></head>
<body><main><h1>Tea shop</h1>${body}</main></body></html>`;
}

/** Serves one page until the end of the test. */
async function servePage(html: string, policy: string): Promise<string> {
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy };
  const { url, close } = await serve((_, response) => response.writeHead(200, headers).end(html));
  onTestFinished(close);
  return url;
}

/**
 * Starts a merchant's site with one page that loads a script of the sandbox.
 *
 * @param body The page's content, as HTML.
 * @returns The site's origin.
 */
export function startMerchant({ url }: Sandbox, script: string, body = ''): Promise<string> {
  return servePage(documentOf(`${url}/js/${script}`, body), policyOf(url));
}
