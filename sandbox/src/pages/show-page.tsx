import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { type AssetName, assetPath } from './assets.ts';

/** A page to send. */
interface Page {
  /** The document title. */
  readonly title: string;
  /** The content of `body`. */
  readonly body: ComponentChildren;
  /** The style sheet. */
  readonly style: AssetName;
  /** The script. Default: none. */
  readonly script?: AssetName | undefined;
  /** The HTTP status. Default: 200. */
  readonly status?: number | undefined;
  /** Origins, besides its own, that its forms may lead to. Default: none. */
  readonly formsLeadTo?: readonly string[] | undefined;
  /** The only origin that may embed it in a frame. Default: none. */
  readonly framedBy?: string | undefined;
}

/** Returns the Content-Security-Policy. It allows only what is listed here. */
function policyOf({ formsLeadTo = [], framedBy = "'none'" }: Page): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    'img-src data:',
    `form-action ${["'self'", ...formsLeadTo].join(' ')}`,
    `frame-ancestors ${framedBy}`,
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

function Document({ title, body, style, script }: Page) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href={assetPath(style)} />
        {script && <script src={assetPath(script)} defer />}
      </head>
      <body>{body}</body>
    </html>
  );
}

/** Sends a page: never cached, without a cross-origin referrer, and restricted by its policy. */
export function showPage(page: Page): Response {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policyOf(page),
    'cache-control': 'no-store',
    // With `no-referrer`, browsers would send `Origin: null` with the page's own forms.
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  };
  return new Response(`<!doctype html>${renderToString(<Document {...page} />)}`, {
    status: page.status ?? 200,
    headers,
  });
}
