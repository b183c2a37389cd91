import type { Product } from '../resources/products.ts';
import type { State } from './state.ts';

/** Puts products on sale, since the interface shows how to read products and no way to create one. */
export interface ProductShelf {
  /** Adds a product as the newest. */
  add(name?: string): Product;
}

/** A shelf whose products the service lists. */
export function createProductShelf(state: State): ProductShelf {
  return {
    add: (name = `Product ${state.products.size + 1}`) => {
      const product = { ...state.stamp('product', 'prod'), name };
      return state.products.add(product);
    },
  };
}
