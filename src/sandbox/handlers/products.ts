import type { State } from '../state.ts';
import { type Handlers, named } from './handler.ts';
import { list } from './list.ts';

/** What `/v1/products` does. */
export function productHandlers({ products }: State, itemsField: string): Handlers<'products'> {
  return {
    'products.retrieve': (call) => named(products, call),
    'products.list': list(products, itemsField),
  };
}
