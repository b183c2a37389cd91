/**
 * Typing a card.
 *
 * @module-tag thorough
 */

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasChromium } from '../../../../test/support/chromium.ts';
import { pageOf } from '../../../../test/support/sandbox.ts';
import { skipWithout } from '../../../../test/support/skip.ts';
import { buyer, card, fill, startSession, useChromium } from './support.ts';

const { isSkipped, why } = skipWithout(hasChromium(), 'chromium', 'the card form');

describe.skipIf(isSkipped)(`typing a card${why}`, { timeout: 300_000 }, () => {
  const openPage = useChromium();

  async function open() {
    const { sandbox, session, shop } = await startSession();
    const page = await openPage(pageOf(sandbox, session.id));
    return {
      sandbox,
      session,
      shop,
      page,
      number: page.locator('#ccnumber'),
      expiry: page.locator('#ccexp'),
    };
  }

  const stateOf = (page: Page, name: string) =>
    page.locator(`#${name}`).evaluate((input: HTMLInputElement) => ({
      value: input.value,
      caret: input.selectionStart,
      isWrong: input.ariaInvalid === 'true',
      says: (input.getAttribute('aria-describedby') ?? '')
        .split(' ')
        .map((id) => document.getElementById(id)?.textContent ?? '')
        .join(' | '),
    }));

  it('groups the digits of a number as its brand does', async () => {
    const { page, number } = await open();
    for (const [typed, ...shown] of [
      ['4111111111111111', '4111 1111 1111 1111', 'Visa', '3 digits on the back'],
      ['378282246310005', '3782 822463 10005', 'American Express', '4 digits on the front'],
      ['30569309025904', '3056 930902 5904', 'Diners Club', '3 digits on the back'],
      ['5555555555554444', '5555 5555 5555 4444', 'Mastercard', '3 digits on the back'],
      ['6304000000000000000', '6304 0000 0000 0000 000', 'Maestro', '3 digits on the back'],
      ['4111-1111x1111 1111', '4111 1111 1111 1111', 'Visa', '3 digits on the back'],
      ['9999001000000010', '9999 0010 0000 0010', '', '3 or 4 digits on the card'],
    ] as const) {
      await number.fill('');
      await number.pressSequentially(typed);
      expect([
        await number.inputValue(),
        await page.locator('#brand').textContent(),
        await page.locator('#cvv-hint').textContent(),
      ]).toEqual(shown);
    }
  });

  it('accepts pasted digits with any separators', async () => {
    const { page, number, expiry } = await open();
    await number.focus();
    await page.keyboard.insertText('4111-1111 11111111');
    expect(await number.inputValue()).toBe('4111 1111 1111 1111');
    await expiry.focus();
    await page.keyboard.insertText('122030');
    await page.keyboard.press('Tab');
    expect(await expiry.inputValue()).toBe('12/30');
  });

  it('keeps the caret in place during a correction', async () => {
    const { page, number } = await open();
    await number.pressSequentially('4111111111111111');
    const press = async (key: string, times = 1) => {
      for (let count = 0; count < times; count += 1) await page.keyboard.press(key);
    };
    await press('Home');
    await press('ArrowRight', 6);
    await page.keyboard.type('23');
    expect(await stateOf(page, 'ccnumber')).toMatchObject({ value: '4111 1231 1111 1111 11', caret: 8 });
    await press('Backspace', 2);
    expect(await stateOf(page, 'ccnumber')).toMatchObject({ value: '4111 1111 1111 1111', caret: 6 });
    await page.keyboard.type('5');
    await press('ArrowLeft', 2);
    await press('Backspace');
    expect(await stateOf(page, 'ccnumber')).toMatchObject({ value: '4111 5111 1111 1111', caret: 3 });
    await page.keyboard.type('9');
    await press('ArrowLeft');
    await press('Delete', 2);
    expect(await stateOf(page, 'ccnumber')).toMatchObject({ value: '4115 1111 1111 111', caret: 3 });
  });

  it('deletes the digit beside a gap, on both sides', async () => {
    const { page, number } = await open();
    await number.pressSequentially('41112222');
    const goTo = (place: number) =>
      number.evaluate((input: HTMLInputElement, at) => input.setSelectionRange(at, at), place);
    await goTo(5);
    await page.keyboard.press('Backspace');
    expect(await stateOf(page, 'ccnumber')).toMatchObject({ value: '4112 222', caret: 3 });
    await goTo(4);
    await page.keyboard.press('Delete');
    expect(await stateOf(page, 'ccnumber')).toMatchObject({ value: '4112 22', caret: 4 });
  });

  it('reads an expiry in each form, and leaves a wrong one as it was typed', async () => {
    const { page, expiry } = await open();
    for (const [typed, shown, says] of [
      ['1230', '12/30', ''],
      ['12/30', '12/30', ''],
      ['12/2030', '12/30', ''],
      ['1/30', '01/30', ''],
      ['01 30', '01/30', ''],
      ['130', '01/30', ''],
      ['0130', '01/30', ''],
      ['330', '03/30', ''],
      // The sandbox's clock starts in January 2026.
      ['01/26', '01/26', ''],
      ['12/25', '12/25', 'has expired'],
      ['13/30', '13/30', 'Enter the month'],
      ['00/30', '00/30', 'Enter the month'],
      ['1', '1', 'Enter the month'],
      ['13/20', '13/20', 'Enter the month'],
      ['23/20', '23/20', 'Enter the month'],
    ] as const) {
      await expiry.fill('');
      await expiry.pressSequentially(typed);
      await page.keyboard.press('Tab');
      expect(await stateOf(page, 'ccexp'), typed).toMatchObject({
        value: shown,
        isWrong: says !== '',
        says: expect.stringContaining(says),
      });
    }
  });

  it('shows no error during the first typing, but on blur', async () => {
    const { page, number } = await open();
    await number.focus();
    await page.keyboard.press('Tab');
    expect(await stateOf(page, 'ccnumber')).toMatchObject({ isWrong: false });
    await number.focus();
    await page.keyboard.type('4111111111111112');
    expect(await stateOf(page, 'ccnumber')).toMatchObject({ isWrong: false });
    await page.keyboard.press('Tab');
    const wrong = await stateOf(page, 'ccnumber');
    expect(wrong).toMatchObject({
      isWrong: true,
      says: expect.stringContaining('This card number is not valid'),
    });
    await number.focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('1');
    expect(await stateOf(page, 'ccnumber')).toMatchObject({ isWrong: false, says: '' });
  });

  it("checks the expiry by the sandbox's clock, not the browser's", async () => {
    const { sandbox, session } = await startSession({ expires_at: 10_000_000_000 });
    await sandbox.clock.advance('3650 days');
    const page = await openPage(pageOf(sandbox, session.id));
    await page.locator('#ccexp').fill('12/30');
    await page.keyboard.press('Tab');
    expect(await stateOf(page, 'ccexp')).toMatchObject({ isWrong: true });
  });

  it('focuses the first invalid field, and sends nothing', async () => {
    const { page, sandbox } = await open();
    await fill(page, { ...buyer, ...card, cvv: '12', ccexp: '99' });
    await page.keyboard.press('Enter');
    expect(await page.locator(':focus').getAttribute('name')).toBe('ccexp');
    expect(await stateOf(page, 'ccexp')).toMatchObject({ isWrong: true });
    expect(await stateOf(page, 'cvv')).toMatchObject({ isWrong: true, value: '12' });
    expect(sandbox.requests.map(({ operation }) => operation)).toEqual(['checkout.show']);
  });

  it('requires four digits for American Express', async () => {
    const { page } = await open();
    await fill(page, { ...buyer, ccnumber: '378282246310005', ccexp: '12/30', cvv: '123' });
    await page.locator('#email').focus();
    expect(await stateOf(page, 'cvv')).toMatchObject({ isWrong: true });
    await page.locator('#cvv').focus();
    await page.keyboard.press('End');
    await page.keyboard.type('4');
    expect(await stateOf(page, 'cvv')).toMatchObject({ value: '1234', isWrong: false });
  });
});
