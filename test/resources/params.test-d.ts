/** A program fills in parameters step by step, and passes parts that it may not change itself. */

import type {
  CheckoutSessionCreateParams,
  CreditNoteCreateParams,
  CustomerCreateParams,
  ListParams,
  PaymentIntentCreateParams,
  PaymentsClient,
  Refund,
  RefundCreateParams,
  SaleParams,
  SubscriptionCreateParams,
  Transact,
} from 'payments-client';
import { expectTypeOf, test } from 'vitest';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** The fields that cannot be assigned, at any depth, also within the items of an array. */
type Fixed<T> = T extends string
  ? never
  : T extends readonly (infer Item)[]
    ? Fixed<Item>
    : T extends object
      ? {
          [Name in keyof T]-?: Same<Pick<T, Name>, Readonly<Pick<T, Name>>> extends true
            ? Name
            : Fixed<T[Name]>;
        }[keyof T]
      : never;

/** The parameters of a method that takes an id first. */
type Of<Method extends (id: never, params: never, ...rest: never[]) => unknown> = NonNullable<
  Parameters<Method>[1]
>;

type ThreeDSecure = NonNullable<SaleParams['threeDSecure']>;

test('every field of parameters can be assigned', () => {
  expectTypeOf<
    Fixed<
      | CheckoutSessionCreateParams
      | CreditNoteCreateParams
      | CustomerCreateParams
      | ListParams
      | PaymentIntentCreateParams
      | RefundCreateParams
      | SubscriptionCreateParams
      | Of<PaymentsClient['checkoutSessions']['refund']>
      | Of<PaymentsClient['paymentIntents']['confirm' | 'capture' | 'retryWithNewPaymentMethod' | 'refund']>
      | Of<PaymentsClient['invoices']['updatePaymentMethod']>
      | Of<PaymentsClient['subscriptions']['update']>
      | Parameters<Transact['capture' | 'void' | 'refund' | 'submit']>[0]
    >
  >().toBeNever();
  // `threeDSecure` is the browser's result, which nobody changes.
  expectTypeOf<
    Exclude<Fixed<SaleParams | Parameters<Transact['validate']>[0]>, keyof ThreeDSecure>
  >().toBeNever();
  const refund: RefundCreateParams = { payment_intent_id: 'pi_1' };
  refund.amount = 5;
  const sale: SaleParams = { amount: '12.00', payment_token: 'token' };
  sale.zip = '90210';
});

test('parts of parameters may be read-only', () => {
  const line_items = [{ name: 'Tea', amount: 1200, currency: 'usd', quantity: 1 }] as const;
  const metadata: Readonly<Record<string, string>> = { order: '1042' };
  const fixed = { mode: 'payment', line_items, metadata } as const;
  expectTypeOf(fixed).toExtend<CheckoutSessionCreateParams>();
  expectTypeOf<Readonly<RefundCreateParams>>().toExtend<RefundCreateParams>();
  expectTypeOf<Readonly<SaleParams>>().toExtend<SaleParams>();
});

test('a response stays read-only', () => {
  expectTypeOf<Fixed<Refund>>().toEqualTypeOf<keyof Refund>();
});
