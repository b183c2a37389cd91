/** Plants a value in every position of a method's arguments, so a new method needs no test of its own. */

import type { PaymentsClient } from 'payments-client';

type Plant = (value: object) => object;

/** Changes the arguments of a method, except the last one, its options. */
export interface Planting {
  /** Replaces the id. */
  readonly id?: (id: string) => unknown;
  /** Replaces the parameters. */
  readonly params?: Plant;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function planted(argument: unknown, { id, params }: Planting, options: object): unknown {
  if (argument === options) return argument;
  if (typeof argument === 'string' && id !== undefined) return id(argument);
  return isObject(argument) && params !== undefined ? params(argument) : argument;
}

function collectionWith(collection: object, planting: Planting, options: object): object {
  return new Proxy(collection, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]) => {
        // Lists are called without parameters.
        const all = given.length === 0 && name === 'list' ? [{}] : given;
        const arguments_ = all.map((argument) => planted(argument, planting, options));
        return Reflect.apply(member, target, arguments_);
      };
    },
  });
}

/** Wraps a client so that its methods receive planted arguments. */
export function clientWith(payments: PaymentsClient, planting: Planting, options: object): PaymentsClient {
  return new Proxy(payments, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member === 'function') return member.bind(target);
      return isObject(member) ? collectionWith(member, planting, options) : member;
    },
  });
}
