import { Transact, type TransactOptions } from 'payments-client';
import { anything } from '../support/anything.ts';

export const securityKey = 'k4n4ry-of-the-form';
export const cardNumber = '4111111111111111';
export const token = { payment_token: 'tok_1' };
export const sale = { amount: '12.00', ...token };
export const card = { amount: '12.00', ccnumber: cardNumber, ccexp: '1229', cvv: '123' };

/** What the endpoint responds: a body, or what `fetch` does. */
export type Answer = string | (() => Response | Promise<Response>);

/** Starts an endpoint that gives these answers in turn, the last one again and again, and a client of it. */
export function startEndpoint(
  answers: Answer | readonly Answer[] = 'response=1',
  options: Partial<TransactOptions> = {},
) {
  const script = [answers].flat();
  const requests: Request[] = [];
  const bodies: string[] = [];
  const warnings: unknown[] = [];
  const given: TransactOptions = {
    baseUrl: 'https://payments.test',
    securityKey,
    maxRetries: 0,
    logger: { warn: (...line) => warnings.push(line) },
    fetch: async (request) => {
      requests.push(request);
      const answer = script[Math.min(bodies.push(await request.text()), script.length) - 1] ?? '';
      return typeof answer === 'string' ? new Response(answer) : answer();
    },
    ...options,
  };
  return {
    transact: new Transact(given),
    /** Options of another client of this endpoint. */
    options: given,
    requests,
    bodies,
    warnings,
    /** Returns the fields of each request that was sent. */
    sent: () => bodies.map((body) => Object.fromEntries(new URLSearchParams(body))),
  };
}

export type Call = (transact: Transact, fields?: object) => PromiseLike<unknown>;

const earlier = { transactionid: '7' };

/** A call of each method, with what it needs and these fields. The names are the types that are sent. */
export const methods: Readonly<
  Record<'sale' | 'auth' | 'credit' | 'validate' | 'capture' | 'void' | 'refund', Call>
> = {
  sale: (t, fields) => t.sale(anything({ ...sale, ...fields })),
  auth: (t, fields) => t.auth(anything({ ...sale, ...fields })),
  credit: (t, fields) => t.credit(anything({ ...sale, ...fields })),
  validate: (t, fields) => t.validate(anything({ ...token, ...fields })),
  capture: (t, fields) => t.capture(anything({ ...earlier, ...fields })),
  void: (t, fields) => t.void(anything({ ...earlier, ...fields })),
  refund: (t, fields) => t.refund(anything({ ...earlier, amount: '5.00', ...fields })),
};

/** A call of `submit`, which sends a transaction of any type. */
export const submit: Call = (t, fields) => t.submit(anything({ type: 'sale', ...fields }));
