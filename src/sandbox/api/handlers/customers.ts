import * as s from '../../../base/schema.ts';
import type { Customer } from '../../../resources/customers.ts';
import { defaults } from '../../domain/object-defaults.ts';
import type { State } from '../../domain/state.ts';
import { mayTransition, requireTransition } from '../../domain/transitions.ts';
import { anyObject, metadata, optional, readParameters, text } from '../request/parameters.ts';
import { type Call, type Methods, named } from './handler.ts';
import type { Reading } from './list-and-retrieve.ts';

const parameters = s.object({
  first_name: optional(text()),
  last_name: optional(text()),
  email: optional(text()),
  phone: optional(text()),
  billing_address: anyObject(),
  shipping: anyObject(),
  payment_settings: anyObject(),
  metadata: metadata(),
});

/** Returns the new value of a field: the given one, the empty value for null, the old one if it is missing. */
function changed<T>(given: T | null | undefined, before: T, empty: T): T {
  return given === undefined ? before : (given ?? empty);
}

function withDetails(before: Customer, body: unknown): Customer {
  const given = readParameters(parameters, body);
  return {
    ...before,
    first_name: changed(given.first_name, before.first_name, ''),
    last_name: changed(given.last_name, before.last_name, ''),
    email: changed(given.email, before.email, ''),
    phone: changed(given.phone, before.phone, ''),
    billing_address: changed(given.billing_address, before.billing_address, null),
    shipping: changed(given.shipping, before.shipping, null),
    payment_settings: changed(given.payment_settings, before.payment_settings, {}),
    metadata: changed(given.metadata, before.metadata, {}),
  };
}

function create(state: State, { body }: Call): Customer {
  return state.objects.customer.add(withDetails(defaults.customer(state), body));
}

/** By the interface's table, an update sets `deleted: false` from any state. */
function update(state: State, call: Call): Customer {
  const before = named(state.objects.customer, call);
  requireTransition(before, 'customer.update');
  const after = { ...withDetails(before, call.body), deleted: false, updated_at: state.clock.seconds() };
  return state.objects.customer.replace(after);
}

function mark(state: State, customer: Customer, deleted: boolean): Customer {
  return state.objects.customer.replace({ ...customer, deleted, updated_at: state.clock.seconds() });
}

/**
 * A repeated DELETE returns the same response: it has no idempotency key, and clients repeat one whose response was
 * lost.
 */
function remove(state: State, call: Call): Customer {
  const customer = named(state.objects.customer, call);
  return mayTransition(customer, 'customer.delete') ? mark(state, customer, true) : customer;
}

function restore(state: State, call: Call): Customer {
  const customer = named(state.objects.customer, call);
  requireTransition(customer, 'customer.restore');
  return mark(state, customer, false);
}

/** The write methods of `/v1/customers`. */
export function customerHandlers(state: State): Omit<Methods<'customers'>, keyof Reading> {
  return {
    create: (call) => create(state, call),
    update: (call) => update(state, call),
    delete: (call) => remove(state, call),
    restore: (call) => restore(state, call),
  };
}
