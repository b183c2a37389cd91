/**
 * The card-field script in a merchant’s page.
 *
 * @module-tag thorough
 */

import { testCards } from 'payments-client-sandbox';
import type { Browser, FrameLocator, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spoilStyles } from '../../../../test/browser/hostile-styles.ts';
import { pollTimeout } from '../../../../test/browser/poll-timeout.ts';
import { violationsOf } from '../../../../test/support/axe.ts';
import { connectToChromium, hasChromium, openPage, viewports } from '../../../../test/support/chromium.ts';
import { clientOf, startSandbox } from '../../../../test/support/sandbox.ts';
import { skipWithout } from '../../../../test/support/skip.ts';
import { startMerchant } from '../gateway/merchant.ts';

const file = 'test/browser/card-fields/card-fields.services.test.ts';
const { isSkipped, why } = skipWithout(hasChromium(), 'chromium', file);

/** The script's API: the callback is part of the interface, everything else is the sandbox's own. */
declare const CollectJS: {
  configure(options: {
    callback: (token: string) => unknown;
    target?: Element | string;
    button?: boolean;
    appearance?: unknown;
    onChange?: (change: unknown) => void;
  }): { readonly ready: Promise<void>; submit(): void; clear(): void; focus(): void };
};

/** The tokens that the page's callbacks received, in order. */
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

  it('returns a token for a card typed with the keyboard alone', async () => {
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
      'transact.sale 200',
    ]);
  });

  it('shows an error for each field, focuses the first, and accepts the corrected card', async () => {
    const { page, frame } = await shown();
    await type(frame, '9999001000000011', '13/30', '1');
    await use(frame);
    await frame.getByText('This card number is not valid').waitFor();
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

  it('is empty and ready after a token, and passes the next one to the newest callback', async () => {
    const { page, frame } = await shown();
    await type(frame, number);
    await use(frame);
    await tokensOf(page, 1);
    await frame.getByRole('status').getByText('The shop has received your card.').waitFor();
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

  it('offers test cards', async () => {
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

  it('sends the card number to the sandbox once, and nowhere else', async () => {
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

  it('hides the card from the embedding page', async () => {
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

  it('ignores messages of other windows', async () => {
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

  it('can be embedded only by the page that it was opened for', async () => {
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

  it('renders into each target, a selector or an element, with its own callback', async () => {
    const { page } = await open('<div id="left"></div><div id="right"></div>');
    await page.evaluate(() => {
      CollectJS.configure({ callback: (token) => tokens.push(`left ${token}`), target: '#left' });
      const target = document.querySelector('#right');
      if (target === null) throw new Error('there is no such place');
      CollectJS.configure({ callback: (token) => tokens.push(`right ${token}`), target });
    });
    for (const [count, side] of ['right', 'left'].entries()) {
      expect(await page.locator(`#${side} iframe`).count()).toBe(1);
      const frame = page.frameLocator(`#${side} iframe`);
      await type(frame, number);
      await use(frame);
      expect((await tokensOf(page, count + 1)).at(-1)).toMatch(new RegExp(`^${side} tok_`));
    }
  });

  it('is created again after the page removed it', async () => {
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

  /** Configures a callback whose promise `finish` resolves. */
  const configureSlowly = (page: Page) =>
    page.evaluate(() => {
      const callback = (token: string) =>
        new Promise((resolve) => {
          tokens.push(token);
          Object.assign(window, { finish: resolve });
        });
      CollectJS.configure({ callback });
    });

  const press = (frame: FrameLocator) =>
    frame.locator('form').evaluate((form: HTMLFormElement) => form.requestSubmit());

  it('accepts no other card until the promise of the callback settles', async () => {
    const { sandbox, page, frame } = await open();
    await configureSlowly(page);
    await type(frame, number);
    await frame.getByRole('button', { name: 'Use this card' }).dblclick();
    await press(frame);
    await tokensOf(page, 1);
    const button = frame.getByRole('button', { name: 'Use this card' });
    expect(await button.getAttribute('aria-disabled')).toBe('true');
    expect(await frame.getByLabel('Card number').isEditable()).toBe(false);
    await frame.getByText('Test cards').click();
    await frame.getByRole('listitem').getByRole('button').first().click();
    await press(frame);
    const made = () => sandbox.requests.filter(({ operation }) => operation === 'cardFields.tokenize').length;
    expect([made(), await frame.getByLabel('Card number').inputValue()]).toEqual([1, '']);
    expect(await frame.locator('#done').textContent()).toBe('The shop has received your card.');
    await page.evaluate('finish()');
    await frame.locator('form:not([data-busy])').waitFor();
    expect(await frame.locator('#done').textContent()).toBe('');
    await type(frame, number);
    await use(frame);
    expect(await tokensOf(page, 2)).toEqual([aToken, aToken]);
    expect(made()).toBe(2);
  });

  it('accepts the next card after a new configure, whatever an earlier promise does', async () => {
    const { page, frame } = await open();
    await configureSlowly(page);
    await type(frame, number);
    await use(frame);
    await tokensOf(page, 1);
    const finishFirst = await page.evaluateHandle('finish');
    await configureSlowly(page);
    await frame.locator('form:not([data-busy])').waitFor();
    await type(frame, number);
    await use(frame);
    await tokensOf(page, 2);
    await finishFirst.evaluate((finish: () => void) => finish());
    // Messages arrive in order, so the frame has received all earlier ones.
    await page.evaluate(
      () =>
        CollectJS.configure({
          callback: () => {},
          target: document.body.appendChild(document.createElement('p')),
        }).ready,
    );
    expect(await frame.locator('form[data-busy]').count()).toBe(1);
  });

  it("is submitted by the shop's own button, and by Enter in a field", async () => {
    const body = '<div id="card-fields"></div><button id="pay">Pay</button><button id="clear">Clear</button>';
    const { page, frame } = await open(body);
    await page.evaluate(() => {
      const fields = CollectJS.configure({ callback: (token) => tokens.push(token), button: false });
      document.querySelector('#pay')?.addEventListener('click', fields.submit);
      document.querySelector('#clear')?.addEventListener('click', fields.clear);
      Object.assign(window, { fields });
      return fields.ready;
    });
    expect(await frame.getByRole('button', { name: 'Use this card' }).count()).toBe(0);
    await page.evaluate('fields.focus()');
    await frame.locator('#ccnumber:focus').waitFor();
    await page.keyboard.type(number);
    await page.getByRole('button', { name: 'Clear' }).click();
    await expect.poll(() => frame.getByLabel('Card number').inputValue(), pollTimeout).toBe('');
    await page.getByRole('button', { name: 'Pay' }).click();
    await frame.getByText('This card number is not valid').waitFor();
    await type(frame, number);
    await page.getByRole('button', { name: 'Pay' }).dblclick();
    expect(await tokensOf(page, 1)).toEqual([aToken]);
    await type(frame, number);
    await frame.getByLabel('Security code').press('Enter');
    expect(await tokensOf(page, 2)).toEqual([aToken, aToken]);
  });

  it('reports the state of the form without any digit', async () => {
    const { page, frame } = await open();
    await page.evaluate(
      () =>
        CollectJS.configure({ callback: () => {}, onChange: (change) => tokens.push(JSON.stringify(change)) })
          .ready,
    );
    await frame.getByLabel('Card number').fill('4');
    await frame.getByLabel('Card number').fill('5105105105105100');
    await frame.getByLabel('Expiry').fill('1/2031');
    await frame.getByLabel('Security code').fill('123');
    await frame.getByLabel('Expiry').fill('13/31');
    for (const label of ['Card number', 'Expiry', 'Security code']) await frame.getByLabel(label).fill('');
    const changes = (await tokensOf(page, 8)).map((change) => JSON.parse(change));
    const typing = (brand?: string) => ({ complete: false, empty: false, ...(brand && { brand }) });
    expect(changes).toEqual([
      typing('visa'),
      typing('mastercard'),
      typing('mastercard'),
      { complete: true, empty: false, brand: 'mastercard' },
      typing('mastercard'),
      typing(),
      typing(),
      { complete: false, empty: true },
    ]);
  });

  const look = {
    theme: 'dark',
    fontFamily: "Georgia, 'Noto Serif', serif",
    fontSize: 18,
    colors: { text: '#fafafa', background: '#102030', accent: '#fc0', border: '#8899aa', error: '#ff9999' },
  };

  const styleOf = (frame: FrameLocator, selector: string, name: string) =>
    frame.locator(selector).evaluate((element, one) => getComputedStyle(element).getPropertyValue(one), name);

  it('applies the appearance, and removes it again', async () => {
    const { page, frame } = await open();
    const show = (appearance: unknown) =>
      page.evaluate(
        (given) => CollectJS.configure({ callback: () => {}, appearance: given }).ready,
        appearance,
      );
    const seen = async () => [
      await styleOf(frame, 'body', 'background-color'),
      await styleOf(frame, 'h1', 'color'),
      await styleOf(frame, 'form > button', 'background-color'),
      await styleOf(frame, 'form > button', 'color'),
      await styleOf(frame, '#ccnumber', 'border-top-color'),
      await styleOf(frame, '#ccnumber', 'font-size'),
      await styleOf(frame, '#ccnumber', 'font-family'),
    ];
    await show(undefined);
    await frame.getByLabel('Card number').waitFor();
    const usual = await seen();
    await show(look);
    await expect
      .poll(seen, pollTimeout)
      .toEqual([
        'rgb(16, 32, 48)',
        'rgb(250, 250, 250)',
        'rgb(255, 204, 0)',
        'rgb(0, 0, 0)',
        'rgb(136, 153, 170)',
        '18px',
        expect.stringContaining('Georgia'),
      ]);
    const inner = page.frames()[1];
    if (inner === undefined) throw new Error('there is no frame');
    expect(await violationsOf(inner)).toEqual([]);
    await show({ theme: 'light' });
    await expect.poll(seen, pollTimeout).toEqual(usual);
  });

  it.each([
    [{ colors: { text: 'red; } body { display: none' } }, /expected appearance.colors.text to be a colour/],
    [{ colors: { accent: 'url(https://evil.example)' } }, /appearance.colors.accent/],
    [{ colors: { background: '#12345' } }, /appearance.colors.background/],
    [{ colors: { shadow: '#000' } }, /expected appearance.colors to have text, background/],
    [{ colors: '#000' }, /expected appearance.colors to be an object, got string/],
    [{ fontFamily: 'x; color: red' }, /appearance.fontFamily/],
    [{ fontSize: '16px' }, /expected appearance.fontSize to be a number of px from 12 to 24, got string/],
    [{ fontSize: 200 }, /appearance.fontSize/],
    [{ theme: 'blue' }, /expected appearance.theme to be auto, light, dark, got string/],
    [{ css: '* {}' }, /expected appearance to have theme, fontFamily/],
    ['dark', /expected appearance to be an object/],
  ])('rejects the appearance %j without repeating its value', async (appearance, expected) => {
    const { page } = await open();
    const message = await page.evaluate((given) => {
      try {
        CollectJS.configure({ callback: () => {}, appearance: given });
        return 'configured';
      } catch (error) {
        return String(error);
      }
    }, appearance);
    expect(message).toMatch(expected);
    expect(message).not.toMatch(/url|body \{|200|blue/);
    expect(await page.locator('iframe').count()).toBe(0);
  });

  it('accepts messages only of its own page, and validates the appearance in the frame too', async () => {
    const { page, frame } = await shown();
    const say = (message: unknown) =>
      page.locator('iframe').evaluate((element: HTMLIFrameElement, data) => {
        element.contentWindow?.postMessage(data, '*');
      }, message);
    await frame.locator('form').evaluate((form) => {
      // A message of the frame to itself comes from a foreign window.
      postMessage({ kind: 'appearance', appearance: {}, hasButton: false }, '*');
      return new Promise((resolve) => {
        addEventListener('message', () => setTimeout(() => resolve(form)), { once: true });
      });
    });
    expect(await frame.getByRole('button', { name: 'Use this card' }).count()).toBe(1);
    const thrown = page.waitForEvent('pageerror');
    await say({ kind: 'appearance', appearance: { colors: { text: 'url(https://evil.example)' } } });
    expect((await thrown).message).toMatch(/appearance.colors.text/);
    expect(await frame.locator('html').getAttribute('style')).not.toContain('url');
  });

  it("looks and works as it does without the shop's style sheet", async () => {
    const { page, frame } = await shown();
    const seen = () =>
      page.locator('iframe').evaluate((element) => {
        const { width, height } = element.getBoundingClientRect();
        const { opacity, visibility, filter, clipPath, borderTopWidth, pointerEvents } =
          getComputedStyle(element);
        return { width, height, opacity, visibility, filter, clipPath, borderTopWidth, pointerEvents };
      });
    await expect.poll(async () => (await seen()).height, pollTimeout).not.toBe(320);
    const before = await seen();
    await spoilStyles(page);
    expect(await seen()).toEqual(before);
    await type(frame, number);
    await use(frame);
    expect(await tokensOf(page, 1)).toEqual([aToken]);
  });

  it.each([
    ['dark', 'light', {}],
    ['light', 'dark', {}],
    ['dark', 'light', { theme: 'dark' }],
    ['light', 'dark', { theme: 'light' }],
  ] as const)('is %s on a device with %s and the theme %j', async (scheme, device, appearance) => {
    const { page, frame } = await open(place, { colorScheme: device });
    await page.evaluate(
      ([value, given]) => {
        if (!('theme' in given)) document.documentElement.style.colorScheme = value;
        return CollectJS.configure({ callback: () => {}, appearance: given }).ready;
      },
      [scheme, appearance] as const,
    );
    const background = () => styleOf(frame, 'body', 'background-color');
    const [light, dark] = ['rgb(255, 255, 255)', 'rgb(26, 33, 41)'];
    await expect.poll(background, pollTimeout).toBe(scheme === 'dark' ? dark : light);
    if ('theme' in appearance) return;
    await page.evaluate((value) => {
      document.documentElement.style.colorScheme = value;
    }, device);
    await expect.poll(background, pollTimeout).toBe(device === 'dark' ? dark : light);
  });

  describe('without a target element', () => {
    it('opens a focused dialog, and closes it after the token', async () => {
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

    it('opens again when the callback configures the next card', async () => {
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

    it('opens again right after the page closed it', async () => {
      const { page, frame } = await open('');
      await configure(page);
      await frame.getByLabel('Card number').waitFor();
      await page.locator('dialog').evaluate((dialog: HTMLDialogElement) => {
        dialog.close();
        CollectJS.configure({ callback: (token) => tokens.push(token) });
      });
      await type(frame, number);
      await use(frame);
      expect(await tokensOf(page, 1)).toEqual([aToken]);
    });

    it.each([
      ['Escape', (page: Page) => page.keyboard.press('Escape')],
      ['its button', (page: Page) => page.getByRole('button', { name: 'Close' }).click()],
    ])('closes by %s, and opens again', async (_, leave) => {
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

  it('shows a network error, and keeps the card', async () => {
    const { sandbox, page, frame } = await shown();
    await type(frame, number);
    await page.context().setOffline(true);
    await use(frame);
    await frame.getByRole('alert').getByText('Your card could not be sent').waitFor();
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
    ['dark', 'tablet', { width: 768, height: 1024 }],
    ['light', 'wide', { width: 1920, height: 1080 }],
  ] as const)(
    'has no accessibility violations and clips nothing, %s on a %s',
    async (colorScheme, _, viewport) => {
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
      await frame.getByText('This card number is not valid').waitFor();
      await fits();
      expect(await violationsOf(inner)).toEqual([]);
      await type(frame, number);
      await use(frame);
      await tokensOf(page, 1);
      await frame.getByText('Test cards').click();
      await fits();
      expect(await violationsOf(inner)).toEqual([]);
    },
  );
});
