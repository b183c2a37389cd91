import * as z from 'zod/mini';
import type { ApiPromise } from '../core/api-promise.ts';
import type { RequestOptions } from '../core/options.ts';
import type { ListParams, PagePromise } from '../core/page.ts';
import type { ExpectedPage, ResourceApi } from '../core/resource-api.ts';
import type { Schema } from '../core/schema.ts';
import type { ResourceBase } from './common.ts';

/** Something that is sold. The interface shows no field of its own; read others with `unknownField`. */
export interface Product extends ResourceBase<string> {
  /** The product's id (*shown* for every resource; its prefix is not). */
  readonly id: string;
}

/** The fields that every resource has; all others pass. */
export const productSchema: Schema<Product> = z.looseObject({
  object: z.string(),
  livemode: z.boolean(),
  id: z.string(),
});

const product: ExpectedPage<Product> = { object: 'product', plurals: ['products'], schema: productSchema };

/** `payments.products`: what is sold. */
export class Products {
  readonly #api: ResourceApi;

  /** @internal */
  constructor(api: ResourceApi) {
    this.#api = api;
  }

  /** One product (*inferred* path). */
  retrieve(id: string, options?: RequestOptions): ApiPromise<Product> {
    return this.#api.call({ operation: 'products.retrieve', ids: { id }, options, returns: product });
  }

  /**
   * All products, newest first (*shown*).
   *
   * @example
   * for await (const product of payments.products.list({ limit: 100 })) console.log(product.id);
   */
  list(params?: ListParams, options?: RequestOptions): PagePromise<Product> {
    return this.#api.list('products.list', params, options, product);
  }
}
