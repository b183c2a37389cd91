import type { PaymentsClient } from 'payments-client';
import type { Sandbox } from 'payments-client-sandbox';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { connectToChromium } from '../../../../test/support/chromium.ts';
import { clientOf, startSandbox } from '../../../../test/support/sandbox.ts';

/** The context of a dashboard test. */
export interface Desk {
  /** The browser that the tests of a suite share. */
  readonly browser: Browser;
  /** A new sandbox for each test. */
  readonly sandbox: Sandbox;
  /** A client of the sandbox, without retries. */
  readonly payments: PaymentsClient;
}

/** Creates a sandbox for each test of the suite. */
export function withNewSandboxes(use: (desk: Desk) => void): void {
  let browser: Browser;
  beforeAll(async () => {
    browser = await connectToChromium();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    const sandbox = await startSandbox();
    use({ browser, sandbox, payments: clientOf(sandbox, { maxRetries: 0 }) });
  });
}
