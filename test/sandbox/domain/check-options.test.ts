/** Misspelt options of the sandbox: they would be ignored in silence. */

import { existsSync } from 'node:fs';
import { createSandbox, openSandbox } from 'payments-client/sandbox';
import { describe, expect, it } from 'vitest';
import { anything } from '../../support/anything.ts';

const sandbox = createSandbox();
const card = { ccnumber: '4111111111111111', ccexp: '1230' };

describe('a misspelt option is refused by name:', () => {
  it.each<[message: string, call: () => unknown]>([
    [
      "createSandbox.secretkey: expected one of .+ unknown option \\(did you mean 'secretKey'\\?\\)\\.$",
      () => createSandbox(anything({ secretkey: 'sk_v1_test_1' })),
    ],
    ['createSandbox: expected an object, got the number 7\\.$', () => createSandbox(anything(7))],
    [
      "createSandbox.webhooks\\[0\\].secert: expected one of url, events, secret, .+'secret'",
      () => createSandbox({ webhooks: [anything({ url: 'http://localhost/w', secert: 'x' })] }),
    ],
    [
      "createSandbox.clok: expected .+'clock'",
      () => openSandbox('never-made.data', anything({ clok: 'running' })),
    ],
    ["sandbox.listen.prt: expected one of port, host, .+'port'", () => sandbox.listen(anything({ prt: 1 }))],
    [
      "sandbox.webhooks.deliverTo.event: expected one of events, secret, .+'events'",
      () => sandbox.webhooks.deliverTo('http://localhost/w', anything({ event: ['refund.failed'] })),
    ],
    [
      "faults.inject.time: expected one of kind, times, types, endpoint, .+'times'",
      () => sandbox.faults.inject(anything({ kind: 'drop_delivery', time: 2 })),
    ],
    [
      "faults.inject.opertion: expected one of kind, operation, .+'operation'",
      () => sandbox.faults.inject(anything({ kind: 'drop_reply', opertion: 'refunds.create' })),
    ],
    [
      'faults.inject.times: expected one of kind, operation, route, skip, probability, ms, got an unknown option',
      () => sandbox.faults.inject(anything({ kind: 'hold', times: 2 })),
    ],
    [
      "sandbox.tokenize.cvc: expected one of ccnumber, ccexp, cvv, .+'cvv'",
      () => sandbox.tokenize(anything({ ...card, cvc: '123' })),
    ],
    [
      "sandbox.pay.paymentMethod: expected one of payment_method, .+'payment_method'",
      () => sandbox.pay('pi_1', anything({ paymentMethod: 'pm_card_declined' })),
    ],
    [
      "seed.customer: expected one of customers, intents, months, seed, .+'customers'",
      () => sandbox.seed(anything({ customer: 1 })),
    ],
    [
      "sandbox.settle.curency: expected one of currency, terminal_ids, .+'currency'",
      () => sandbox.settle(anything({ curency: 'usd' })),
    ],
    [
      "sandbox.trigger.bear: expected one of bare, .+'bare'",
      () => sandbox.trigger('chargeback.received', {}, anything({ bear: true })),
    ],
  ])('%s', async (message, call) => {
    const refused = Promise.resolve().then(call);
    await expect(refused).rejects.toThrow(RangeError);
    await expect(refused).rejects.toThrow(new RegExp(`^${message}`));
  });

  it('and leaves no file behind', async () => {
    await expect(openSandbox('never-made.data', anything({ clok: 'running' }))).rejects.toThrow(RangeError);
    expect(['never-made.data', 'never-made.data.lock'].filter(existsSync)).toEqual([]);
  });

  it('unless the name may be a secret', () => {
    expect(() => createSandbox(anything({ '4111111111111111': true }))).toThrow(
      /^createSandbox: expected one of/,
    );
  });
});
