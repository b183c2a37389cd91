/** A transaction of a client with a journal: what is kept, what a repeat gets, and what a person is told after a lost reply. */

import { createHash } from 'node:crypto';
import {
  AuthenticationError,
  OperationMismatchError,
  OperationUnresolvedError,
  PaymentsClient,
  PaymentsError,
} from 'payments-client';
import { createJournal } from 'payments-client/journal';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { type Answer, card, cardNumber, sale, startEndpoint } from './endpoint.ts';

const by = { operationId: 'order-1042' };
const lost: Answer = () => {
  throw new TypeError('fetch failed');
};

/** An endpoint, and a way to start a process of a client of it. All processes share one store. */
function start(...answers: readonly Answer[]) {
  const endpoint = startEndpoint(answers);
  const store = memoryStore();
  const journal = createJournal({ store, account: 'shop-1-test' });
  const startProcess = (securityKey = 'security-key-1') =>
    new PaymentsClient({ ...endpoint.options, secretKey: 'sk_v1_test_1', securityKey, journal });
  return { ...endpoint, store, startProcess };
}

describe('the record', () => {
  const buyer = { orderid: '1042', currency: 'EUR', email: 'ada@shop.example', ipaddress: '192.0.2.1' };
  const authentication = { cardholder_auth: 'Y', cavv: 'CAVV-canary', xid: 'XID-canary', eci: '05' };

  it('has what finds a transaction, and nothing that can charge or that no journal may keep', async () => {
    const { startProcess, store } = start(lost);
    const { transact } = startProcess();
    const byCard = { ...card, ccexp: '0931', cvv: '9871', ...buyer, ...authentication };
    await failureOf(transact.sale(byCard, { operationId: 'card' }), PaymentsError);
    const byToken = { ...sale, payment_token: 'TOKEN-canary', ...buyer };
    await failureOf(transact.sale(byToken, { operationId: 'token' }), PaymentsError);
    const space = `operation.${createHash('sha256').update('shop-1-test').digest('hex')}`;
    const { claims } = await store.open({ space, limit: 10 });
    expect(claims).toHaveLength(2);
    const written = JSON.stringify(claims);
    expect(written).toContain('************1111');
    for (const kept of ['12.00', '1042', 'ada@shop.example']) expect(written).toContain(kept);
    // A random id or a digest may hold four digits by chance.
    const chosen = written.replace(/[\da-f-]{16,}|\d{13}/g, '');
    expect(chosen).not.toMatch(/41111|0931|9871|canary|security-key/);
  });

  it.each<[what: string, lookUp: object, call: (payments: PaymentsClient) => PromiseLike<unknown>]>([
    [
      'a sale by card',
      { amount: '12.00', currency: 'EUR', ccnumber: '************1111', orderid: '1042' },
      ({ transact }) => transact.sale({ ...card, ...buyer }, by),
    ],
    [
      'a sale by a card of 15 digits',
      { amount: '12.00', ccnumber: '***********0005' },
      ({ transact }) => transact.sale({ ...card, ccnumber: '3782 822463 10005' }, by),
    ],
    [
      'a sale by token',
      { amount: '1200', currency: 'JPY', orderid: '1042' },
      ({ transact }) => transact.sale({ ...sale, ...buyer, amount: '1200', currency: 'JPY' }, by),
    ],
    [
      'a refund',
      { amount: '5.00', transactionid: '7' },
      ({ transact }) => transact.refund({ transactionid: '7', amount: '5.00' }, by),
    ],
    ['a void', { transactionid: '7' }, ({ transact }) => transact.void({ transactionid: '7' }, by)],
  ])('of %s tells a person what to look for', async (_what, lookUp, call) => {
    const { startProcess, bodies } = start(lost);
    await failureOf(call(startProcess()), PaymentsError);
    const error = await failureOf(call(startProcess()), OperationUnresolvedError);
    expect(error).toMatchObject({ outcome: 'unknown', retryable: false });
    expect(error.lookUp).toEqual(lookUp);
    for await (const open of startProcess().journal.open()) expect(open.lookUp).toEqual(lookUp);
    expect(bodies).toHaveLength(1);
  });
});

describe('a repeat in another process', () => {
  const result = (fields: object) => expect.objectContaining(fields);
  const cut = (length: number): Answer => {
    return () =>
      new Response('response=1&transactionid=7', { headers: { 'content-length': String(length) } });
  };

  it.each<[what: string, first: Answer, second: unknown]>([
    ['an approval', 'response=1&transactionid=7', result({ approved: true, transactionid: '7' })],
    ['an approval of exactly the announced length', cut(26), result({ approved: true, transactionid: '7' })],
    ['a decline', 'response=2&transactionid=7', result({ approved: false, transactionid: '7' })],
    ['an error', 'response=3&transactionid=7', result({ errored: true, transactionid: '7' })],
    ['an unknown response', 'response=9&transactionid=7', result({ approved: false, response: '9' })],
    ['a lost reply', lost, expect.any(OperationUnresolvedError)],
    ['a failure', () => new Response('', { status: 500 }), expect.any(OperationUnresolvedError)],
    ['a page', '<html>response=1', expect.any(OperationUnresolvedError)],
    ['two responses', 'response=2&response=1', expect.any(OperationUnresolvedError)],
    ['a part', () => new Response('response=1', { status: 206 }), expect.any(OperationUnresolvedError)],
    ['a reply that ends early', cut(27), expect.any(OperationUnresolvedError)],
  ])('after %s sends nothing, and gets what is known', async (_what, first, second) => {
    const { startProcess, bodies } = start(first, 'response=1&transactionid=other');
    const sell = () =>
      Promise.resolve(startProcess().transact.sale(sale, by)).catch((error: unknown) => error);
    await sell();
    expect(await sell()).toEqual(second);
    expect(await sell()).toEqual(second);
    expect(bodies).toHaveLength(1);
  });

  it('is sent if the key was rejected, with the key that it has now', async () => {
    const { startProcess, sent } = start('response=3&responsetext=Authentication Failed', 'response=1');
    await failureOf(startProcess('former-key-1').transact.sale(sale, by), AuthenticationError);
    expect(await startProcess('current-key-2').transact.sale(sale, by)).toMatchObject({ approved: true });
    expect(await startProcess('third-key-3').transact.sale(sale, by)).toMatchObject({ approved: true });
    expect(sent().map((fields) => fields['security_key'])).toEqual(['former-key-1', 'current-key-2']);
  });

  it.each<[what: string, first: Answer, outcome: string, advice: RegExp]>([
    ['an approval', 'response=1', 'executed', /was executed\. Call again with its parameters/],
    ['a decline', 'response=2', 'not_executed', /was declined\..+ an operationId of its own/],
    // That it moved no money is inferred.
    ['an error', 'response=3', 'unknown', /look at what the first call did/],
    ['a lost reply', lost, 'unknown', /look at what the first call did/],
  ])('with another amount after %s is told what to do', async (_what, first, outcome, advice) => {
    const { startProcess, bodies } = start(first);
    await Promise.resolve(startProcess().transact.sale(sale, by)).catch(() => {});
    const again = startProcess().transact.sale({ ...sale, amount: '12.01' }, by);
    const error = await failureOf(again, OperationMismatchError);
    expect(error).toMatchObject({ outcome, differences: ['amount'] });
    expect(error.message).toMatch(advice);
    expect(bodies).toHaveLength(1);
  });

  it.each<[what: string, differences: string[] | undefined, params: object]>([
    ['the card, with its code and expiry typed anew', undefined, { ccexp: '01/31', cvv: '999' }],
    ['the card, printed with blanks', undefined, { ccnumber: '4111 1111 1111 1111' }],
    ['another address and risk session', undefined, { ipaddress: '192.0.2.9', risk_session_id: 'r-2' }],
    ['another card', ['ccnumber'], { ccnumber: '5555555555554444' }],
    ['another amount', ['amount'], { amount: '12.01' }],
    ['another currency', ['currency'], { currency: 'EUR' }],
  ])('with %s is another operation: %j', async (_what, differences, params) => {
    const { startProcess, bodies } = start('response=1&transactionid=7');
    const first = {
      ...card,
      ccnumber: cardNumber,
      currency: 'USD',
      ipaddress: '192.0.2.1',
      risk_session_id: 'r-1',
    };
    await startProcess().transact.sale(first, by);
    const again = startProcess().transact.sale({ ...first, ...params }, by);
    if (differences === undefined) expect(await again).toMatchObject({ transactionid: '7' });
    else expect(await failureOf(again, OperationMismatchError)).toMatchObject({ differences });
    expect(bodies).toHaveLength(1);
  });
});

describe('what a person is told after a lost reply', () => {
  it('names the sale, that nothing more was sent, and how to go on', async () => {
    const { startProcess, bodies } = start(lost, 'response=1&transactionid=8');
    const first = await failureOf(startProcess().transact.sale(sale, by), PaymentsError);
    expect(first.outcome).toBe('unknown');
    expect(first.message).toContain('look the call up before you send it again');
    const { message } = await failureOf(startProcess().transact.sale(sale, by), OperationUnresolvedError);
    expect(message).toMatch(/^transact\.sale: /);
    expect(message).toMatch(/may have taken effect.+This call sent nothing: .*look.+settle/);
    expect(bodies).toHaveLength(1);
  });

  it('holds: once a person has settled it as not executed, the same operation is sent again, once', async () => {
    const { startProcess, bodies } = start(lost, 'response=1&transactionid=8');
    await failureOf(startProcess().transact.sale(sale, by), PaymentsError);
    await startProcess().journal.settle(by.operationId, {
      operation: 'transact.sale',
      outcome: 'not_executed',
    });
    expect(await startProcess().transact.sale(sale, by)).toMatchObject({ transactionid: '8' });
    expect(await startProcess().transact.sale(sale, by)).toMatchObject({ transactionid: '8' });
    expect(bodies).toHaveLength(2);
  });
});
