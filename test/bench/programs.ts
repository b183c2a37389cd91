import { execFileSync } from 'node:child_process';
import { folder } from './build.ts';

/** Ten lines each, which create a payment intent and read an error. */
export const programs = {
  ours: `import { PaymentsClient, PaymentsError } from 'payments-client';

const payments = new PaymentsClient({ baseUrl: 'https://payments.example.com', secretKey: 'sk_v1_test_types' });

try {
  const params = { amount: 1200, currency: 'usd' };
  const intent = await payments.paymentIntents.create(params, { operationId: 'order-1042' });
  const status: string = intent.status;
} catch (error) {
  if (error instanceof PaymentsError) throw new Error(error.outcome);
}
`,
  stripe: `import Stripe from 'stripe';

const stripe = new Stripe('sk_test_types');

try {
  const params = { amount: 1200, currency: 'usd' };
  const intent = await stripe.paymentIntents.create(params, { idempotencyKey: 'order-1042' });
  const status: string = intent.status;
} catch (error) {
  if (error instanceof Stripe.errors.StripeError) throw new Error(error.type);
}
`,
};

/** Runs a program of Node to its end, where the packages are installed. Returns what it prints. */
export function output(...args: readonly string[]): string {
  return execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
}

/** Measures both sides in turns. */
export function takeTurns<T>(rounds: number, ours: () => T, theirs: () => T) {
  const pairs = Array.from({ length: rounds }, () => ({ ours: ours(), theirs: theirs() }));
  return { ours: pairs.map((pair) => pair.ours), theirs: pairs.map((pair) => pair.theirs) };
}
