/**
 * The hosted checkout on each screen.
 *
 * @module-tag thorough
 */

import { describe, expect, it } from 'vitest';
import { hasChromium } from '../../../../test/support/chromium.ts';
import { pageOf } from '../../../../test/support/sandbox.ts';
import { skipWithout } from '../../../../test/support/skip.ts';
import { buyer, card, everything, fill, startSession, useChromium, widths } from './support.ts';

const { isSkipped, why } = skipWithout(hasChromium(), 'chromium', 'the screens of the checkout');

const address = {
  phone: '+1 202 555 0100',
  billing_line1: '1 Tea Street',
  billing_city: 'Springfield',
  billing_postal_code: '62701',
};

describe.skipIf(isSkipped)(`the hosted checkout${why}`, { timeout: 300_000 }, () => {
  const openPage = useChromium();

  it("shows the expiry in the buyer's time zone", async () => {
    const { sandbox, session } = await startSession({ expires_at: 4_100_000_000 });
    const page = await openPage(pageOf(sandbox, session.id), { timezoneId: 'Asia/Tokyo' });
    await page.getByText('December 4, 2099 at 1:53 AM').waitFor();
  });

  it('collapses the order on a phone but shows the total, and expands it on a wide screen', async () => {
    const { sandbox, session } = await startSession();
    const page = await openPage(pageOf(sandbox, session.id), { viewport: widths.phone });
    const line = page.locator('.order').getByText('Tea');
    expect(await line.isVisible()).toBe(false);
    await page.locator('.glance').getByText('$12.00').waitFor();
    await page.locator('.order summary').focus();
    await page.keyboard.press('Enter');
    await line.waitFor();
    await page.locator('.order summary').click();
    await page.setViewportSize(widths.laptop);
    await line.waitFor();
  });

  it.each([
    ['with scripts', true],
    ['without', false],
  ])(
    'asks for a shipping address only if it is another one, and for a state only where it is needed, %s',
    async (_what, javaScriptEnabled) => {
      const { sandbox, session, shop } = await startSession({
        collect_config: { ...everything, require_shipping_address: true },
      });
      const page = await openPage(pageOf(sandbox, session.id), { javaScriptEnabled, viewport: widths.phone });
      // Without scripts, nothing could expand the order, so it is shown.
      expect(await page.locator('.order').getByText('Tea').isVisible()).toBe(!javaScriptEnabled);
      const box = page.getByLabel('Same as the billing address');
      const line = page.locator('#shipping_line1');
      expect(await line.isVisible()).toBe(false);
      await box.uncheck();
      await line.waitFor();
      await page.locator('form > button').click();
      await page.locator('#shipping_line1-problem').waitFor();
      await box.check();
      expect(await line.isVisible()).toBe(false);
      await fill(page, { ...buyer, ...address, ...card });
      const isOptional = page.locator('label[for="billing_state"] .optional');
      await page.locator('#billing_country').selectOption('US');
      if (javaScriptEnabled) expect(await isOptional.isVisible()).toBe(false);
      await page.locator('#billing_country').selectOption('DE');
      if (javaScriptEnabled) expect(await isOptional.isVisible()).toBe(true);
      await page.locator('form > button').click();
      await page.waitForURL(`${shop}/thanks`);
    },
  );
});
