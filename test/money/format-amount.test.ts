import { ConfigurationError, formatAmount } from 'payments-client';
import { describe, expect, it } from 'vitest';

describe('formatAmount', () => {
  it.each([
    [1200, 'usd', 'en-US', '$12.00'],
    [1200, 'JPY', 'en-US', '¥1,200'],
    [1200, 'KWD', 'en-US', 'KWD 1.200'],
    [12345, 'CLF', 'en-US', 'CLF 1.2345'],
    [0, 'USD', 'en-US', '$0.00'],
    [123456, 'EUR', 'de-DE', '1.234,56 €'],
    [100, 'ISK', 'en-US', 'ISK 100'],
    [9007199254740991, 'USD', 'en-US', '$90,071,992,547,409.91'],
    [90071992547409919999n, 'USD', 'en-US', '$900,719,925,474,099,199.99'],
  ])('%s %s in %s is %s', (amount, currency, locale, text) => {
    // Intl writes non-breaking spaces.
    expect(formatAmount(amount, currency, locale).replaceAll(/\s/g, ' ')).toBe(text);
  });

  it('uses the locale of the runtime by default', () => {
    const { locale } = new Intl.NumberFormat().resolvedOptions();
    expect(formatAmount(1200, 'USD')).toBe(formatAmount(1200, 'USD', locale));
  });

  it('refuses an invalid amount, currency or locale', () => {
    expect(() => formatAmount(0.5, 'XXX')).toThrow(
      /^formatAmount\.minorUnits: expected .+ 0\.5; formatAmount\.currency: expected .+ got 'XXX'\./,
    );
    expect(() => formatAmount(-1, 'USD')).toThrow(ConfigurationError);
    expect(() => formatAmount(1, 'USD', '!')).toThrow(/^formatAmount\.locale: expected a BCP 47 tag/);
  });
});
