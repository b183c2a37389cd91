/** Each function of the page refuses a wrong option in the words of the whole package. See also `test/refusals.test.ts`. */

import * as browser from 'payments-client/browser';
import * as react from 'payments-client/react';
import { expect, it, onTestFinished, vi } from 'vitest';
import { anything } from '../support/anything.ts';

const calls: Readonly<Record<string, () => Promise<unknown>>> = {
  loadCardFields: () => browser.loadCardFields(anything({ nope: 1 })),
  loadGateway: () => browser.loadGateway(anything({ nope: 1 })),
};

it('each function is in the table, and React passes its options on to them', () => {
  const { BrowserError: _, ...functions } = browser;
  expect(Object.keys(functions).toSorted()).toEqual(Object.keys(calls));
  const names = ['CardFields', 'PaymentsProvider', 'useCardFields', 'useGateway'];
  expect(Object.keys(react).toSorted()).toEqual(names);
});

it.each(Object.entries(calls))('%s refuses a wrong value as a BrowserError', async (name, call) => {
  vi.stubGlobal('document', { baseURI: 'https://shop.example/' });
  onTestFinished(() => void vi.unstubAllGlobals());
  const error = await call().catch((reason: unknown) => reason);
  if (!(error instanceof browser.BrowserError)) throw error;
  expect(error.code).toBe('invalid_option');
  expect(error.message).toMatch(
    new RegExp(
      `^${name}\\.nope: expected one of .+, got another name\\. Correct it: nothing was loaded or sent\\.$`,
    ),
  );
});

it('never repeats a value, which may be a key in the wrong place', async () => {
  vi.stubGlobal('document', { baseURI: 'https://shop.example/' });
  onTestFinished(() => void vi.unstubAllGlobals());
  await expect(
    browser.loadGateway({ baseUrl: 'pk', apiKey: 'pk_1', environment: 'sandbox' }),
  ).rejects.toThrow(
    'loadGateway.baseUrl: expected an https URL (http is for loopback hosts), got a value of type string.',
  );
});
