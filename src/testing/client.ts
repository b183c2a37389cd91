import { checkOptions } from '../base/check-options.ts';
import { optionsOf, unchecked } from '../base/options.ts';
import { PaymentsClient, type PaymentsClientOptions } from '../client.ts';
import { createSandbox, type Sandbox, type SandboxOptions } from '../sandbox/index.ts';

/** How a test client is made. */
export interface TestClientOptions {
  /** Options of the sandbox. Default: its own. */
  readonly sandbox?: SandboxOptions | undefined;
  /**
   * Options of the client, besides what leads it to the sandbox. Default: its own, with the `interface` of the sandbox and no retries, so that
   * each failure is seen.
   */
  readonly client?:
    | Omit<PaymentsClientOptions, 'baseUrl' | 'fetch' | 'secretKey' | 'securityKey'>
    | undefined;
}

const optionsSchema = optionsOf<TestClientOptions>({
  // Both are checked by what is made of them.
  sandbox: unchecked(),
  client: unchecked(),
});

/** A client, and the sandbox that answers it. */
export interface TestClient {
  /** The client. */
  readonly payments: PaymentsClient;
  /** What answers it: look into it, let its time pass, make things go wrong. */
  readonly sandbox: Sandbox;
}

/**
 * A client that a sandbox of its own answers, in this process and without a network: nothing to start, and nothing to close.
 *
 * @throws ConfigurationError when an option is not known, or one of the client is wrong.
 *
 * @example
 * const { payments, sandbox } = createTestClient();
 * sandbox.faults.inject({ kind: 'drop_reply' });
 * await expect(checkout(payments, order)).rejects.toHaveOutcome('unknown');
 */
export function createTestClient(options: TestClientOptions = {}): TestClient {
  checkOptions('createTestClient', optionsSchema, options);
  const { sandbox: settings, client } = options;
  const sandbox = createSandbox(settings);
  const { url: baseUrl, secretKey, securityKey, fetch } = sandbox;
  const payments = new PaymentsClient({
    // The keys are the sandbox's own, so a page may have them.
    ...{ maxRetries: 0, interface: settings?.interface, dangerouslyAllowBrowser: true },
    ...client,
    ...{ baseUrl, secretKey, securityKey, fetch },
  });
  return { payments, sandbox };
}
