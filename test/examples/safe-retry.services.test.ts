/** A process is killed after the service has charged, then started again: there is one charge. */

import type { Fault, Sandbox } from 'payments-client-sandbox';
import { describe, expect, it } from 'vitest';
import { clientOf } from '../support/sandbox.ts';
import { thorough } from '../support/size.ts';
import { type Merchant, startMerchant, untilEvent } from './support.ts';

const name = 'safe-retry/sqlite';
const order = ['order-1042', '1200', 'usd', 'pm_card'] as const;

async function chargesOf(sandbox: Sandbox): Promise<readonly string[]> {
  const charges = await clientOf(sandbox).charges.list().toArray({ max: 10 });
  return charges.map(({ status, amount }) => `${status} ${amount}`);
}

/** Starts the order, and kills the process after an event of the service, before the response. */
async function killAfter(
  event: string,
  operation: Extract<Fault, { readonly kind: 'hold' }>['operation'],
  { sandbox, launch }: Merchant,
): Promise<void> {
  sandbox.faults.inject({ kind: 'stall_body', operation });
  const serviceEvent = untilEvent(sandbox, event);
  const killed = launch(name, ...order);
  await serviceEvent;
  await killed.stop('SIGKILL');
}

describe('an order', () => {
  it.each([
    ['receives its intent', 'payment_intent.created', 'paymentIntents.create'],
    ['receives its payment', 'payment_intent.succeeded', 'paymentIntents.confirm'],
  ] as const)(
    'is charged once if the process is killed before it %s, and run again at once',
    async (_, event, operation) => {
      const merchant = await startMerchant();
      const { sandbox, run } = merchant;
      await killAfter(event, operation, merchant);
      const again = await run(name, ...order);
      expect(again).toMatchObject({ code: 0, stderr: '' });
      expect(again.stdout).toMatch(/^order-1042: pi_\w+ succeeded\n$/);
      const sent = sandbox.requests.filter((request) => request.operation === operation);
      expect(sent.map(({ replayed }) => replayed)).toEqual([false, true]);
      expect(await clientOf(sandbox).paymentIntents.list().toArray({ max: 10 })).toHaveLength(1);
      expect(await chargesOf(sandbox)).toEqual(['succeeded 1200']);
    },
  );

  it('is not charged again once it is paid', async () => {
    const { sandbox, run } = await startMerchant();
    expect((await run(name, ...order)).stdout).toMatch(/^order-1042: pi_\w+ succeeded\n$/);
    const again = await run(name, ...order);
    expect(again.stdout).toMatch(/^order-1042: pi_\w+ succeeded\n$/);
    expect(await chargesOf(sandbox)).toEqual(['succeeded 1200']);
  });

  it('stays open after an error, and is paid by the next run', thorough, async () => {
    const { sandbox, run } = await startMerchant();
    const operation = 'paymentIntents.confirm';
    sandbox.faults.inject({ kind: 'bad_gateway', operation, committed: true, times: 3 });
    expect((await run(name, ...order)).stderr).toMatch(/^order-1042: run again: /);
    sandbox.faults.inject({ kind: 'rate_limit', operation, retryAfter: 0, times: 3 });
    expect((await run(name, ...order)).stderr).toMatch(/^order-1042: run again: .*429/);
    expect((await run(name, ...order)).code).toBe(0);
    expect(await chargesOf(sandbox)).toEqual(['succeeded 1200']);
  });

  it('whose intent is canceled does not exit as if it were paid', async () => {
    const { sandbox, run } = await startMerchant();
    await run(name, 'order-1042', '1200', 'usd', 'pm_card_declined');
    const [intent] = await clientOf(sandbox).paymentIntents.list().toArray({ max: 1 });
    sandbox.update('payment_intent', intent?.id ?? '', { status: 'canceled' });
    const operation = 'paymentIntents.confirm';
    sandbox.faults.inject({
      kind: 'respond',
      status: 200,
      body: { ...intent, status: 'canceled' },
      operation,
    });
    const { code, stdout } = await run(name, ...order);
    expect(stdout).toMatch(/^order-1042: pi_\w+ canceled\n$/);
    expect(code).toBe(1);
  });

  it('accepts another card after a decline, but no other amount', thorough, async () => {
    const { sandbox, run } = await startMerchant();
    const declined = await run(name, 'order-1042', '1200', 'usd', 'pm_card_declined');
    expect(declined.stderr).toMatch(/^order-1042: choose another card: /);
    expect(declined.code).toBe(1);
    const otherAmount = await run(name, 'order-1042', '1300', 'usd', 'pm_card');
    expect(otherAmount.stderr).toMatch(/^order-1042: look into it: .* another amount/);
    expect((await run(name, ...order)).stdout).toMatch(/ succeeded\n$/);
    expect((await chargesOf(sandbox)).toSorted()).toEqual(['failed 1200', 'succeeded 1200']);
  });
});
