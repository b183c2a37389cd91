import { PaymentsClient } from 'payments-client';
import type { SandboxOptions } from 'payments-client-sandbox';
import { start } from '../../../test/support/sandbox-requests.ts';

/** Starts a sandbox with the SDK's `Transact`, and a function for forms that the SDK would not send. */
export function startForms(options?: SandboxOptions) {
  const { sandbox, send } = start(options);
  const { transact } = new PaymentsClient({
    baseUrl: sandbox.url,
    secretKey: sandbox.secretKey,
    securityKey: sandbox.securityKey,
    fetch: sandbox.fetch,
    interface: options?.interface,
  });
  const submit = async (fields: Readonly<Record<string, string>>) => {
    const body = new URLSearchParams({ security_key: sandbox.securityKey, ...fields });
    const response = await send('/api/transact.php', { method: 'POST', body });
    return new URLSearchParams(await response.text());
  };
  const transaction = (id: string) => {
    const found = sandbox.transactions.find((one) => one.id === id);
    if (found === undefined) throw new Error(`expected a transaction '${id}'`);
    return found;
  };
  return { sandbox, transact, submit, transaction };
}

/** A velocity rule for the daily amount of a card, without its limit. */
export const daily = {
  name: 'daily',
  per: 'card',
  windowMs: 86_400_000,
  action: 'block',
  counts: 'amount',
} as const;

/** Returns the form fields of a card. */
export function typed(number: string) {
  return { ccnumber: number, ccexp: '1230', cvv: '123' };
}
