/** What an error says of the operation of its call, if a journal knows it. */

import { InvalidRequestError } from 'payments-client';
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
