/**
 * Gateway.js in a merchant’s page. What its frame promises as all frames do: `../frames`.
 *
 * @module-tag thorough
 */

import type { FrameLocator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasChromium } from '../../../../test/support/chromium.ts';
import { clientOf } from '../../../../test/support/sandbox.ts';
import { skipWithout } from '../../../../test/support/skip.ts';
import { authenticate, challenge, heardBy, tokenOf, useShop, type Visit } from '../frames/shop.ts';

const { isSkipped, why } = skipWithout(hasChromium(), 'chromium', 'Gateway.js of the sandbox');

/** The script's API by the interface. */
declare const Gateway: {
  create(options: unknown): {
    getRisk(): { collectDeviceData(callback: unknown): void };
    get3DSecure(): {
      configure(order: unknown): void;
      authenticate(token: unknown, callback: unknown): void;
    };
  };
};
declare const heard: unknown[];

const xid = expect.stringMatching(/^[0-9a-z]{16}$/);
const passed = { authenticated: true, cardholder_auth: 'Y', cavv: xid, xid, eci: '05' };
const without = (letter: string) => ({
  authenticated: false,
  cardholder_auth: letter,
  cavv: null,
  xid,
  eci: '07',
});
/** The result of every failure, since the callback has no other way to report one. */
const failure = { authenticated: false, cardholder_auth: 'U', cavv: null, xid: null, eci: null };

/** Expects one result, after `authenticate` has returned. */
async function expectResult(page: Page, result: unknown, what: string): Promise<void> {
  expect(await heardBy(page, 2), what).toStrictEqual(['returned', result]);
}

/** Each way to end a challenge, and its result. */
const ways: readonly (readonly [
  name: string,
  result: unknown,
  act: (page: Page, bank: FrameLocator) => Promise<void>,
])[] = [
  ['passed', passed, (_, bank) => bank.getByRole('button', { name: 'Confirm payment' }).click()],
  [
    'passed with the keyboard alone',
    passed,
    async (page, bank) => {
      await page.keyboard.press('Tab');
      expect(await bank.locator(':focus').textContent()).toBe('Confirm payment');
      await page.keyboard.press('Enter');
    },
  ],
  ['failed', without('N'), (_, bank) => bank.getByRole('button', { name: 'Fail the verification' }).click()],
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
  ['closed by its button', without('C'), (page) => page.getByRole('button', { name: 'Close' }).click()],
  [
    'closed by the page itself',
    without('C'),
    (page) => page.locator('dialog').evaluate((dialog: HTMLDialogElement) => dialog.close()),
  ],
];

describe.skipIf(isSkipped)(`Gateway.js in a merchant's page${why}`, { timeout: 300_000 }, () => {
  const open = useShop('Gateway.js', '<button>Pay</button>');

  it('returns the result of each card without a challenge, once and asynchronously', async () => {
    const visit = await open();
    for (const [name, result] of [
      ['authenticated', passed],
      ['frictionless', passed],
      ['authenticationUnavailable', without('U')],
      ['authenticationFailed', without('N')],
    ] as const) {
      await authenticate(visit, await tokenOf(visit.sandbox, name));
      await expectResult(visit.page, result, name);
    }
    expect(await visit.page.getByRole('dialog').count()).toBe(0);
    expect(visit.complaints).toEqual([]);
  });

  it('shows a challenge in a focused dialog, and returns its result, however it ends', async () => {
    const visit = await open();
    const { page, shop, sandbox, complaints } = visit;
    for (const [name, result, act] of ways) {
      const before = sandbox.requests.length;
      const bank = await challenge(visit);
      await page.getByRole('dialog', { name: "Your bank's question" }).waitFor();
      expect(await bank.getByText(shop).textContent()).toBe(shop);
      expect(await bank.getByText('24.00 USD').count()).toBe(1);
      const focused = () => document.activeElement?.shadowRoot?.activeElement?.tagName;
      expect(await page.evaluate(focused), name).toBe('IFRAME');
      await act(page, bank);
      await expectResult(page, result, name);
      expect(await page.getByRole('dialog').count(), name).toBe(0);
      expect(await page.evaluate(() => document.activeElement?.textContent), name).toBe('Pay');
      const made = sandbox.requests.slice(before).map(({ operation, status }) => `${operation} ${status}`);
      expect(made, name).toEqual([
        'threeDSecure.authenticate 200',
        'threeDSecure.challenge 200',
        'threeDSecure.authenticate 200',
      ]);
    }
    expect(complaints).toEqual([]);
  });

  it('logs an error that the callback cannot report, without the token', async () => {
    const visit = await open();
    const { sandbox, page, complaints } = visit;
    const used = await tokenOf(sandbox, 'authenticated');
    await clientOf(sandbox).transact.sale({ amount: '1.00', payment_token: used });
    const expired = await tokenOf(sandbox, 'authenticated');
    await sandbox.clock.advance('15 min');
    const unsent = await tokenOf(sandbox, 'authenticated');
    const tokens = ['tok_unknown', used, expired, '', unsent];
    for (const token of tokens) {
      await page.context().setOffline(token === unsent);
      await authenticate(visit, token);
      await expectResult(page, failure, token);
    }
    await page.evaluate((apiKey) => {
      heard.length = 0;
      const client = Gateway.create({ apiKey, environment: 'sandbox' }).get3DSecure();
      client.authenticate('tok_unasked', (result: unknown) => heard.push(result));
      heard.push('returned');
    }, sandbox.publicKey);
    await expectResult(page, failure, 'without configure');
    const said = complaints.filter((text) => text.startsWith('Gateway'));
    expect(said).toEqual(
      [
        'Unknown payment_token',
        'was used before',
        'has expired',
        'Expected token',
        'Failed to fetch',
        'expected a call of configure first',
      ].map((part) => expect.stringContaining(part)),
    );
    for (const token of [...tokens.filter((one) => one !== ''), 'tok_unasked']) {
      expect(said.join()).not.toContain(token);
    }
  });

  it('fails at once when the sandbox closes before its response', async () => {
    const visit = await open();
    const bank = await challenge(visit);
    await visit.sandbox.close();
    await bank.getByRole('button', { name: 'Confirm payment' }).click();
    await expectResult(visit.page, failure, 'closed');
  });

  it('rejects other keys, the live environment, an order and a callback that are none, and repeats no key', async () => {
    const { sandbox, page } = await open();
    const said = await page.evaluate(
      ({ publicKey, secretKey }) => {
        const environment = 'sandbox';
        const client = () => Gateway.create({ apiKey: publicKey, environment });
        const attempts = {
          nothing: () => Gateway.create(undefined),
          'no key': () => Gateway.create({ environment }),
          'a secret key': () => Gateway.create({ apiKey: secretKey, environment }),
          'another key': () => Gateway.create({ apiKey: 'pk_v1_test_other', environment }),
          'no environment': () => Gateway.create({ apiKey: publicKey }),
          live: () => Gateway.create({ apiKey: publicKey, environment: 'live' }),
          'no currency': () => client().get3DSecure().configure({ amount: '24.00' }),
          'no amount': () => client().get3DSecure().configure({ amount: '', currency: 'USD' }),
          'no callback': () => client().get3DSecure().authenticate('tok_1', undefined),
          'no callback for a device': () => client().getRisk().collectDeviceData('callback'),
          'a number as amount': () => client().get3DSecure().configure({ amount: 24, currency: 'USD' }),
        };
        return Object.entries(attempts).map(([name, attempt]) => {
          try {
            attempt();
            return [name, 'accepted'];
          } catch (error) {
            return [name, String(error)];
          }
        });
      },
      { publicKey: sandbox.publicKey, secretKey: sandbox.secretKey },
    );
    const expected = {
      nothing: /expected apiKey/,
      'no key': /expected apiKey to be the sandbox's public key, got none/,
      'a secret key': /to be a public key, got a secret key\. Remove it from the page/,
      'another key': /expected apiKey to be this sandbox's public key, got another one/,
      'no environment': /expected environment to be 'sandbox', got none/,
      live: /expected environment to be 'sandbox', got 'live'/,
      'no currency': /configure: expected amount and currency/,
      'no amount': /configure: expected amount and currency/,
      'no callback': /authenticate: expected callback to be a function, got undefined/,
      'no callback for a device': /collectDeviceData: expected callback to be a function, got string/,
      'a number as amount': /^accepted$/,
    };
    expect(said).toEqual(
      Object.entries(expected).map(([name, message]) => [name, expect.stringMatching(message)]),
    );
    expect(JSON.stringify(said)).not.toMatch(/[sp]k_v1/);
  });

  /** Asks for a device session. */
  const collect = ({ page, sandbox }: Visit, fails: boolean) =>
    page.evaluate(
      ([apiKey, isWrong]) => {
        const risk = Gateway.create({ apiKey, environment: 'sandbox' }).getRisk();
        risk.collectDeviceData((session: unknown) => {
          heard.push(session);
          if (isWrong) throw new Error('a mistake of the shop');
        });
        heard.push('returned');
      },
      [sandbox.publicKey, fails] as const,
    );

  it('creates a device session that a sale accepts, and leaves errors of the callback to the page', async () => {
    const visit = await open();
    const { page, sandbox } = visit;
    await collect(visit, false);
    const [first, id, ...more] = await heardBy(page, 2);
    expect([first, id, more]).toEqual(['returned', expect.stringMatching(/^rs_[0-9a-z]{16}$/), []]);
    const payment_token = await tokenOf(sandbox, 'fullMatch');
    const sale = { amount: '1.00', payment_token, risk_session_id: String(id) };
    await clientOf(sandbox).transact.sale(sale);
    expect(sandbox.transactions.at(-1)?.riskSessionId).toBe(id);
    const thrown = page.waitForEvent('pageerror');
    await collect(visit, true);
    expect((await thrown).message).toBe('a mistake of the shop');
  });
});
