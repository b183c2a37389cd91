/**
 * The card-field script as a merchant’s page has it.
 *
 * @module-tag thorough
 */

import { testCards } from 'payments-client/sandbox';
import type { Browser, FrameLocator, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violationsOf } from '../../support/axe.ts';
import { connectToChromium, hasChromium, openPage, viewports } from '../../support/chromium.ts';
import { clientOf, startSandbox } from '../../support/sandbox.ts';
import { skipWithout } from '../../support/skip.ts';
import { startMerchant } from '../gateway/merchant.ts';

const file = 'test/browser/card-fields/card-fields.test.ts';
const { isSkipped, why } = skipWithout(hasChromium(), 'chromium', file);

/** What the script is to a page, by the interface; the target is the sandbox's own. */
declare const CollectJS: {
  configure(options: { callback: (token: string) => void; target?: Element | string }): void;
};

/** What the page's callbacks were given, in order. */
declare const tokens: string[];

const place = '<div id="card-fields"></div><p>After it</p>';
const { number } = testCards.addressOnly;
const aToken = expect.stringMatching(/^tok_[0-9a-z]{16}$/);

describe.skipIf(isSkipped)(`CollectJS.js in a merchant's page${why}`, { timeout: 60_000 }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await connectToChromium();
  }, 60_000);
  afterAll(() => browser?.close());

  async function open(body = place, options?: Parameters<typeof openPage>[1]) {
    const sandbox = await startSandbox();
    const page = await openPage(browser, options);
    const complaints: string[] = [];
    const requests: Request[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.context().on('request', (request) => requests.push(request));
    const shop = await startMerchant(sandbox, 'CollectJS.js', body);
    await page.goto(shop);
    await page.waitForFunction(() => 'CollectJS' in window);
    await page.evaluate(() => Object.assign(window, { tokens: [] }));
    return { sandbox, page, shop, complaints, requests, frame: page.frameLocator('iframe[title="Card"]') };
  }

  const configure = (page: Page, mark = '') =>
    page.evaluate(
      (before) => CollectJS.configure({ callback: (token) => tokens.push(before + token) }),
      mark,
    );

  async function shown(body?: string, options?: Parameters<typeof openPage>[1]) {
    const opened = await open(body, options);
    await configure(opened.page);
    await opened.frame.getByRole('heading', { name: 'Your card' }).waitFor();
    return opened;
  }

  async function type(frame: FrameLocator, ccnumber: string, expiry = '1230', code = '123') {
    await frame.getByLabel('Card number').fill(ccnumber);
    await frame.getByLabel('Expiry').fill(expiry);
    await frame.getByLabel('Security code').fill(code);
  }

  const use = (frame: FrameLocator) => frame.getByRole('button', { name: 'Use this card' }).click();

  async function tokensOf(page: Page, count: number): Promise<string[]> {
    await page.waitForFunction((expected) => tokens.length >= expected, count);
    return page.evaluate(() => tokens);
  }

  it('gives a token for a card that is typed in by keyboard alone', async () => {
    const { sandbox, page, complaints } = await shown();
    await page.keyboard.press('Tab');
    for (const text of [number, '1230', '123']) {
      await page.keyboard.type(text);
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    const [token] = await tokensOf(page, 1);
    expect(token).toEqual(aToken);
    const sale = await clientOf(sandbox).transact.sale({ amount: '1.00', payment_token: token ?? '' });
    expect([sale.approved, sale.avs?.code]).toEqual([true, 'A']);
    expect(complaints).toEqual([]);
    expect(sandbox.requests.map(({ operation, status }) => `${operation} ${status}`)).toEqual([
      'scripts.load 200',
      'cardFields.show 200',
      'cardFields.tokenize 200',
      'transact.submit 200',
    ]);
  });

  it('says what is wrong with each field, puts the focus on the first, and takes the corrected card', async () => {
    const { page, frame } = await shown();
    await type(frame, '9999001000000011', '13/30', '1');
    await use(frame);
    await frame.getByText('Check the card number').waitFor();
    const wrong = frame.locator('[aria-invalid=true]');
    expect(await wrong.count()).toBe(3);
    const name = frame.getByLabel('Card number');
    expect(await name.evaluate((input) => input === document.activeElement)).toBe(true);
    expect(await name.getAttribute('aria-describedby')).toContain('ccnumber-problem');
    await type(frame, number, '12/30', '123');
    await frame.getByLabel('Expiry').fill('99/99');
    await use(frame);
    await frame.getByText('Enter the month and the year').waitFor();
    expect(await wrong.count()).toBe(1);
    expect(await frame.locator(':focus').getAttribute('name')).toBe('ccexp');
    await frame.getByLabel('Expiry').fill('12/30');
    await use(frame);
    expect(await tokensOf(page, 1)).toEqual([aToken]);
    expect(await wrong.count()).toBe(0);
  });

  it('is empty and ready after a token, and gives the next one to the newest callback', async () => {
    const { page, frame } = await shown();
    await type(frame, number);
    await use(frame);
    await tokensOf(page, 1);
    await frame.getByRole('status').getByText('The shop has your card.').waitFor();
    for (const label of ['Card number', 'Expiry', 'Security code']) {
      expect(await frame.getByLabel(label).inputValue()).toBe('');
    }
    await configure(page, 'second ');
    expect(await page.locator('iframe').count()).toBe(1);
    await type(frame, number);
    await use(frame);
    const [first, second] = await tokensOf(page, 2);
    expect(first).toEqual(aToken);
    expect(second).toMatch(/^second tok_/);
    expect(second).not.toContain(first);
  });

  it('offers test cards, so that nobody has to look one up', async () => {
    const { sandbox, page, frame } = await shown();
    await frame.getByText('Test cards').click();
    const card = testCards.doNotHonor.number.replaceAll(/(\d{4})(?=\d)/g, '$1 ');
    await frame
      .getByRole('listitem')
      .filter({ hasText: 'Declined: do not honor' })
      .getByRole('button')
      .click();
    expect(await frame.getByLabel('Card number').inputValue()).toBe(card);
    await page.keyboard.press('Enter');
    const [token = ''] = await tokensOf(page, 1);
    const sale = await clientOf(sandbox).transact.sale({ amount: '1.00', payment_token: token });
    expect(sale.responsetext).toBe('Do not honor');
  });

  it('sends the number to the sandbox once, and nowhere else', async () => {
    const { sandbox, page, frame, requests, shop } = await shown();
    await type(frame, number);
    await use(frame);
    await tokensOf(page, 1);
    const carrying = requests.filter((request) => {
      const all = [request.url(), request.postData() ?? '', JSON.stringify(request.headers())].join(' ');
      return decodeURIComponent(all).replaceAll(/[\s+]/g, '').includes(number);
    });
    expect(carrying.map((request) => `${request.method()} ${request.url()}`)).toEqual([
      `POST ${sandbox.url}/browser/tokens`,
    ]);
    const kept = await page.context().storageState({ indexedDB: true });
    expect(kept).toEqual({ cookies: [], origins: [] });
    expect(page.url()).toBe(`${shop}/`);
    expect(JSON.stringify([sandbox.requests, sandbox.events, sandbox.snapshot()])).not.toContain(number);
  });

  it('keeps the card from the page that shows the frame', async () => {
    const { page, frame } = await shown();
    await page.evaluate(() => {
      Object.assign(window, { heard: [] });
      addEventListener('message', ({ data }) => Object(window).heard.push(JSON.stringify(data)));
    });
    await type(frame, number);
    const seen = await page.evaluate(() => {
      const element = document.querySelector('iframe');
      try {
        return element?.contentWindow?.document.body.textContent;
      } catch (error) {
        return [element?.contentDocument, String(error).includes('cross-origin')];
      }
    });
    expect(seen).toEqual([null, true]);
    await use(frame);
    await tokensOf(page, 1);
    const heard = await page.evaluate(() => Object(window).heard.join());
    expect(heard).toContain('tok_');
    expect(heard.replaceAll(/\s/g, '')).not.toContain(number);
  });

  it('hears no stranger', async () => {
    const { sandbox, page, frame } = await shown();
    await page.evaluate(async (sandboxOrigin) => {
      const own = document.querySelector('iframe')?.contentWindow ?? null;
      const stranger = document.body.appendChild(document.createElement('iframe')).contentWindow;
      const data = { kind: 'token', token: 'tok_forged' };
      const heard = new Promise((resolve) => addEventListener('message', resolve, { once: true }));
      postMessage(data, '*');
      await heard;
      dispatchEvent(new MessageEvent('message', { data, source: stranger, origin: sandboxOrigin }));
      dispatchEvent(new MessageEvent('message', { data, source: own, origin: location.origin }));
      dispatchEvent(new MessageEvent('message', { data: null, source: own, origin: sandboxOrigin }));
    }, new URL(sandbox.url).origin);
    await type(frame, number);
    await use(frame);
    expect(await tokensOf(page, 1)).toEqual([aToken]);
  });

  it('is shown by no page but the one that it is opened for', async () => {
    const { page, sandbox } = await shown();
    const address = await page.locator('iframe').getAttribute('src');
    const other = await openPage(browser);
    const refusals: string[] = [];
    other.on('console', (message) => refusals.push(message.text()));
    await other.goto(await startMerchant(sandbox, 'CollectJS.js'));
    await other.evaluate(async (src) => {
      const frame = document.createElement('iframe');
      const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
      frame.src = src ?? '';
      document.body.append(frame);
      await loaded;
    }, address);
    expect(await other.frameLocator('iframe').getByLabel('Card number').count()).toBe(0);
    expect(refusals.join()).toMatch(/frame-ancestors/);
  });

  it('goes where the target says, by selector or as an element, and moves', async () => {
    const { page } = await open('<div id="left"></div><div id="right"></div>');
    await page.evaluate(() => CollectJS.configure({ callback: () => {}, target: '#left' }));
    expect(await page.locator('#left iframe').count()).toBe(1);
    await page.evaluate(() => {
      const target = document.querySelector('#right');
      if (target !== null) CollectJS.configure({ callback: () => {}, target });
    });
    expect(await page.locator('#left iframe').count()).toBe(0);
    expect(await page.locator('#right iframe').count()).toBe(1);
  });

  it('is shown again where the page threw it away', async () => {
    const { page, frame } = await shown();
    await page.evaluate(() => document.querySelector('#card-fields')?.replaceChildren());
    await configure(page);
    await frame.getByLabel('Card number').waitFor();
    expect(await page.locator('iframe').count()).toBe(1);
  });

  it.each([
    ['no callback', '{}', /expected callback to be a function, got undefined/],
    ['nothing', 'undefined', /expected callback to be a function/],
    ['a number as target', '{"target":1}', /expected target to be an element or a selector, got number/],
    ['a selector of nothing', '{"target":"#no"}', /expected target to select an element, got '#no'/],
  ])('refuses %s', async (_, options, expected) => {
    const { page } = await open();
    const message = await page.evaluate((given) => {
      const read = given === 'undefined' ? undefined : JSON.parse(given);
      const options = read !== undefined && 'target' in read ? { ...read, callback: () => {} } : read;
      try {
        CollectJS.configure(options);
        return 'configured';
      } catch (error) {
        return String(error);
      }
    }, options);
    expect(message).toMatch(expected);
  });

  describe('without a place for it', () => {
    it('opens a dialog, which has the focus, and closes with the token', async () => {
      const { page, frame, complaints } = await open('<button>Pay</button>');
      await page.getByRole('button', { name: 'Pay' }).focus();
      await configure(page);
      await page.getByRole('dialog', { name: 'Card' }).waitFor();
      await frame.locator('#ccnumber:focus').waitFor();
      await page.keyboard.type(number);
      await frame.getByLabel('Expiry').fill('12/30');
      await frame.getByLabel('Security code').fill('123');
      await page.keyboard.press('Enter');
      expect(await tokensOf(page, 1)).toEqual([aToken]);
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Pay');
      await configure(page);
      await frame.getByLabel('Card number').waitFor();
      expect(complaints).toEqual([]);
    });

    it('opens again for a page that asks for the next card as soon as it has one', async () => {
      const { page, frame } = await open('');
      await page.evaluate(() => {
        const callback = (token: string) => {
          tokens.push(token);
          if (tokens.length === 1) CollectJS.configure({ callback });
        };
        CollectJS.configure({ callback });
      });
      for (const count of [1, 2]) {
        await type(frame, number);
        await use(frame);
        await tokensOf(page, count);
      }
      expect(await page.evaluate(() => tokens)).toEqual([aToken, aToken]);
      expect(await page.locator('dialog').count()).toBe(0);
    });

    it('opens again where it was closed by the page a moment ago', async () => {
      const { page, frame } = await open('');
      await configure(page);
      await frame.getByLabel('Card number').waitFor();
      await page.evaluate(() => {
        document.querySelector('dialog')?.close();
        CollectJS.configure({ callback: (token) => tokens.push(token) });
      });
      await type(frame, number);
      await use(frame);
      expect(await tokensOf(page, 1)).toEqual([aToken]);
    });

    it.each([
      ['Escape', (page: Page) => page.keyboard.press('Escape')],
      ['its button', (page: Page) => page.getByRole('button', { name: 'Close' }).click()],
    ])('can be left by %s, and opened again', async (_, leave) => {
      const { page, frame } = await open('<button>Pay</button>');
      await configure(page);
      await frame.locator('#ccnumber:focus').waitFor();
      await leave(page);
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await configure(page);
      await frame.getByLabel('Card number').waitFor();
      expect(await page.evaluate(() => tokens)).toEqual([]);
    });
  });

  it('says when the card could not be sent, and keeps it', async () => {
    const { sandbox, page, frame } = await shown();
    await type(frame, number);
    await page.context().setOffline(true);
    await use(frame);
    await frame.getByRole('alert').getByText('Your card could not be sent.').waitFor();
    expect(await frame.getByLabel('Security code').inputValue()).toBe('123');
    await page.context().setOffline(false);
    await use(frame);
    expect(await tokensOf(page, 1)).toEqual([aToken]);
    expect(sandbox.requests.filter(({ operation }) => operation === 'cardFields.tokenize')).toHaveLength(1);
  });

  it.each([
    ['light', 'desktop', viewports.desktop],
    ['dark', 'desktop', viewports.desktop],
    ['light', 'phone', viewports.phone],
    ['dark', 'phone', viewports.phone],
    ['light', 'narrow', { width: 320, height: 640 }],
  ] as const)('has no barriers and shows all of itself, %s on a %s', async (colorScheme, _, viewport) => {
    const { page, frame } = await shown(place, { colorScheme, viewport });
    const inner = page.frames()[1];
    if (inner === undefined) throw new Error('there is no frame');
    const fits = () =>
      inner.waitForFunction(() => {
        const { scrollHeight, clientHeight, scrollWidth, clientWidth } = document.documentElement;
        return clientHeight === scrollHeight && scrollWidth === clientWidth && innerHeight === scrollHeight;
      });
    await fits();
    expect(await violationsOf(inner)).toEqual([]);
    expect(await violationsOf(page)).toEqual([]);
    await use(frame);
    await frame.getByText('Check the card number').waitFor();
    await fits();
    expect(await violationsOf(inner)).toEqual([]);
    await type(frame, number);
    await use(frame);
    await tokensOf(page, 1);
    await frame.getByText('Test cards').click();
    await fits();
    expect(await violationsOf(inner)).toEqual([]);
  });
});
