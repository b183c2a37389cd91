import { ConfigurationError, InvalidRequestError, type PaymentsClient } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { anything } from '../../support/anything.ts';
import { failureOf } from '../../support/failure.ts';
import { intentParams, paymentIntent, refund } from '../../support/fixtures.ts';
import { useScriptedService } from '../../support/scripted-service.ts';

const service = useScriptedService();
const { createClient } = service;
const json = (body: unknown, init?: ResponseInit) => Response.json(body, init);
const by = { operationId: 'order-1' };

type Call = (payments: PaymentsClient, extra: object) => PromiseLike<unknown>;

const capture: Call = (p, extra) => p.paymentIntents.capture('pi_1', anything(extra), by);
const refundOf: Call = (p, extra) => p.refunds.create(anything(extra), by);
const intent: Call = (p, extra) => p.paymentIntents.create({ ...intentParams, ...extra }, by);
const note: Call = (p, extra) => p.creditNotes.create(anything({ invoice: 'inv_1', ...extra }), by);

const session: Call = (p, extra) =>
  p.checkoutSessions.create(anything({ mode: 'payment', line_items, ...extra }), by);

const confirm: Call = (p, extra) =>
  p.paymentIntents.confirm('pi_1', anything({ payment_method: 'pm_1', ...extra }), by);
const subscription: Call = (p, extra) =>
  p.subscriptions.create(anything({ customer: 'cus_1', items: [{ price: 'price_1' }], ...extra }), by);

const line_items = [{ name: 'Tea', amount: 1200, currency: 'usd', quantity: 1 }];
const calls = { capture, refund: refundOf, intent, creditNote: note, session, confirm, subscription };

const sentBody = (): unknown => JSON.parse(service.arrivals.at(-1)?.body ?? '{}');

describe('an unknown parameter is refused, with the known one that it resembles:', () => {
  it.each<[method: keyof typeof calls, extra: object, path: string, meant: string]>([
    ['capture', { amount_to_capture: 500 }, 'amount_to_capture', 'amount'],
    ['capture', { amountToCapture: 500 }, 'amountToCapture', 'amount'],
    ['capture', { amounttocapture: 500 }, 'amounttocapture', 'amount'],
    ['refund', { paymentintent: 'pi_1' }, 'paymentintent', 'payment_intent_id'],
    ['capture', { amuont: 500 }, 'amuont', 'amount'],
    ['capture', { Amount: 500 }, 'Amount', 'amount'],
    ['capture', { amount_cents: 500 }, 'amount_cents', 'amount'],
    ['capture', { 'amount.value': 500 }, '(root)', 'amount'],
    ['capture', { amount2: 500 }, 'amount2', 'amount'],
    ['capture', { amount20: 500 }, 'amount20', 'amount'],
    ['capture', { amount200: 500 }, '(root)', 'amount'],
    ['refund', { payment_intent: 'pi_1' }, 'payment_intent', 'payment_intent_id'],
    ['refund', { charge: 'ch_1' }, 'charge', 'charge_id'],
    ['refund', { chargeId: 'ch_1' }, 'chargeId', 'charge_id'],
    ['refund', { charge_id: 'ch_1', refund_amount: 500 }, 'refund_amount', 'amount'],
    ['refund', { charge_id: 'ch_1', amt: 500 }, 'amt', 'amount'],
    ['refund', { charge_id: 'ch_1', value: 500 }, 'value', 'amount'],
    ['refund', { charge_id: 'ch_1', amount: undefined, amountOff: 5 }, 'amount', ''],
    ['intent', { paymentMethod: 'pm_1' }, 'paymentMethod', 'payment_method'],
    ['intent', { capture: 'manual' }, 'capture', 'capture_method'],
    ['creditNote', { lines: [{ unitAmount: 500 }] }, 'lines[0].unitAmount', 'unit_amount'],
    ['creditNote', { lines: [{ amount: 5 }, { amount_due: 5 }] }, 'lines[1].amount_due', 'amount'],
  ])('%s %o', async (method, extra, path, meant) => {
    const { issues, message } = await failureOf(calls[method](createClient(), extra), InvalidRequestError);
    expect(issues[0]?.path).toBe(path);
    if (meant !== '') expect(message).toContain(`got an unknown one (did you mean '${meant}'?)`);
    expect(service.arrivals).toEqual([]);
  });

  it.each<[method: keyof typeof calls, extra: object, known: string]>([
    ['capture', { description: 'Tea' }, 'amount'],
    ['capture', { amount: 500, amount_to_capture: 500 }, 'amount'],
    ['creditNote', { refund_amount: 300 }, 'invoice, lines, reason, memo, metadata'],
    ['confirm', { amount: 100 }, 'payment_method'],
    ['subscription', { items: [{ price: 'price_1', amount: 100 }] }, 'price, quantity, metadata'],
    [
      'refund',
      { charge_id: 'ch_1', metadata: { order: '42' } },
      'payment_intent_id, charge_id, amount, reason',
    ],
    [
      'creditNote',
      { lines: [{ sku: 'x' }] },
      'type, invoice_line_item, description, quantity, unit_amount, amount',
    ],
  ])('and so is any other one, with those that are known: %s %o', async (method, extra, known) => {
    const { message } = await failureOf(calls[method](createClient(), extra), InvalidRequestError);
    expect(message).toContain(`: expected one of ${known}, got an unknown one. If the service takes it`);
    expect(service.arrivals).toEqual([]);
  });

  it('but any key of metadata is sent, and what is undefined is not', async () => {
    service.answers(json(paymentIntent));
    const extra = { metadata: { amount_to_capture: '500', Amount: '5' } };
    await intent(createClient(), { ...extra, coupon: undefined });
    expect(sentBody()).toEqual({ ...intentParams, ...extra });
  });

  it.each(['warn', 'off'] as const)('and under validation %s it is sent', async (validation) => {
    const warnings: unknown[] = [];
    service.answers(json(paymentIntent));
    const logger = { warn: (...line: unknown[]) => warnings.push(line) };
    await intent(createClient({ validation, logger }), { coupon: 'HALF' });
    expect(sentBody()).toMatchObject({ coupon: 'HALF' });
    expect(warnings).toHaveLength(validation === 'warn' ? 1 : 0);
  });

  it.each<[method: keyof typeof calls, extra: object, advice: string]>([
    ['intent', { confirm: true }, 'it is a call of its own: paymentIntents.confirm(id, …)'],
    ['refund', { charge_id: 'ch_1', expand: ['charge'] }, 'retrieve the other object by its id'],
    ['intent', { automatic_payment_methods: { enabled: true } }, 'another service has it'],
    ['session', { discounts: [{ coupon: 'HALF' }] }, 'another service has it'],
    ['session', { payment_intent_data: { capture_method: 'manual' } }, 'another service has it'],
    ['creditNote', { amount: 100 }, "did you mean 'amount' of 'lines'?"],
    ['subscription', { price: 'price_1' }, "did you mean 'price' of 'items'?"],
    ['refund', { charge_id: 'ch_1', price: 100 }, "did you mean 'amount'?"],
    ['subscription', { trialPeriodDays: 14 }, 'another service has it'],
    ['subscription', { plan: 'gold' }, "did you mean 'price' of 'items'?"],
    ['subscription', { cancel_at_end: true }, "did you mean 'cancel_at_period_end'?"],
  ])('and so is one of another SDK, which would be ignored: %s %o', async (method, extra, advice) => {
    const { message } = await failureOf(calls[method](createClient(), extra), InvalidRequestError);
    expect(message).toContain(`got an unknown one (${advice})`);
    expect(service.arrivals).toEqual([]);
  });

  it('the message says how to send it', async () => {
    const call = refundOf(createClient(), { charge_id: 'ch_1', refund_amount: 500, Reason: 'x' });
    const { message } = await failureOf(call, InvalidRequestError);
    expect(message).toBe(
      "refunds.create: Reason: expected a parameter of this method, got an unknown one (did you mean 'reason'?); " +
        "refund_amount: expected a parameter of this method, got an unknown one (did you mean 'amount'?). " +
        "If the service takes it, add extraParameters: { 'refunds.create': ['Reason', 'refund_amount'] } to the options of the client. Nothing was sent.",
    );
  });

  it('and the message repeats no name that may be a secret', async () => {
    const name = 'amount.sk_v1_test_4eC39HqLyjWDarjtT1zdp7dc';
    const { message } = await failureOf(capture(createClient(), { [name]: 5 }), InvalidRequestError);
    expect(message).not.toContain('4eC39');
    expect(message).toContain("['…']");
  });
});

describe('extraParameters', () => {
  const extraParameters = {
    'refunds.create': ['payment_intent'],
    'creditNotes.create': ['lines.unitAmount', 'ref*'],
    'paymentIntents.create': ['confirm'],
    'transact.sale': ['wallet'],
  } as const;

  it('names a parameter of another SDK that the service takes', async () => {
    service.answers(json(paymentIntent));
    await intent(createClient({ extraParameters }), { confirm: true });
    expect(sentBody()).toMatchObject({ confirm: true });
  });

  it('names parameters that pass, and that stand for one of an either-or', async () => {
    service.answers(json(refund));
    const payments = createClient({ extraParameters });
    await refundOf(payments, { payment_intent: 'pi_1' });
    expect(sentBody()).toEqual({ payment_intent: 'pi_1' });
    const both = refundOf(payments, { payment_intent_id: 'pi_1', charge_id: 'ch_1', payment_intent: 'pi_1' });
    expect((await failureOf(both, InvalidRequestError)).issues).toMatchObject([{ received: 'both' }]);
    const none = refundOf(payments, { amount: 5 });
    expect((await failureOf(none, InvalidRequestError)).issues).toMatchObject([{ received: 'neither' }]);
    const other = refundOf(payments, { payment_intent: 'pi_1', amuont: 5 });
    expect((await failureOf(other, InvalidRequestError)).issues).toMatchObject([{ path: 'amuont' }]);
  });

  it('pass at their path, with all that is in them, and only for their method', async () => {
    service.answers(json({}, { status: 400 }));
    const payments = createClient({ extraParameters });
    const extra = { lines: [{ unitAmount: 5 }], ref: { any: { thing: 1 } }, reference: 'x' };
    await Promise.resolve(note(payments, extra)).catch(() => {});
    expect(sentBody()).toMatchObject(extra);
    await failureOf(note(payments, { unitAmount: 5 }), InvalidRequestError);
    await failureOf(note(payments, { lines: [{ ref: 5 }] }), InvalidRequestError);
    await failureOf(intent(payments, { payment_intent: 'pi_1' }), InvalidRequestError);
  });

  it('pass in a form of the client', async () => {
    const { transact } = createClient({ securityKey: 'k-1', extraParameters });
    service.answers(new Response('response=1'));
    await transact.sale(anything({ amount: '12.00', wallet: 'x' }));
    expect(new URLSearchParams(service.arrivals.at(-1)?.body).get('wallet')).toBe('x');
  });

  it('pass at no other place, and their beginnings stand for no other parameter', async () => {
    service.answers(json({}, { status: 400 }));
    const named = {
      'creditNotes.create': ['lines.x'],
      'refunds.create': ['charge_*'],
      'customers.create': undefined,
    };
    const payments = createClient({ extraParameters: named });
    await failureOf(note(payments, { 'lines.x': 5 }), InvalidRequestError);
    const { issues } = await failureOf(refundOf(payments, { charge_x: 5 }), InvalidRequestError);
    expect(issues).toMatchObject([{ received: 'neither' }]);
    expect(service.arrivals).toEqual([]);
  });

  it('are no list with a hole', () => {
    const holed = Object.assign([], { 1: 'a' });
    expect(() => createClient({ extraParameters: { 'refunds.create': holed } })).toThrow('got an array of 2');
  });

  it('are not offered in place of what is refused for something else', async () => {
    const { transact } = createClient({ securityKey: 'k-1', validation: 'warn' });
    const sale = { amuont: '12.00', payment_token: 'tok_1' };
    const { message } = await failureOf(transact.sale(anything(sale)), InvalidRequestError);
    expect(message).not.toContain('extraParameters');
  });

  it('are joined with those of the interface', async () => {
    service.answers(json(refund));
    const known = { version: 1, extraParameters: { 'refunds.create': ['refund_amount'] } } as const;
    await refundOf(createClient({ interface: known, extraParameters }), {
      payment_intent: 'pi_1',
      refund_amount: 5,
    });
    expect(sentBody()).toEqual({ payment_intent: 'pi_1', refund_amount: 5 });
  });

  it.each<[given: unknown, words: string]>([
    [[], 'extraParameters: expected an object, got an array of 0'],
    [
      { 'refunds.creat': ['x'] },
      "extraParameters['refunds.creat']: expected a method's name such as 'refunds.retrieve', got an unknown one (did you mean 'refunds.create'?)",
    ],
    [
      { 'refunds.create': 'x' },
      "extraParameters['refunds.create']: expected the names of parameters, such as ['payment_intent', 'line_items.tax_code', 'merchant_*'], got 'x'",
    ],
    [
      { 'refunds.create': [''] },
      "extraParameters['refunds.create']: expected the names of parameters, such as ['payment_intent', 'line_items.tax_code', 'merchant_*'], got an array of 1",
    ],
    // It would allow everything, misspelt names too.
    [{ 'refunds.create': ['*'] }, 'got an array of 1'],
    [{ 'refunds.create': ['a*b'] }, 'got an array of 1'],
    [{ 'transact.submit': ['x'] }, 'got an unknown one'],
  ])('are refused as an option and in an interface: %o', (given, words) => {
    const option = { extraParameters: anything(given) };
    expect(() => createClient(option)).toThrow(ConfigurationError);
    expect(() => createClient(option)).toThrow(words);
    expect(() => createClient({ interface: option })).toThrow(words);
  });
});
