import type { PaymentsClient } from 'payments-client';
import type { Sandbox } from 'payments-client/sandbox';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { connectToChromium } from '../../support/chromium.ts';
import { clientOf, startSandbox } from '../../support/sandbox.ts';

/** The fixtures of a dashboard test. */
export interface Desk {
  /** Shared by the tests of a suite. */
  readonly browser: Browser;
  /** A new one for each test. */
  readonly sandbox: Sandbox;
  /** A client of the sandbox, without retries. */
  readonly payments: PaymentsClient;
}

/** Gives each test of the suite a new sandbox. */
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
