/** The service sends back, in every form and at every position of a response, what it received. */

import {
  PaymentsClient,
  PaymentsError,
  type RouteName,
  Transact,
  type TransactOptions,
} from 'payments-client';
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
  proxyPassword,
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
import { type Answers, answers, approvals, declines } from './responses.ts';

const everyOutput = ['log.debug', 'hook.request', 'hook.response', 'promise'];
const everyFailure = ['log.debug', 'log.error', 'hook.request', 'hook.error', 'promise', 'error'];

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
  ways: Answers,
  clientFor: (out: Outputs, answer: () => Response) => Client,
): Record<string, Place<Echo<Client>>> {
  const place =
    (way: string, answer: Answers[string]): Place<Echo<Client>> =>
    async ({ text, call }, out) => {
      const client = clientFor(out, () => answer(text));
      const error = await errorOf(out, () => call(client));
      if (ways === approvals) expect(error).toBeUndefined();
      // A `DELETE` may have a response without an object, and `request` accepts any valid JSON.
      else if (error !== undefined || !/^200|^a name/.test(way)) expect(error).toBeInstanceOf(PaymentsError);
      out.add('client', client);
    };
  return Object.fromEntries(Object.entries(ways).map(([way, answer]) => [way, place(way, answer)]));
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

describe('a response that differs is accepted, and logged:', () => {
  // Nothing shows this key to be one.
  const own = proxyPassword;
  const given = [own, ...cardNumbers].map((text) => ({
    text,
    call: (payments: PaymentsClient) => payments.refunds.retrieve('rf_1'),
  }));
  const names: Answers = {
    'a name in its metadata': (text) => Response.json({ id: 'rf_1', metadata: { [text]: 1 } }),
    'a name beside a list': (text) => Response.json({ id: 'rf_1', metadata: [{ [text]: text }], [text]: 1 }),
  };
  noSecretComesOutOf(
    placesOf(names, (out, answer) => {
      const fetch = async () => answer();
      return new PaymentsClient(optionsFor(out, { fetch, secretKey: own, validation: 'warn' }));
    }),
    { given, from: ['log.warn'] },
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

  const failing = { ...answers, ...declines };
  noSecretComesOutOf(placesOf(failing, transactWith('urlencoded')), { given, nth: 40, from: everyFailure });
  noSecretComesOutOf(placesOf(approvals, transactWith('multipart')), { given, nth: 40, from: everyOutput });
});
