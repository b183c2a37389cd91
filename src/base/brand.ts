/** `instanceof` for classes of which a program may have two copies: the package in both module formats, or installed twice. */

interface Branded {
  readonly prototype: object;
  readonly brand?: unknown;
}

/** Whether a value is an instance of a class, made by this copy of the package or by another. */
function isInstance(this: Branded, value: unknown): boolean {
  // A user's subclass has no brand of its own, so the prototype chain decides.
  const brand = Object.hasOwn(this, 'brand') ? this.brand : undefined;
  if (typeof brand !== 'symbol') return Function.prototype[Symbol.hasInstance].call(this, value);
  return typeof value === 'object' && value !== null && brand in value;
}

/**
 * Lets `instanceof` recognize the instances of a class in every copy of the package, by the mark that it returns. It is called for a static
 * field: a static block, or a method named by a symbol, would keep bundlers from leaving out a class that a program does not use.
 */
export function brandClass(type: Branded, name: string): symbol {
  const brand = Symbol.for(`payments-client/${name}`);
  Object.defineProperty(type.prototype, brand, { value: true });
  Object.defineProperty(type, Symbol.hasInstance, { value: isInstance, configurable: true });
  return brand;
}
