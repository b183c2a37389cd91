import * as z from 'zod/mini';
import type { PaymentIntent } from '../../resources/payment-intents.ts';
import { currency, integerFrom, metadata, optional, readParameters, text } from '../parameters.ts';
import type { State } from '../state.ts';
import { type Call, type Handlers, named } from './handler.ts';
import { knownCustomer } from './known-customer.ts';
import { list } from './list.ts';

const createParameters = z.object(
  {
    amount: integerFrom(1),
    currency: currency(),
    capture_method: optional(z.enum(['automatic', 'manual'], "expected 'automatic' or 'manual'")),
    customer: optional(text()),
    payment_method: optional(text()),
    metadata: metadata(),
  },
  'expected a JSON object',
);

function create(state: State, { body }: Call): PaymentIntent {
  const given = readParameters(createParameters, body);
  const customer = knownCustomer(state, given.customer);
  const stamp = state.stamp('payment_intent', 'pi');
  return state.paymentIntents.add({
    ...stamp,
    amount: given.amount,
    currency: given.currency,
    capture_method: given.capture_method ?? 'automatic',
    status: 'requires_payment_method',
    client_secret: `${stamp.id}_secret_${state.ids.text()}`,
    customer,
    payment_method: given.payment_method ?? null,
    latest_charge_id: null,
    merchant_id: state.merchantId,
    metadata: given.metadata ?? {},
  });
}

/** What `/v1/payment_intents` does. */
export function paymentIntentHandlers(state: State, itemsField: string): Handlers<'paymentIntents'> {
  return {
    'paymentIntents.create': (call) => create(state, call),
    'paymentIntents.retrieve': (call) => named(state.paymentIntents, call),
    'paymentIntents.list': list(state.paymentIntents, itemsField),
  };
}
