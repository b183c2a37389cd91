import { PaymentsClient, type PaymentsClientOptions } from 'payments-client';
import { createSandbox, type Sandbox, type SandboxOptions } from 'payments-client-sandbox';
import { checkOptions } from '../base/check-options.ts';
import * as s from '../base/schema.ts';

/** Options of `createTestClient`. */
interface TestClientOptions {
  /** Options of the sandbox. Default: the sandbox's defaults. */
  readonly sandbox?: SandboxOptions | undefined;
  /**
   * Options of the client, except those that connect it to the sandbox. Default: the client's defaults, with the `interface`
   * and the `checkoutPage` of the sandbox, and without retries, so that a test sees each failure.
   */
  readonly client?:
    | Omit<PaymentsClientOptions, 'baseUrl' | 'fetch' | 'secretKey' | 'securityKey'>
    | undefined;
}

const optionsSchema = s.optionsOf<TestClientOptions>(() => ({
  // The client and the sandbox check these.
  sandbox: s.unchecked(),
  client: s.unchecked(),
}));

const ofSandbox = s.absent('nothing, since that of the sandbox is used');
const clientSchema: s.Schema<unknown> = s.optional(
  s.object({ baseUrl: ofSandbox, fetch: ofSandbox, secretKey: ofSandbox, securityKey: ofSandbox }),
);

/** A client, and the sandbox that handles its requests. */
export interface TestClient {
  /** The client. */
  readonly payments: PaymentsClient;
  /** The sandbox that handles its requests: inspect it, advance its clock, inject faults. */
  readonly sandbox: Sandbox;
}

/**
 * Creates a client with a sandbox of its own, in this process and without a network: nothing to start or close.
 *
 * @throws ConfigurationError when an option is invalid or unknown, or the client gets one that connects it elsewhere.
 *
 * @example
 * const { payments, sandbox } = createTestClient();
 * sandbox.faults.inject({ kind: 'drop_reply' });
 * await expect(checkout(payments, order)).rejects.toHaveOutcome('unknown');
 */
export function createTestClient(options: TestClientOptions = {}): TestClient {
  checkOptions('createTestClient', optionsSchema, options);
  const { sandbox: settings, client } = options;
  checkOptions('createTestClient.client', clientSchema, client);
  const sandbox = createSandbox(settings);
  const { url: baseUrl, secretKey, securityKey, checkoutPage, fetch } = sandbox;
  const payments = new PaymentsClient({
    // The keys are the sandbox's own, so a page may have them.
    maxRetries: 0,
    interface: settings?.interface,
    dangerouslyAllowBrowser: true,
    checkoutPage,
    ...client,
    baseUrl,
    secretKey,
    securityKey,
    fetch,
  });
  return { payments, sandbox };
}
