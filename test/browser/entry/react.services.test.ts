/**
 * The React bindings in a page, in strict mode, where effects run twice.
 *
 * @module-tag thorough
 */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectToChromium, hasChromium } from '../../support/chromium.ts';
import { always } from '../../support/size.ts';
import { skipWithout } from '../../support/skip.ts';
import { bundle, collectScript, gatewayScript, type Site, startSite } from './site.ts';

const { isSkipped, why } = skipWithout(
  hasChromium(),
  'chromium',
  'test/browser/entry/react.services.test.ts',
);

interface ShopProps {
  readonly environment: string;
  readonly src: string;
  readonly disabled?: boolean;
  readonly fontSize?: number;
  readonly attempt?: number;
  readonly isDeaf?: boolean;
  readonly baseUrl?: string;
}

declare global {
  var payment: ((token: string) => unknown) | undefined;
  var show: (props: ShopProps) => void;
  var hide: () => void;
}

describe.skipIf(isSkipped)(`the React bindings${why}`, { timeout: 300_000 }, () => {
  let browser: Browser;
  let app: string;
  let site: Site;
  let page: Page;

  beforeAll(async () => {
    browser = await connectToChromium();
    app = await bundle('test/browser/entry/react-app.ts');
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    site = await startSite(browser);
    site.serve('/app.js', app);
    site.serve('/js/Gateway.js', gatewayScript);
    site.serve('/fields.js', collectScript);
    page = await site.open();
    await page.addScriptTag({ url: '/app.js', type: 'module' });
    await page.waitForFunction('globalThis.show !== undefined');
  });

  const show = (environment = 'sandbox', src = '/fields.js', more: Partial<ShopProps> = {}) =>
    page.evaluate((props) => globalThis.show(props), { environment, src, ...more });
  const status = (text: string) => page.getByRole('status').filter({ hasText: text }).waitFor();
  const configured = () =>
    page.waitForFunction(() => notes.some((note) => String(note).startsWith('configure')));
  const giveCard = (detail: string) =>
    page.evaluate((detail) => void dispatchEvent(new CustomEvent('card', { detail })), detail);
  const told = (what: string) =>
    page.evaluate((what) => notes.filter((note) => String(note).startsWith(what)), what);

  /** Two frames, in which a page would render what it has. */
  const frames = () =>
    page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const payUntilFinished = () =>
    page.evaluate(() => {
      globalThis.payment = () =>
        new Promise((resolve, reject) => Object.assign(globalThis, { finish: resolve, fail: reject }));
    });
  const hide = async () => {
    await page.evaluate(() => globalThis.hide());
    await page.locator('.card').waitFor({ state: 'detached' });
  };
  const remounts: [string, () => Promise<void>][] = [
    ['with a new key', () => show('sandbox', '/fields.js', { attempt: 2 })],
    ['after they unmounted', () => hide().then(() => show())],
  ];

  it('load the gateway when they mount, and again when an option changes', async () => {
    await show();
    await status('loaded sandbox');
    await page.getByRole('button', { name: 'clicks' }).click();
    await show();
    await status('loaded sandbox');
    const before = (await told('create')).length;
    await show('live');
    await status('loaded live');
    // Twice because effects run twice; a render with the same options creates no client.
    expect([before, (await told('create')).length]).toEqual([2, 3]);
    expect(site.count('/js/Gateway.js')).toBe(1);
  });

  it('keep the gateway of newer options when an older one loads late', always, async () => {
    let release = () => {};
    site.serve('/slow/js/Gateway.js', (response) => {
      release = () => {
        response.setHeader('content-type', 'text/javascript');
        response.end('Gateway.create = () => { throw new Error("of older options") }; notes.push("late");');
      };
    });
    await show('sandbox', '/fields.js', { baseUrl: `${site.url}/slow` });
    await expect.poll(() => site.count('/slow/js/Gateway.js'), { timeout: 60_000 }).toBe(1);
    await show('live');
    await status('loaded live');
    release();
    await page.waitForFunction('notes.includes("late")');
    await frames();
    expect(await page.getByRole('status').textContent()).toBe('loaded live');
  });

  it('report why the gateway did not load', async () => {
    site.serve('/js/Gateway.js', (response) => response.writeHead(500).end());
    await show();
    await status('load_failed');
  });

  it('pass each token to the latest callback', async () => {
    await show();
    await configured();
    await giveCard('tok_1');
    await page.getByRole('button', { name: 'clicks' }).click();
    await page.getByRole('button', { name: '1 clicks' }).waitFor();
    await giveCard('tok_2');
    await page.waitForFunction(() => notes.filter((note) => String(note).startsWith('token')).length === 2);
    expect(await told('token')).toEqual([
      ['token', 'tok_1', 0],
      ['token', 'tok_2', 1],
    ]);
    expect(await told('error')).toEqual([]);
    expect(site.count('/fields.js')).toBe(1);
  });

  it('call no callback after they unmount', async () => {
    await show();
    await configured();
    await hide();
    await giveCard('tok_1');
    expect([await told('token'), await told('error')]).toEqual([[], []]);
  });

  it('report why there are no card fields', async () => {
    await show('sandbox', '/nothing.js');
    await page.waitForFunction(() => notes.some((note) => String(note).startsWith('error')));
    expect(await told('error')).toEqual([['error', 'load_failed', undefined]]);
  });

  const countOf = (what: string, count: number) =>
    page.waitForFunction(
      ([what, count]) => notes.filter((note) => String(note).startsWith(what)).length === count,
      [what, count] as const,
    );
  /** Waits until a card is requested once more. */
  const asked = (times: number) => countOf('configure', times);

  it('accept one card while onToken runs, and drop other tokens', always, async () => {
    await show();
    await asked(1);
    await payUntilFinished();
    for (const token of ['tok_1', 'tok_2', 'tok_3']) await giveCard(token);
    await countOf('token', 1);
    // A new appearance requires another call of the script, which waits too.
    await show('sandbox', '/fields.js', { fontSize: 18 });
    await giveCard('tok_4');
    await page.evaluate('finish()');
    await asked(2);
    await giveCard('tok_5');
    await countOf('token', 2);
    expect(await told('token')).toEqual([
      ['token', 'tok_1', 0],
      ['token', 'tok_5', 0],
    ]);
    expect([await told('error'), await told('ready')]).toEqual([[], [['ready']]]);
  });

  it.each(
    remounts.flatMap(([how, remount]) =>
      ['finish()', "fail('no money')"].map((end) => [how, end, remount] as const),
    ),
  )('accept no card %s until the first payment ends: %s', always, async (_how, end, remount) => {
    await show();
    await asked(1);
    await payUntilFinished();
    await giveCard('tok_1');
    await countOf('token', 1);
    await remount();
    await frames();
    await giveCard('tok_2');
    await page.getByRole('button', { name: 'Pay' }).click();
    await frames();
    expect([await told('token'), await told('error')]).toEqual([[['token', 'tok_1', 0]], []]);
    await page.evaluate(end);
    await asked(2);
    await giveCard('tok_3');
    await countOf('token', 2);
  });

  it.each([
    ['throws', "globalThis.payment = () => { throw 'no money'; }"],
    ['rejects', "globalThis.payment = () => Promise.reject('no money')"],
  ])('report that onToken %s, and accept the next card', async (_, program) => {
    await show();
    await asked(1);
    await page.evaluate(program);
    await giveCard('tok_1');
    await asked(2);
    await giveCard('tok_2');
    await asked(3);
    expect(await told('token')).toHaveLength(2);
    const failed = ['error', 'callback_failed', 'no money'];
    expect(await told('error')).toEqual([failed, failed]);
  });

  it('pass an error without a handler to the page', async () => {
    const thrown = page.waitForEvent('pageerror');
    await show('sandbox', '/fields.js', { isDeaf: true });
    await asked(1);
    await page.evaluate("globalThis.payment = () => Promise.reject('no money')");
    await giveCard('tok_1');
    expect((await thrown).message).toContain('onToken');
    await asked(2);
  });

  it('report a payment that failed after they unmounted', async () => {
    await show();
    await asked(1);
    await payUntilFinished();
    await giveCard('tok_1');
    await countOf('token', 1);
    await hide();
    await page.evaluate("fail('no money')");
    await countOf('error', 1);
    expect(await told('error')).toEqual([['error', 'callback_failed', 'no money']]);
  });

  it('accept no card while they are disabled, whatever the script does', async () => {
    await show('sandbox', '/fields.js', { disabled: true });
    await asked(1);
    expect(await page.locator('.card').evaluate((element: HTMLElement) => element.inert)).toBe(true);
    await giveCard('tok_1');
    await asked(2);
    await page.getByRole('button', { name: 'Pay' }).click();
    await show();
    await page.waitForFunction(() => document.querySelector<HTMLElement>('.card')?.inert === false);
    await giveCard('tok_2');
    await countOf('token', 1);
    expect([await told('token'), await told('error')]).toEqual([[['token', 'tok_2', 0]], []]);
  });

  it('report what a script does not support, and use alternative method names', async () => {
    await show();
    await asked(1);
    await page.getByRole('button', { name: 'Pay' }).click();
    await countOf('error', 1);
    expect(await told('error')).toEqual([['error', 'not_supported', undefined]]);
    await page.evaluate(() =>
      Object.assign(Reflect.get(globalThis, 'CollectJS'), {
        startPaymentRequest: () => notes.push('started'),
      }),
    );
    await page.getByRole('button', { name: 'Pay' }).click();
    expect(await told('started')).toEqual(['started']);
  });
});
