import * as z from 'zod/mini';
import type { Customer } from '../../resources/customers.ts';
import { anyObject, metadata, optional, readParameters, text } from '../parameters.ts';
import type { State } from '../state.ts';
import { type Call, type Handlers, named } from './handler.ts';
import { list } from './list.ts';

const createParameters = z.object(
  {
    first_name: optional(text()),
    last_name: optional(text()),
    email: optional(text()),
    phone: optional(text()),
    billing_address: anyObject(),
    shipping: anyObject(),
    metadata: metadata(),
  },
  'expected a JSON object',
);

function create(state: State, { body }: Call): Customer {
  const given = readParameters(createParameters, body);
  return state.customers.add({
    ...state.stamp('customer', 'cus'),
    deleted: false,
    // The interface has no null for these four, so an unknown one is an empty string.
    first_name: given.first_name ?? '',
    last_name: given.last_name ?? '',
    email: given.email ?? '',
    phone: given.phone ?? '',
    billing_address: given.billing_address ?? null,
    shipping: given.shipping ?? null,
    creation_source: 'api',
    payment_settings: {},
    merchant_id: state.merchantId,
    metadata: given.metadata ?? {},
  });
}

/** Nothing changes when the customer is already as asked, so that a repeated call is harmless. */
function mark(state: State, call: Call, deleted: boolean): Customer {
  const customer = named(state.customers, call);
  if (customer.deleted === deleted) return customer;
  return state.customers.replace({ ...customer, deleted, updated_at: state.clock.seconds() });
}

/** What `/v1/customers` does. */
export function customerHandlers(state: State, itemsField: string): Handlers<'customers'> {
  return {
    'customers.create': (call) => create(state, call),
    'customers.retrieve': (call) => named(state.customers, call),
    'customers.delete': (call) => mark(state, call, true),
    'customers.restore': (call) => mark(state, call, false),
    'customers.list': list(state.customers, itemsField),
  };
}
