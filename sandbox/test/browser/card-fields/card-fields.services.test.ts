/**
 * The card-field script in a merchant’s page. What its frame promises as all frames do: `../frames`.
 *
 * @module-tag thorough
 */

import { testCards } from 'payments-client-sandbox';
import type { FrameLocator, Page, Request } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { pollTimeout } from '../../../../test/browser/poll-timeout.ts';
import { violationsOf } from '../../../../test/support/axe.ts';
import { hasChromium } from '../../../../test/support/chromium.ts';
import { clientOf } from '../../../../test/support/sandbox.ts';
import { always } from '../../../../test/support/size.ts';
import { skipWithout } from '../../../../test/support/skip.ts';
import { heardBy, innerOf, showFields, typeCard, useCard, useShop } from '../frames/shop.ts';

const { isSkipped, why } = skipWithout(hasChromium(), 'chromium', 'CollectJS.js of the sandbox');

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
declare const heard: unknown[];

const { number } = testCards.addressOnly;
const aToken = expect.stringMatching(/^tok_[0-9a-z]{16}$/);
const labels = ['Card number', 'Expiry', 'Security code'];

const valuesIn = (frame: FrameLocator) =>
  Promise.all(labels.map((label) => frame.getByLabel(label).inputValue()));

/** Shows the fields to which the page's default callback belongs. */
async function configure(page: Page): Promise<FrameLocator> {
  await page.evaluate(() => void CollectJS.configure({ callback: (token) => heard.push(token) }));
  return page.frameLocator('iframe[title="Card"]');
}

describe.skipIf(isSkipped)(`CollectJS.js in a merchant's page${why}`, { timeout: 300_000 }, () => {
  const open = useShop('CollectJS.js', '<div id="card-fields"></div><p>After it</p>');

  it('returns a token for a card typed with the keyboard alone, and tells the number to the sandbox only', async () => {
    const visit = await open();
    const { sandbox, page, shop, complaints } = visit;
    const requests: Request[] = [];
    page.context().on('request', (request) => requests.push(request));
    await showFields(visit);
    await page.evaluate(() => {
      Object.assign(window, { said: [] });
      addEventListener('message', ({ data }) => Object(window).said.push(JSON.stringify(data)));
    });
    await page.keyboard.press('Tab');
    for (const text of [number, '1230', '123']) {
      await page.keyboard.type(text);
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    const [token] = await heardBy(page, 1);
    expect(token).toEqual(aToken);
    const sale = await clientOf(sandbox).transact.sale({ amount: '1.00', payment_token: String(token) });
    expect([sale.approved, sale.avs?.code]).toEqual([true, 'A']);
    expect(complaints).toEqual([]);
    expect(sandbox.requests.map(({ operation, status }) => `${operation} ${status}`)).toEqual([
      'scripts.load 200',
      'cardFields.show 200',
      'cardFields.tokenize 200',
      'transact.sale 200',
    ]);
    const carrying = requests.filter((request) => {
      const all = [request.url(), request.postData() ?? '', JSON.stringify(request.headers())].join(' ');
      return decodeURIComponent(all).replaceAll(/[\s+]/g, '').includes(number);
    });
    expect(carrying.map((request) => `${request.method()} ${request.url()}`)).toEqual([
      `POST ${sandbox.url}/browser/tokens`,
    ]);
    expect(await page.context().storageState({ indexedDB: true })).toEqual({ cookies: [], origins: [] });
    expect(page.url()).toBe(`${shop}/`);
    expect(JSON.stringify([sandbox.requests, sandbox.events, sandbox.snapshot()])).not.toContain(number);
    const said = await page.evaluate(() => Object(window).said.join());
    expect(said).toContain('tok_');
    expect(said.replaceAll(/\s/g, '')).not.toContain(number);
    const seen = await page.evaluate(() => {
      const element = document.querySelector('iframe');
      try {
        return element?.contentWindow?.document.body.textContent;
      } catch (error) {
        return [element?.contentDocument, String(error).includes('cross-origin')];
      }
    });
    expect(seen).toEqual([null, true]);
  });

  it('shows an error for each field, focuses the first, and accepts the corrected card', async () => {
    const visit = await open();
    const { page } = visit;
    const frame = await showFields(visit);
    await typeCard(frame, '9999001000000011', '13/30', '1');
    await useCard(frame);
    await frame.getByText('This card number is not valid').waitFor();
    const wrong = frame.locator('[aria-invalid=true]');
    expect(await wrong.count()).toBe(3);
    const first = frame.getByLabel('Card number');
    expect(await first.evaluate((input) => input === document.activeElement)).toBe(true);
    expect(await first.getAttribute('aria-describedby')).toContain('ccnumber-problem');
    await typeCard(frame, number, '99/99');
    await useCard(frame);
    await frame.getByText('Enter the month and the year').waitFor();
    expect(await wrong.count()).toBe(1);
    expect(await frame.locator(':focus').getAttribute('name')).toBe('ccexp');
    await frame.getByLabel('Expiry').fill('12/30');
    await useCard(frame);
    expect(await heardBy(page, 1)).toEqual([aToken]);
    expect(await wrong.count()).toBe(0);
  });

  it('is empty after a token, offers test cards, and passes the next token to the newest callback', async () => {
    const visit = await open();
    const { page, sandbox } = visit;
    const frame = await showFields(visit);
    await typeCard(frame);
    await useCard(frame);
    await heardBy(page, 1);
    await frame.getByRole('status').getByText('The shop has received your card.').waitFor();
    expect(await valuesIn(frame)).toEqual(['', '', '']);
    await showFields(visit, 'second ');
    expect(await page.locator('iframe').count()).toBe(1);
    await frame.getByText('Test cards').click();
    const item = frame.getByRole('listitem').filter({ hasText: 'Declined: do not honor' });
    await item.getByRole('button').click();
    const card = testCards.doNotHonor.number.replaceAll(/(\d{4})(?=\d)/g, '$1 ');
    expect(await frame.getByLabel('Card number').inputValue()).toBe(card);
    await page.keyboard.press('Enter');
    const [first, second] = (await heardBy(page, 2)).map(String);
    expect([first, second]).toEqual([aToken, expect.stringMatching(/^second tok_/)]);
    expect(second).not.toContain(first);
    const payment_token = second?.replace('second ', '') ?? '';
    const sale = await clientOf(sandbox).transact.sale({ amount: '1.00', payment_token });
    expect(sale.responsetext).toBe('Do not honor');
  });

  it('is shown in each target, a selector or an element, with its own callback, and again after its removal', async () => {
    const { page } = await open('<div id="left"></div><div id="right"></div>');
    await page.evaluate(() => {
      CollectJS.configure({ callback: (token) => heard.push(`left ${token}`), target: '#left' });
      const target = document.querySelector('#right');
      if (target === null) throw new Error('there is no such place');
      CollectJS.configure({ callback: (token) => heard.push(`right ${token}`), target });
    });
    const pay = async (side: string, count: number) => {
      expect(await page.locator(`#${side} iframe`).count()).toBe(1);
      const frame = page.frameLocator(`#${side} iframe`);
      await typeCard(frame);
      await useCard(frame);
      expect((await heardBy(page, count)).at(-1)).toMatch(new RegExp(`^${side} tok_`));
    };
    await pay('right', 1);
    await pay('left', 2);
    await page.evaluate(() => {
      document.querySelector('#left')?.replaceChildren();
      CollectJS.configure({ callback: (token) => heard.push(`left ${token}`), target: '#left' });
    });
    await pay('left', 3);
  });

  it('shows nothing for options that are wrong', async () => {
    const { page } = await open();
    const said = await page.evaluate(() =>
      [{ callback: 1 }, { target: '#no' }, { appearance: { theme: 'blue' } }].map((wrong) => {
        try {
          Reflect.apply(CollectJS.configure, undefined, [{ callback: () => {}, ...wrong }]);
          return 'configured';
        } catch (error) {
          return String(error);
        }
      }),
    );
    expect(said).toEqual(
      ['callback', 'target', 'theme'].map((name) => expect.stringMatching(`^TypeError: .*${name}`)),
    );
    expect(await page.locator('iframe').count()).toBe(0);
  });

  /** Configures a callback whose promise `finish` resolves. */
  async function configureSlowly(page: Page): Promise<FrameLocator> {
    await page.evaluate(() => {
      const callback = (token: string) =>
        new Promise((resolve) => {
          heard.push(token);
          Object.assign(window, { finish: resolve });
        });
      CollectJS.configure({ callback });
    });
    return page.frameLocator('iframe[title="Card"]');
  }

  const press = (frame: FrameLocator) =>
    frame.locator('form').evaluate((form: HTMLFormElement) => form.requestSubmit());

  it('accepts no other card until the promise of the callback settles', always, async () => {
    const { sandbox, page } = await open();
    const frame = await configureSlowly(page);
    await typeCard(frame);
    const button = frame.getByRole('button', { name: 'Use this card' });
    await button.dblclick();
    await press(frame);
    await heardBy(page, 1);
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
    await typeCard(frame);
    await useCard(frame);
    expect(await heardBy(page, 2)).toEqual([aToken, aToken]);
    expect(made()).toBe(2);
  });

  it('accepts the next card after a new configure, whatever an earlier promise does', async () => {
    const { page } = await open();
    const frame = await configureSlowly(page);
    await typeCard(frame);
    await useCard(frame);
    await heardBy(page, 1);
    const finishFirst = await page.evaluateHandle('finish');
    await configureSlowly(page);
    await frame.locator('form:not([data-busy])').waitFor();
    await typeCard(frame);
    await useCard(frame);
    await heardBy(page, 2);
    await finishFirst.evaluate((finish: () => void) => finish());
    // Messages arrive in order, so the frame has received all earlier ones.
    await page.evaluate(() => {
      const target = document.body.appendChild(document.createElement('p'));
      return CollectJS.configure({ callback: () => {}, target }).ready;
    });
    expect(await frame.locator('form[data-busy]').count()).toBe(1);
  });

  it("is submitted by the shop's own button, and by Enter in a field", async () => {
    const { page } = await open(
      '<div id="card-fields"></div><button id="pay">Pay</button><button id="clear">Clear</button>',
    );
    await page.evaluate(() => {
      const fields = CollectJS.configure({ callback: (token) => heard.push(token), button: false });
      document.querySelector('#pay')?.addEventListener('click', fields.submit);
      document.querySelector('#clear')?.addEventListener('click', fields.clear);
      Object.assign(window, { fields });
      return fields.ready;
    });
    const frame = page.frameLocator('iframe[title="Card"]');
    expect(await frame.getByRole('button', { name: 'Use this card' }).count()).toBe(0);
    await page.evaluate('fields.focus()');
    await frame.locator('#ccnumber:focus').waitFor();
    await page.keyboard.type(number);
    await page.getByRole('button', { name: 'Clear' }).click();
    await expect.poll(() => frame.getByLabel('Card number').inputValue(), pollTimeout).toBe('');
    await page.getByRole('button', { name: 'Pay' }).click();
    await frame.getByText('This card number is not valid').waitFor();
    await typeCard(frame);
    await page.getByRole('button', { name: 'Pay' }).dblclick();
    expect(await heardBy(page, 1)).toEqual([aToken]);
    await typeCard(frame);
    await frame.getByLabel('Security code').press('Enter');
    expect(await heardBy(page, 2)).toEqual([aToken, aToken]);
  });

  it('reports the state of the form without any digit', async () => {
    const { page } = await open();
    await page.evaluate(
      () => CollectJS.configure({ callback: () => {}, onChange: (change) => heard.push(change) }).ready,
    );
    const frame = page.frameLocator('iframe[title="Card"]');
    for (const [label, text] of [
      ['Card number', '4'],
      ['Card number', '5105105105105100'],
      ['Expiry', '1/2031'],
      ['Security code', '123'],
      ['Expiry', '13/31'],
      ...labels.map((one) => [one, ''] as const),
    ] as const) {
      await frame.getByLabel(label).fill(text);
    }
    const typing = (brand?: string) => ({ complete: false, empty: false, ...(brand && { brand }) });
    expect(await heardBy(page, 8)).toEqual([
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

  it('applies the appearance over that of the device, and removes it again', async () => {
    const { page } = await open(undefined, { colorScheme: 'light' });
    const show = (appearance: unknown) =>
      page.evaluate(
        (given) => CollectJS.configure({ callback: () => {}, appearance: given }).ready,
        appearance,
      );
    const styles = [
      ['body', 'background-color'],
      ['h1', 'color'],
      ['form > button', 'background-color'],
      ['form > button', 'color'],
      ['#ccnumber', 'border-top-color'],
      ['#ccnumber', 'font-size'],
      ['#ccnumber', 'font-family'],
    ] as const;
    const frame = page.frameLocator('iframe[title="Card"]');
    const seen = () =>
      Promise.all(
        styles.map(([selector, name]) =>
          frame
            .locator(selector)
            .evaluate((element, one) => getComputedStyle(element).getPropertyValue(one), name),
        ),
      );
    await show(undefined);
    await frame.getByLabel('Card number').waitFor();
    const usual = await seen();
    expect(usual[0]).toBe('rgb(255, 255, 255)');
    await show({
      theme: 'dark',
      fontFamily: "Georgia, 'Noto Serif', serif",
      fontSize: 18,
      colors: { text: '#fafafa', background: '#102030', accent: '#fc0', border: '#8899aa', error: '#ff9999' },
    });
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
    expect(await violationsOf(innerOf(page))).toEqual([]);
    await show({ theme: 'dark' });
    await expect.poll(async () => (await seen())[0], pollTimeout).toBe('rgb(26, 33, 41)');
    await page.emulateMedia({ colorScheme: 'dark' });
    await show({ theme: 'light' });
    await expect.poll(seen, pollTimeout).toEqual(usual);
  });

  it('accepts messages only of its own page, and validates the appearance in the frame too', async () => {
    const visit = await open();
    const { page } = visit;
    const frame = await showFields(visit);
    await frame.locator('form').evaluate((form) => {
      // A message of the frame to itself comes from a foreign window.
      postMessage({ kind: 'appearance', appearance: {}, hasButton: false }, '*');
      return new Promise((resolve) => {
        addEventListener('message', () => setTimeout(() => resolve(form)), { once: true });
      });
    });
    expect(await frame.getByRole('button', { name: 'Use this card' }).count()).toBe(1);
    const thrown = page.waitForEvent('pageerror');
    await page.locator('iframe').evaluate((element: HTMLIFrameElement) => {
      const appearance = { colors: { text: 'url(https://evil.example)' } };
      element.contentWindow?.postMessage({ kind: 'appearance', appearance }, '*');
    });
    expect((await thrown).message).toMatch(/appearance.colors.text/);
    expect(await frame.locator('html').getAttribute('style')).not.toContain('url');
  });

  it('shows a network error, and keeps the card', async () => {
    const visit = await open();
    const { sandbox, page } = visit;
    const frame = await showFields(visit);
    await typeCard(frame);
    await page.context().setOffline(true);
    await useCard(frame);
    await frame.getByRole('alert').getByText('Your card could not be sent').waitFor();
    expect(await frame.getByLabel('Security code').inputValue()).toBe('123');
    await page.context().setOffline(false);
    await useCard(frame);
    expect(await heardBy(page, 1)).toEqual([aToken]);
    expect(sandbox.requests.filter(({ operation }) => operation === 'cardFields.tokenize')).toHaveLength(1);
  });

  describe('without a target element', () => {
    it('opens a focused dialog, which closes by Escape, its button and the token', async () => {
      const { page, complaints } = await open('<button>Pay</button>');
      await page.getByRole('button', { name: 'Pay' }).focus();
      const opened = async () => {
        const frame = await configure(page);
        await page.getByRole('dialog', { name: 'Card' }).waitFor();
        await frame.locator('#ccnumber:focus').waitFor();
        return frame;
      };
      const isClosed = async () => {
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Pay');
      };
      await opened();
      await page.keyboard.press('Escape');
      await isClosed();
      await opened();
      await page.getByRole('button', { name: 'Close' }).click();
      await isClosed();
      expect(await page.evaluate(() => heard)).toEqual([]);
      await typeCard(await opened());
      await page.keyboard.press('Enter');
      expect(await heardBy(page, 1)).toEqual([aToken]);
      await isClosed();
      expect(complaints).toEqual([]);
    });

    it('opens again when the callback configures the next card, and right after the page closed it', async () => {
      const { page } = await open('');
      await page.evaluate(() => {
        const callback = (token: string) => {
          heard.push(token);
          if (heard.length === 1) CollectJS.configure({ callback });
        };
        CollectJS.configure({ callback });
      });
      const frame = page.frameLocator('iframe[title="Card"]');
      for (const count of [1, 2]) {
        await typeCard(frame);
        await useCard(frame);
        await heardBy(page, count);
      }
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await configure(page);
      await frame.getByLabel('Card number').waitFor();
      await page.locator('dialog').evaluate((dialog: HTMLDialogElement) => {
        dialog.close();
        CollectJS.configure({ callback: (token) => heard.push(token) });
      });
      await typeCard(frame);
      await useCard(frame);
      expect(await heardBy(page, 3)).toEqual([aToken, aToken, aToken]);
    });
  });
});
