import type { Customer } from 'payments-client';
import { isRecord } from '../../base/json.ts';
import { followDefaultMethod } from '../../domain/billing/subscription.ts';
import { defaults, emptyCustomer } from '../../domain/object-defaults.ts';
import type { State } from '../../domain/state.ts';
import { mayTransition, requireTransition } from '../../domain/transitions.ts';
import { requestSchema } from '../../sdk.ts';
import { readClientParameters, withGiven } from '../request/parameters.ts';
import { type Call, type Methods, named, type Reading } from './handler.ts';

/** Returns a customer with the given fields; null empties one. */
function withDetails(before: Customer, body: unknown): Customer {
  const given = readClientParameters(requestSchema('customers.create'), body);
  const cleared = Object.entries(emptyCustomer()).filter(([name]) => isRecord(body) && body[name] === null);
  return withGiven({ ...before, ...Object.fromEntries(cleared) }, given);
}

function create(state: State, { body }: Call): Customer {
  return state.objects.customer.add(withDetails(defaults.customer(state), body));
}

/** By the interface's table, an update sets `deleted: false` from any state. */
function update(state: State, call: Call): Customer {
  const before = named(state.objects.customer, call);
  requireTransition(before, 'customer.update');
  const after = { ...withDetails(before, call.body), deleted: false, updated_at: state.clock.seconds() };
  followDefaultMethod(state, before, after);
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

export function customerHandlers(state: State): Omit<Methods<'customers'>, keyof Reading> {
  return {
    create: (call) => create(state, call),
    update: (call) => update(state, call),
    delete: (call) => remove(state, call),
    restore: (call) => restore(state, call),
  };
}
