/** What an error says of the operation of its call, if a journal knows it. */

import { InvalidRequestError, OperationUnresolvedError, PaymentsError } from 'payments-client';
import { createJournal } from 'payments-client/journal';
import { memoryStore } from 'payments-client/stores';
import { expect, it } from 'vitest';
import { failureOf } from '../../support/failure.ts';
import { saleParams } from '../../support/fixtures.ts';
import { text } from '../../support/mock-service.ts';
import { useScriptedService } from '../../support/scripted-service.ts';

const service = useScriptedService();
const by = { operationId: 'order-1' };

it('does not say that an operation took effect before it knows whose call it is', async () => {
  const journal = createJournal({ store: memoryStore(), account: 'shop-1' });
  const keys = ['security-key-unit-0001', 'security-key-unit-0002'];
  const payments = service.createClient({ journal, securityKey: async () => keys[0] ?? '' });
  service.answers(text('response=1&responsetext=OK&transactionid=t1'));
  await payments.transact.sale(saleParams, by);
  const wrong = payments.transact.sale({ ...saleParams, amount: 'free' }, by);
  expect(await failureOf(wrong, InvalidRequestError)).toMatchObject({ outcome: 'unknown' });
});

it('advises to look a sale in doubt up, also if an option was refused', async () => {
  const payments = service.createClient({ journal: createJournal({ store: memoryStore() }) });
  service.answers(() => new Response('', { status: 500 }));
  await failureOf(payments.transact.sale(saleParams, by), PaymentsError);
  const wrong = payments.transact.sale(saleParams, { ...by, timeout: -1 });
  expect((await failureOf(wrong, InvalidRequestError)).message).toContain(
    'look it up before you send it again',
  );
});

it('says what the record says if the claim of a sale was lost meanwhile', async () => {
  let now = Date.now();
  const store = memoryStore({ now: () => now });
  const start = () => service.createClient({ journal: createJournal({ store, now: () => now }) });
  const [first, second] = [start(), start()];
  service.answers(async () => {
    // The lease is over, though the clock of the call says that it is not: the machine slept.
    now += 86_400_000;
    await failureOf(second.transact.sale(saleParams, by), OperationUnresolvedError);
    return Response.json({ error: { code: 'CARD_DECLINED' } }, { status: 402 });
  });
  const error = await failureOf(first.transact.sale(saleParams, by), PaymentsError);
  expect(error).toMatchObject({ status: 402, outcome: 'unknown' });
});
