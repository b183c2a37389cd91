/** A merchant's page on a port of its own, with a policy that allows the sandbox and nothing inline. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Sandbox } from 'payments-client/sandbox';
import { onTestFinished } from 'vitest';

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

/** A server on a free port of this machine, until the test is over. */
export async function serve(html: string, policy: string): Promise<string> {
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy };
  const server = createServer((_, response) => response.writeHead(200, headers).end(html));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server has no address');
  return `http://127.0.0.1:${address.port}`;
}

/**
 * Starts a merchant's site of one page that loads a script of the sandbox.
 *
 * @param body What is in the page, as HTML.
 * @returns The site's origin.
 */
export function startMerchant({ url }: Sandbox, script: string, body = ''): Promise<string> {
  return serve(documentOf(`${url}/js/${script}`, body), policyOf(url));
}
