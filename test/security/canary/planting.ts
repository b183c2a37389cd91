/** Plants a value in every place that the arguments of a method have, so that a new method needs no test of its own. */

import type { PaymentsClient } from 'payments-client';

type Plant = (value: object) => object;

/** What becomes of the arguments of a method; its last one, the options of the call, stays as it is. */
export interface Planting {
  /** What is given in place of an id. */
  readonly id?: (id: string) => unknown;
  /** What is given in place of the parameters. */
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
        // A list is called without any.
        const all = given.length === 0 && name === 'list' ? [{}] : given;
        const arguments_ = all.map((argument) => planted(argument, planting, options));
        return Reflect.apply(member, target, arguments_);
      };
    },
  });
}

/** A client whose methods get something planted among their arguments. */
export function clientWith(payments: PaymentsClient, planting: Planting, options: object): PaymentsClient {
  return new Proxy(payments, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member === 'function') return member.bind(target);
      return isObject(member) ? collectionWith(member, planting, options) : member;
    },
  });
}
