/**
 * Gateway.js in a merchant’s page.
 *
 * @module-tag thorough
 */

import { type Sandbox, testCards } from 'payments-client-sandbox';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spoilStyles } from '../../../../test/browser/hostile-styles.ts';
import { pollTimeout } from '../../../../test/browser/poll-timeout.ts';
import { violationsOf } from '../../../../test/support/axe.ts';
import { connectToChromium, hasChromium, openPage, viewports } from '../../../../test/support/chromium.ts';
import { clientOf, startSandbox } from '../../../../test/support/sandbox.ts';
import { skipWithout } from '../../../../test/support/skip.ts';
import { startMerchant } from './merchant.ts';

const { isSkipped, why } = skipWithout(
  hasChromium(),
  'chromium',
  'test/browser/gateway/gateway.services.test.ts',
);

interface Authentication {
  readonly authenticated: boolean;
  readonly cardholder_auth: string;
  readonly cavv: string | null;
  readonly xid: string | null;
  readonly eci: string | null;
}

/** The script's API by the interface. */
declare const Gateway: {
  create(options: unknown): {
    getRisk(): { collectDeviceData(callback: (id: string) => void): void };
    get3DSecure(): {
      configure(order: unknown): void;
      authenticate(token: string, callback: (result: Authentication) => void): void;
    };
  };
};

const widths = {
  ...viewports,
  tablet: { width: 768, height: 1024 },
  wide: { width: 1920, height: 1080 },
} as const;

/** The results that the page's callback received. */
declare const results: unknown[];

const order = {
  amount: '24.00',
  currency: 'USD',
  billingAddress: {
    firstName: 'Ada',
    lastName: 'Lovelace',
    address1: '1 Main Street',
    city: 'Springfield',
    state: 'IL',
    zip: '62701',
    country: 'US',
  },
};

describe.skipIf(isSkipped)(`Gateway.js in a merchant's page${why}`, { timeout: 60_000 }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await connectToChromium();
  }, 60_000);
  afterAll(() => browser?.close());

  async function open(body = '<button>Pay</button>', options?: Parameters<typeof openPage>[1]) {
    const sandbox = await startSandbox();
    const page = await openPage(browser, options);
    const shop = await startMerchant(sandbox, 'Gateway.js', body);
    const complaints: string[] = [];
    const errors: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => errors.push(error.message));
    await page.goto(shop);
    await page.waitForFunction(() => 'Gateway' in window);
    return { sandbox, page, shop, complaints, errors };
  }

  const tokenOf = (sandbox: Sandbox, name: keyof typeof testCards) =>
    sandbox.tokenize({ ccnumber: testCards[name].number, ccexp: '1230', cvv: '123' });

  /** Starts an authentication; the callback adds to the page's `results`. */
  async function authenticate(page: Page, apiKey: string, token: string) {
    await page.evaluate(
      ([key, paymentToken, paid]) => {
        Object.assign(window, { results: [] });
        const threeDSecure = Gateway.create({ apiKey: key, environment: 'sandbox' }).get3DSecure();
        threeDSecure.configure(paid);
        threeDSecure.authenticate(paymentToken, (result) => results.push(result));
        results.push('returned');
      },
      [apiKey, token, order] as const,
    );
  }

  /** Returns the results. The callback runs after `authenticate` has returned. */
  async function resultsOf(page: Page): Promise<unknown[]> {
    await page.waitForFunction(() => results.length > 1);
    const [first, ...rest] = await page.evaluate(() => results);
    expect(first).toBe('returned');
    return rest;
  }

  async function challenge(options?: Parameters<typeof openPage>[1]) {
    const opened = await open('<button>Pay</button>', options);
    const { sandbox, page } = opened;
    await page.getByRole('button', { name: 'Pay' }).focus();
    await authenticate(page, sandbox.publicKey, await tokenOf(sandbox, 'challengeRequired'));
    const bank = page.frameLocator('iframe[title="Your bank\'s question"]');
    // The page's script focuses its heading last. Before that, its buttons do nothing.
    const heading = bank.getByRole('heading', { name: 'Your bank asks you to confirm' });
    await heading.and(bank.locator(':focus')).waitFor();
    return { ...opened, bank };
  }

  const xid = expect.stringMatching(/^[0-9a-z]{16}$/);
  const passed = { authenticated: true, cardholder_auth: 'Y', cavv: xid, xid, eci: '05' };
  const without = (letter: string) => ({
    authenticated: false,
    cardholder_auth: letter,
    cavv: null,
    xid,
    eci: '07',
  });

  it('returns the result of each card without a challenge, once and asynchronously', async () => {
    const { sandbox, page, complaints, errors } = await open();
    for (const [name, expected] of [
      ['authenticated', passed],
      ['frictionless', passed],
      ['authenticationUnavailable', without('U')],
      ['authenticationFailed', without('N')],
    ] as const) {
      await authenticate(page, sandbox.publicKey, await tokenOf(sandbox, name));
      expect(await resultsOf(page)).toStrictEqual([expected]);
    }
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect([...complaints, ...errors]).toEqual([]);
  });

  const ways: [string, Authentication, (page: Page, bank: FrameLocator) => Promise<void>][] = [
    ['passed', passed, (_, bank) => bank.getByRole('button', { name: 'Confirm payment' }).click()],
    [
      'failed',
      without('N'),
      (_, bank) => bank.getByRole('button', { name: 'Fail the verification' }).click(),
    ],
    ['canceled', without('C'), (_, bank) => bank.getByRole('button', { name: 'Cancel' }).click()],
    ['canceled by Escape in the frame', without('C'), (page) => page.keyboard.press('Escape')],
    [
      'canceled by Escape outside of it',
      without('C'),
      async (page) => {
        await page.getByRole('button', { name: 'Close' }).focus();
        await page.keyboard.press('Escape');
      },
    ],
    [
      'canceled by the close button',
      without('C'),
      (page) => page.getByRole('button', { name: 'Close' }).click(),
    ],
    [
      'canceled by the page itself',
      without('C'),
      (page) => page.locator('dialog').evaluate((dialog: HTMLDialogElement) => dialog.close()),
    ],
  ];
  it.each(ways)('shows a challenge that is %s', async (_, expected, act) => {
    const { page, shop, bank, sandbox, complaints, errors } = await challenge();
    await page.getByRole('dialog', { name: "Your bank's question" }).waitFor();
    expect(await bank.getByText(shop).textContent()).toBe(shop);
    expect(await bank.getByText('24.00 USD').count()).toBe(1);
    const focused = () => document.activeElement?.shadowRoot?.activeElement?.tagName;
    expect(await page.evaluate(focused)).toBe('IFRAME');
    await act(page, bank);
    expect(await resultsOf(page)).toStrictEqual([expected]);
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Pay');
    expect([...complaints, ...errors]).toEqual([]);
    const operations = sandbox.requests.map(({ operation, status }) => `${operation} ${status}`);
    expect(operations).toEqual([
      'scripts.load 200',
      'threeDSecure.authenticate 200',
      'threeDSecure.challenge 200',
      'threeDSecure.authenticate 200',
    ]);
  });

  it('can be answered with the keyboard alone', async () => {
    const { page, bank } = await challenge();
    await page.keyboard.press('Tab');
    expect(await bank.locator(':focus').textContent()).toBe('Confirm payment');
    await page.keyboard.press('Enter');
    expect(await resultsOf(page)).toStrictEqual([passed]);
  });

  it('ignores messages of the page itself and of other frames', async () => {
    const { page, bank, sandbox } = await challenge();
    const heard = sandbox.requests.length;
    await page.evaluate(async () => {
      const settled = new Promise((resolve) => addEventListener('message', resolve, { once: true }));
      postMessage({ kind: 'answer', answer: 'passed' }, '*');
      await settled;
    });
    await page.locator('dialog iframe').evaluate((element: HTMLIFrameElement, sandboxOrigin) => {
      const bankFrame = element.contentWindow;
      const stranger = document.body.appendChild(document.createElement('iframe')).contentWindow;
      const data = { kind: 'answer', answer: 'passed' };
      dispatchEvent(new MessageEvent('message', { data, source: stranger, origin: sandboxOrigin }));
      dispatchEvent(new MessageEvent('message', { data, source: null, origin: sandboxOrigin }));
      dispatchEvent(new MessageEvent('message', { data, source: bankFrame, origin: location.origin }));
    }, new URL(sandbox.url).origin);
    expect(await page.getByRole('dialog').count()).toBe(1);
    expect(sandbox.requests).toHaveLength(heard);
    await bank.getByRole('button', { name: 'Fail the verification' }).click();
    expect(await resultsOf(page)).toStrictEqual([without('N')]);
  });

  it('forbids other pages to embed a challenge', async () => {
    const { page, sandbox } = await challenge();
    const address = await page.locator('iframe').getAttribute('src');
    const other = await openPage(browser);
    const refusals: string[] = [];
    other.on('console', (message) => refusals.push(message.text()));
    await other.goto(await startMerchant(sandbox, 'Gateway.js'));
    await other.evaluate(async (src) => {
      const frame = document.createElement('iframe');
      const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
      frame.src = src ?? '';
      document.body.append(frame);
      await loaded;
    }, address);
    expect(await other.frameLocator('iframe').getByRole('button').count()).toBe(0);
    expect(refusals.join()).toMatch(/frame-ancestors/);
  });

  it('logs an error that the callback cannot report, without the token', async () => {
    const { sandbox, page, complaints } = await open();
    const failure = { authenticated: false, cardholder_auth: 'U', cavv: null, xid: null, eci: null };
    const used = await tokenOf(sandbox, 'authenticated');
    await clientOf(sandbox).transact.sale({ amount: '1.00', payment_token: used });
    const expired = await tokenOf(sandbox, 'authenticated');
    await sandbox.clock.advance('15 min');
    for (const token of ['tok_unknown', used, expired, '']) {
      await authenticate(page, sandbox.publicKey, token);
      expect(await resultsOf(page)).toStrictEqual([failure]);
    }
    const token = await tokenOf(sandbox, 'authenticated');
    await page.context().setOffline(true);
    await authenticate(page, sandbox.publicKey, token);
    expect(await resultsOf(page)).toStrictEqual([failure]);
    const said = complaints.filter((text) => text.startsWith('Gateway'));
    expect(said).toEqual([
      expect.stringContaining('Unknown payment_token'),
      expect.stringContaining('was used before'),
      expect.stringContaining('has expired'),
      expect.stringContaining('Expected token'),
      expect.stringContaining('Failed to fetch'),
    ]);
    for (const one of ['tok_unknown', used, expired, token]) expect(said.join()).not.toContain(one);
  });

  it('fails at once when the sandbox closes before its response', async () => {
    const { sandbox, page, bank } = await challenge();
    await sandbox.close();
    await bank.getByRole('button', { name: 'Confirm payment' }).click();
    expect(await resultsOf(page)).toMatchObject([{ authenticated: false, cardholder_auth: 'U', xid: null }]);
  });

  it.each([
    [
      'no key',
      () => ({ environment: 'sandbox' }),
      /expected apiKey to be the sandbox's public key, got none/,
    ],
    ['nothing', () => undefined, /expected apiKey/],
    [
      'a secret key',
      ({ secretKey }: Sandbox) => ({ apiKey: secretKey, environment: 'sandbox' }),
      /expected apiKey to be a public key, got a secret key\. Remove it from the page/,
    ],
    [
      'the key of another sandbox',
      () => ({ apiKey: 'pk_v1_test_other', environment: 'sandbox' }),
      /expected apiKey to be this sandbox's public key, got another one/,
    ],
    [
      'no environment',
      ({ publicKey }: Sandbox) => ({ apiKey: publicKey }),
      /expected environment to be 'sandbox', got none/,
    ],
    [
      'the live environment',
      ({ publicKey }: Sandbox) => ({ apiKey: publicKey, environment: 'live' }),
      /expected environment to be 'sandbox', got 'live'/,
    ],
  ])('rejects %s without repeating a key', async (_, optionsOf, expected) => {
    const { sandbox, page } = await open();
    const message = await page.evaluate((options) => {
      try {
        Gateway.create(options);
        return 'created';
      } catch (error) {
        return String(error);
      }
    }, optionsOf(sandbox));
    expect(message).toMatch(expected);
    expect(message).not.toMatch(/[sp]k_v1/);
  });

  it('creates a device session that a sale accepts', async () => {
    const { sandbox, page } = await open();
    const [id, ...more] = await page.evaluate(
      (apiKey) =>
        new Promise<string[]>((resolve) => {
          const heard: string[] = [];
          const risk = Gateway.create({ apiKey, environment: 'sandbox' }).getRisk();
          risk.collectDeviceData((session) => {
            heard.push(session);
            resolve(heard);
          });
          if (heard.length > 0) resolve(['called too early', ...heard]);
        }),
      sandbox.publicKey,
    );
    expect(id).toMatch(/^rs_[0-9a-z]{16}$/);
    expect(more).toEqual([]);
    const payment_token = await tokenOf(sandbox, 'fullMatch');
    await clientOf(sandbox).transact.sale({ amount: '1.00', payment_token, risk_session_id: id });
    expect(sandbox.transactions.at(-1)?.riskSessionId).toBe(id);
  });

  it('leaves errors of the callback to the page', async () => {
    const { sandbox, page } = await open();
    const thrown = page.waitForEvent('pageerror');
    await page.evaluate((apiKey) => {
      const risk = Gateway.create({ apiKey, environment: 'sandbox' }).getRisk();
      risk.collectDeviceData(() => {
        throw new Error('a mistake of the shop');
      });
    }, sandbox.publicKey);
    expect((await thrown).message).toBe('a mistake of the shop');
  });

  /** Returns the measures and colours of the dialog and its button. */
  const looksOf = (page: Page) =>
    page.locator('dialog').evaluate((dialog) => {
      const look = (element: Element | null) => {
        if (element === null) throw new Error('there is no such element');
        const { x, y, width, height } = element.getBoundingClientRect();
        const { color, backgroundColor, fontSize, opacity, visibility, borderTopWidth } =
          getComputedStyle(element);
        return { x, y, width, height, color, backgroundColor, fontSize, opacity, visibility, borderTopWidth };
      };
      const [button, frame] = ['button', 'iframe'].map((name) => look(dialog.querySelector(name)));
      const backdrop = getComputedStyle(dialog, '::backdrop');
      return { dialog: look(dialog), button, frame, backdrop: [backdrop.display, backdrop.backgroundColor] };
    });

  it.each(['desktop', 'phone'] as const)(
    "looks and works as it does without the shop's style sheet, on a %s",
    async (device) => {
      const { page, bank } = await challenge({ viewport: viewports[device] });
      await expect.poll(async () => (await looksOf(page)).frame?.height, pollTimeout).not.toBe(320);
      const before = await looksOf(page);
      await spoilStyles(page);
      expect(await looksOf(page)).toEqual(before);
      await bank.getByRole('button', { name: 'Confirm payment' }).click();
      expect(await resultsOf(page)).toStrictEqual([passed]);
    },
  );

  it.each([
    ['dark', 'light'],
    ['light', 'dark'],
  ] as const)(
    "follows the shop's color-scheme, %s, where the device has the other",
    async (scheme, device) => {
      const { page, bank } = await challenge({ colorScheme: device });
      const backgrounds = async () => [
        await page.locator('dialog').evaluate((element) => getComputedStyle(element).backgroundColor),
        await bank.locator('body').evaluate((element) => getComputedStyle(element).backgroundColor),
      ];
      const paint = scheme === 'dark' ? 'rgb(26, 33, 41)' : 'rgb(255, 255, 255)';
      await page.evaluate((value) => {
        document.documentElement.style.colorScheme = value;
      }, scheme);
      await expect.poll(backgrounds, pollTimeout).toEqual([paint, paint]);
    },
  );

  it.each([
    ['light', 'desktop'],
    ['dark', 'desktop'],
    ['light', 'phone'],
    ['dark', 'phone'],
    ['light', 'tablet'],
    ['dark', 'wide'],
  ] as const)(
    'shows a challenge without accessibility violations, %s on a %s',
    async (colorScheme, device) => {
      const { page } = await challenge({ colorScheme, viewport: widths[device] });
      const height = () =>
        page.locator('dialog iframe').evaluate((frame: HTMLIFrameElement) => frame.style.height);
      await expect.poll(height, pollTimeout).not.toBe('320px');
      const frame = page.frames()[1];
      if (frame === undefined) throw new Error('there is no frame');
      expect(await violationsOf(frame)).toEqual([]);
      expect(await violationsOf(page)).toEqual([]);
      const overflow = await frame.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow).toBe(0);
    },
  );
});
