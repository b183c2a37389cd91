/** Promise 5: a new field or a new value never breaks a caller. */

import { unknownField } from 'payments-client';
import { Webhooks } from 'payments-client/webhooks';
import { expect, it } from 'vitest';
import { eventOf, now, secret } from '../support/deliveries.ts';
import { refund } from '../support/fixtures.ts';
import { response } from '../support/socket-server.ts';
import { ok, wireClient } from './wire.ts';

it('passes both through in a resource', async () => {
  const later = { ...refund, status: 'reversed', channel: { kind: 'instant' } };
  const { payments } = await wireClient(ok(later));
  const result = await payments.refunds.retrieve('rf_1');
  expect(result.status).toBe('reversed');
  expect(unknownField(result, 'channel')).toEqual({ kind: 'instant' });
  expect(JSON.parse(JSON.stringify(result))).toEqual(later);
});

it('passes both through in a list', async () => {
  const later = { ...refund, status: 'reversed', channel: 'instant' };
  const { payments } = await wireClient(ok({ data: [later], has_more: false, total: 1 }));
  expect(await payments.refunds.list().toArray({ max: 2 })).toEqual([later]);
});

it('passes both through in the result of a card sale', async () => {
  const { payments } = await wireClient(
    response('200 OK', 'response=1&responsetext=OK&transactionid=7&avsresponse=%3F&channel=instant'),
  );
  const sale = await payments.transact.sale({ amount: '12.00', payment_token: 'tok_1' });
  expect(sale).toMatchObject({ approved: true, avs: { code: '?' }, fields: { channel: 'instant' } });
});

it('passes both through in an event, and an event of a new type too', async () => {
  const webhooks = new Webhooks({ secret, now: () => now });
  const known = eventOf('refund.created');
  for (const event of [
    { ...known, channel: 'instant' },
    { ...known, type: 'refund.reversed' },
  ]) {
    const body = JSON.stringify(event);
    expect(await webhooks.verify(body, await webhooks.sign(body))).toEqual(event);
  }
});
