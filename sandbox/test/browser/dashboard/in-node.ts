/** Renders parts of the dashboard to HTML without a browser. What only a browser does: the `.services.test.ts` files. */

import type { Sandbox } from 'payments-client-sandbox';
import { type ComponentType, h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { vi } from 'vitest';

const origin = 'http://127.0.0.1:4242';

/** Puts the globals in place that the modules of the dashboard read, until the test ends. */
export function stubPage(): void {
  const dataset = { key: 'key', publicKey: 'pk', types: '', operations: 'refunds.create customers.list' };
  vi.stubGlobal('document', { querySelector: () => ({ dataset }) });
  vi.stubGlobal('location', { hash: '#/', origin });
  vi.stubGlobal('addEventListener', () => {});
}

/** Loads modules of the dashboard, which look at their page at once. */
export async function withPage<T>(load: () => Promise<T>): Promise<T> {
  stubPage();
  try {
    return await load();
  } finally {
    vi.unstubAllGlobals();
  }
}

/** Renders a component. */
export function htmlOf<Props extends object>(component: ComponentType<Props>, props: Props): string {
  return renderToString(h(component, props)).replaceAll(/<wbr\/>/g, '');
}

/** The texts of some HTML, separated by single blanks. */
export function textOf(html: string): string {
  return html
    .replaceAll(/<\/?span>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Reads a path of the control API. */
export async function control<T>({ url, secretKey, fetch }: Sandbox, path: string): Promise<T> {
  const headers = { authorization: `Bearer ${secretKey}` };
  return JSON.parse(await (await fetch(new Request(`${url}/_sandbox/${path}`, { headers }))).text());
}
