import { WebhookVerificationError } from 'payments-client';
import type { SignatureScheme } from 'payments-client/webhooks';
import { expect, vi } from 'vitest';

/** Creates the scheme with a replaced `process`. */
export function withProcess(process: object | undefined, make: () => SignatureScheme): SignatureScheme {
  vi.stubGlobal('process', process);
  try {
    return make();
  } finally {
    vi.unstubAllGlobals();
  }
}

/** Creates the scheme as in a runtime without `node:crypto`: a Worker, which has no `process`. */
export function withoutNode(make: () => SignatureScheme): SignatureScheme {
  return withProcess(undefined, make);
}

/** Both implementations of a scheme. */
export const paths: readonly { readonly path: string; on(make: () => SignatureScheme): SignatureScheme }[] = [
  { path: 'node:crypto', on: (make) => make() },
  { path: 'Web Crypto', on: withoutNode },
];

type VerifyInput = Parameters<SignatureScheme['verify']>[0];

export interface Delivery {
  readonly body: string | Uint8Array;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly secret: string;
  /** In ms since 1970. */
  readonly now: number;
  /** In ms. Default: 300 000. */
  readonly tolerance?: number;
}

export function inputOf({ body, headers, secret, now, tolerance = 300_000 }: Delivery): VerifyInput {
  return { body, header: (name) => headers[name], secret, now, tolerance };
}

/** Returns the result of verification, or the reason of a refusal. */
export async function verdict(scheme: SignatureScheme, delivery: Delivery): Promise<boolean | string> {
  try {
    return await scheme.verify(inputOf(delivery));
  } catch (error) {
    expect(error).toBeInstanceOf(WebhookVerificationError);
    return error instanceof WebhookVerificationError ? error.reason : 'another error';
  }
}
