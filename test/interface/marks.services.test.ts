/** Compares each *shown* and *inferred* in the doc comments of `src/` with the tables, the routes and the statements. */

import { expect, it } from 'vitest';
import { routes } from '../../src/resources/routes.ts';
import { type Documented, documented } from './doc-comments.ts';
import { citationsOf, statements } from './statements.ts';
import browser from './tables/browser.json' with { type: 'json' };
import events from './tables/events.json' with { type: 'json' };
import fraud from './tables/fraud.json' with { type: 'json' };
import resources from './tables/resources.json' with { type: 'json' };
import wire from './tables/wire.json' with { type: 'json' };

interface Row {
  readonly name: string;
  readonly fields?: readonly Row[];
}

const namesOf = (rows: readonly Row[] = []) => rows.map(({ name }) => name);

/** Returns the names of the fields of a resource, or of the objects in one of its fields. */
function fieldsOf(resource: string, field?: string): readonly string[] {
  const tables: readonly Row[] = resources;
  const rows = tables.find(({ name }) => name === resource)?.fields;
  return namesOf(field === undefined ? rows : rows?.find(({ name }) => name === field)?.fields);
}

const { gateway } = browser;
const authentication = gateway.threeDSecure.result;
const snapshot = ['object', 'livemode', ...events.connect.snapshot, ...events.connect.others].map((name) =>
  name.replace('data.object.', ''),
);
const envelope = events.envelope.map(({ name }) => name.replace('data.object', 'data'));

/** The types that have rows of the tables for fields, with the names of these rows. */
const rowsOf: Readonly<Record<string, readonly string[]>> = {
  'src/resources/fields/common.ts#ResourceBase': ['object', 'livemode'],
  'src/resources/objects/checkout-sessions.ts#CheckoutSessionFields': fieldsOf('checkout_session'),
  'src/resources/objects/checkout-sessions.ts#CollectConfig': fieldsOf('checkout_session', 'collect_config'),
  'src/resources/objects/checkout-sessions.ts#CheckoutLineItem': fieldsOf('checkout_session', 'line_items'),
  'src/resources/objects/checkout-sessions.ts#CheckoutSessionCreateParams': namesOf(
    wire.sessionRequest.fields,
  ),
  'src/resources/objects/checkout-sessions.ts#CheckoutLineItemParams': namesOf(wire.sessionRequest.lineItem),
  'src/resources/objects/payment-intents.ts#PaymentIntentFields': fieldsOf('payment_intent'),
  'src/resources/objects/charges.ts#ChargeFields': fieldsOf('charge'),
  'src/resources/objects/refunds.ts#RefundFields': fieldsOf('refund'),
  'src/resources/objects/invoices.ts#InvoiceFields': fieldsOf('invoice'),
  'src/resources/objects/invoices.ts#InvoiceLine': fieldsOf('invoice', 'lines'),
  'src/resources/objects/subscriptions.ts#SubscriptionFields': fieldsOf('subscription'),
  'src/resources/objects/subscriptions.ts#SubscriptionItem': fieldsOf('subscription', 'items'),
  'src/resources/objects/credit-notes.ts#CreditNoteFields': fieldsOf('credit_note'),
  'src/resources/objects/credit-notes.ts#CreditNoteLine': fieldsOf('credit_note', 'lines'),
  'src/resources/objects/customers.ts#Customer': fieldsOf('customer'),
  'src/resources/objects/terminal-batches.ts#TerminalBatch': fieldsOf('terminal_batch'),
  'src/resources/objects/terminal-batches.ts#TerminalBatch.totals': fieldsOf('terminal_batch', 'totals'),
  'src/webhooks/events/event.ts#EventCore': envelope,
  'src/webhooks/events/event.ts#EventCore.data': ['object'],
  'src/webhooks/events/event.ts#EventEnvelope': envelope,
  'src/webhooks/events/chargeback.ts#Chargeback': namesOf(events.chargeback),
  'src/webhooks/events/connect.ts#ConnectObject': snapshot,
  'src/fraud/chargeback.ts#ChargebackNotification': ['event', 'reason_code'],
  'src/fraud/assess.ts#AssessableCharge': ['object', ...fieldsOf('charge')],
  'src/fraud/codes/three-d-secure.ts#ThreeDSecureOutcome': authentication,
  'src/transact/three-d-secure.ts#ThreeDSecureResult': authentication,
  'src/transact/params.ts#SaleParams': fraud.parameters,
  'src/transact/result.ts#TransactionResultBase': [...fraud.response, 'avs', 'cvv', 'risk'],
  'src/transact/result.ts#ApprovedTransaction': ['response'],
  'src/transact/result.ts#DeclinedTransaction': ['response'],
  'src/browser/gateway.ts#GatewayOptions': gateway.create,
  'src/browser/gateway.ts#Risk': [gateway.risk.method],
  'src/browser/gateway.ts#ThreeDSecure': ['configure', gateway.threeDSecure.method],
  'src/browser/gateway.ts#ThreeDSecureOrder': gateway.threeDSecure.configure,
  'src/browser/gateway.ts#ThreeDSecureOrder.billingAddress': gateway.threeDSecure.billingAddress,
  'src/browser/gateway.ts#ThreeDSecureResult': authentication,
};

/** Types whose fields are *shown* unless marked. `threeDSecure` stands for four fields of the interface. */
const shownByDefault: readonly string[] = ['TransactionFields', 'PaysByToken', 'PaysByCard'].map(
  (type) => `src/transact/params.ts#${type}`,
);
const formFields = [...fraud.parameters, 'threeDSecure'];

const all = documented();

/** Splits a reference into its type and its member. */
function partsOf(reference: string): readonly [type: string, member: string] {
  const at = reference.lastIndexOf('.');
  return [reference.slice(0, at), reference.slice(at + 1)];
}

/** Returns the source of the path of a method, such as `src/resources/objects/refunds.ts#Refunds.create`. */
function routeOf(reference: string): string | undefined {
  const [, name = ''] = /^src\/resources\/[^#]+#(\w+\.\w+)$/.exec(reference) ?? [];
  const route = name.replace(/^\w/, (first) => first.toLowerCase());
  return Object.entries<{ readonly source: string }>(routes).find(([key]) => key === route)?.[1].source;
}

/** Returns whether a field has a row, and says so: in a type of `shownByDefault` it need not. */
function isMarkedRow({ reference, marks }: Documented): boolean {
  const [type, member] = partsOf(reference);
  if (shownByDefault.includes(type)) return formFields.includes(member) && marks.length > 0;
  return rowsOf[type]?.includes(member) === true;
}

/** Returns how often a doc comment must say *shown*: for its row, for its path, and for each statement that names it. */
const expectedIn = (one: Documented): number =>
  Number(isMarkedRow(one)) + Number(routeOf(one.reference) === 'shown') + citationsOf(one.reference);

it('each *shown* in a doc comment is that of a row, of a path or of a statement', () => {
  const counted = all.map((one) => ({
    reference: one.reference,
    shown: one.marks.filter((mark) => mark === 'shown').length,
    expected: expectedIn(one),
  }));
  expect(counted.filter(({ shown }) => shown > 0).length).toBeGreaterThan(250);
  expect(counted.filter(({ shown, expected }) => shown !== expected)).toEqual([]);
});

it('each statement names a doc comment that exists', () => {
  const named = statements
    .flatMap(({ shownBy }) => shownBy)
    .filter((reference) => reference.startsWith('src/'));
  const references = all.map(({ reference }) => reference);
  expect(named.filter((reference) => !references.includes(reference))).toEqual([]);
});

it('a field begins with the mark of its row, and a parameter without a row is inferred', () => {
  const wrong = all.filter(({ reference, marks: [first = 'none'] }) => {
    const [type, member] = partsOf(reference);
    if (shownByDefault.includes(type)) return !formFields.includes(member) && first !== 'inferred';
    if (rowsOf[type]?.includes(member) === true) return first !== 'shown';
    return (
      /^src\/(?:resources|transact)\/[^#]+#[A-Z]\w*Params$/.test(type) &&
      first !== 'inferred' &&
      citationsOf(reference) === 0
    );
  });
  expect(wrong).toEqual([]);
});

it('a method begins with the mark of its path', () => {
  const methods = all.filter(({ reference }) => routeOf(reference) !== undefined);
  expect(methods.length).toBeGreaterThan(15);
  expect(methods.filter(({ reference, marks: [first] }) => first !== routeOf(reference))).toEqual([]);
});
