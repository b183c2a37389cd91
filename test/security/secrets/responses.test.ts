/** The service sends back, in every form and at every position of a response, what it received. */

import { PaymentsClient, type RouteName, Transact, type TransactOptions } from 'payments-client';
import { describe, expect } from 'vitest';
import { everyMethod } from '../../support/every-method.ts';
import { by, card, errorOf, optionsFor } from './calls.ts';
import {
  cardNumber,
  cardNumbers,
  cavv,
  expiry,
  headerKey,
  paymentToken,
  person,
  secretKey,
  securityCode,
  securityKey,
  track1,
  track2,
  xid,
} from './canaries.ts';
import { inEveryForm } from './encodings.ts';
import type { Outputs } from './outputs.ts';
import { noSecretComesOutOf, type Place } from './places.ts';
import { type Answer, answers, approvals, declines } from './responses.ts';

const everyOutput = ['log.debug', 'hook.request', 'hook.response', 'promise'];
const everyFailure = ['log.debug', 'log.error', 'hook.request', 'hook.error', 'promise', 'error'];

/** A `DELETE` may have a response without an object, and `request` accepts any valid JSON. */
function mayBeResult({ what }: Answer): boolean {
  return what.startsWith('200');
}

/** A call, and the text that the service answers with. */
interface Echo<Client> {
  readonly text: string;
  readonly call: (client: Client) => PromiseLike<unknown>;
}

/** Gives each call the next text, so that all texts and all calls occur. */
function echoes<Client>(calls: readonly Echo<Client>['call'][], texts: readonly string[]): Echo<Client>[] {
  const rounds = Array.from({ length: Math.max(calls.length, texts.length) }, (_, index) => ({
    text: texts[index % texts.length],
    call: calls[index % calls.length],
  }));
  return rounds.filter(
    (round): round is Echo<Client> => round.text !== undefined && round.call !== undefined,
  );
}

/** Makes a place of each response. */
function placesOf<Client>(
  ways: readonly Answer[],
  clientFor: (out: Outputs, answer: () => Response) => Client,
): Record<string, Place<Echo<Client>>> {
  const place =
    (way: Answer): Place<Echo<Client>> =>
    async ({ text, call }, out) => {
      const client = clientFor(out, () => way.answer(text));
      const error = await errorOf(out, () => call(client));
      if (way.error === undefined) expect(error).toBeUndefined();
      else if (error !== undefined || !mayBeResult(way)) expect(error).toBeInstanceOf(way.error);
      out.add('client', client);
    };
  return Object.fromEntries(ways.map((way) => [way.what, place(way)]));
}

describe('after a call of any method, the service sends back keys and card numbers:', () => {
  const names = Object.keys(everyMethod) as RouteName[];
  const methods = [
    ...names.map((name) => (payments: PaymentsClient) => everyMethod[name](payments, by)),
    (payments: PaymentsClient) => payments.request({ method: 'POST', path: '/v1/payouts', body: {} }, by),
  ];
  const secrets = [secretKey, `Bearer ${secretKey}`, securityKey, headerKey, ...cardNumbers];
  const tracks = [track1.replace(/\^.*\//, '^'), track2];
  const texts = [...secrets, ...tracks].map((text) => `it was ${text}`);
  const together = [...secrets, ...tracks].join(' and ');

  noSecretComesOutOf(
    placesOf(answers, (out, answer) => new PaymentsClient(optionsFor(out, { fetch: async () => answer() }))),
    { given: echoes(methods, inEveryForm([...texts, together])), nth: 190, from: everyFailure },
  );
});

describe('after a transaction, the service sends back its fields:', () => {
  const { email, phone, line1: address1 } = person;
  const threeDSecure = { cardholder_auth: 'Y', cavv, xid, eci: '05' };
  const payer = { ...card, ...threeDSecure, email, phone, address1 };
  const amount = '12.00';
  const transactionid = '316';
  const calls: readonly ((transact: Transact) => PromiseLike<unknown>)[] = [
    (transact) => transact.sale({ amount, ...payer }),
    (transact) => transact.auth({ amount, ...payer }),
    (transact) => transact.credit({ amount, ...payer } as never),
    (transact) => transact.validate(payer as never),
    (transact) => transact.capture({ transactionid, amount, ...payer } as never),
    (transact) => transact.void({ transactionid, ...payer } as never),
    (transact) => transact.refund({ transactionid, amount, ...payer } as never),
    (transact) => transact.submit({ type: 'sale', amount, ...payer }),
  ];
  const parts = [
    `cvv ${securityCode}, cvv=${securityCode}, ${expiry}`,
    cardNumber,
    track2,
    securityKey,
    `${cavv} and ${xid}`,
    `${email}, ${phone} at ${address1}`,
  ];
  const fields = { security_key: securityKey, amount, ...payer };
  const wholes = [JSON.stringify(fields), new URLSearchParams(fields).toString()];
  const saleByToken = (transact: Transact) => transact.sale({ amount, payment_token: paymentToken });
  const given = [
    ...echoes(calls, [...inEveryForm(parts), ...wholes]),
    ...echoes([saleByToken], inEveryForm([`token ${paymentToken}`])),
  ];

  function transactWith(formEncoding: TransactOptions['formEncoding']) {
    return (out: Outputs, answer: () => Response) => {
      const { secretKey: _, ...options } = optionsFor(out, { fetch: async () => answer() });
      return new Transact({ ...options, throwOnDecline: true, formEncoding });
    };
  }

  const failing = [...answers, ...declines];
  noSecretComesOutOf(placesOf(failing, transactWith('urlencoded')), { given, nth: 40, from: everyFailure });
  noSecretComesOutOf(placesOf(approvals, transactWith('multipart')), { given, nth: 40, from: everyOutput });
});
