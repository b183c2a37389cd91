import { fieldOf } from '../frames/field.ts';

/** What `CollectJS.configure` is given. */
export interface CollectOptions {
  /** Gets the token of each card. */
  readonly callback: (token: string) => void;
  /** Where the frame goes; `undefined` for the usual place. */
  readonly target: Element | string | undefined;
}

const name = 'CollectJS.configure';

function isFunction(value: unknown): value is (token: string) => void {
  return typeof value === 'function';
}

/**
 * Checks what a page gave.
 *
 * @throws TypeError that says what was expected.
 */
export function readOptions(given: unknown): CollectOptions {
  const callback = fieldOf(given, 'callback');
  const target = fieldOf(given, 'target');
  if (!isFunction(callback)) {
    throw new TypeError(
      `${name}: expected callback to be a function, got ${typeof callback}. Give one that takes the token.`,
    );
  }
  if (target === undefined || typeof target === 'string' || target instanceof Element) {
    return { callback, target };
  }
  throw new TypeError(
    `${name}: expected target to be an element or a selector, got ${typeof target}. Leave it out for the element with the id card-fields.`,
  );
}

/**
 * Where the frame goes; `null` for a dialog.
 *
 * @throws TypeError where there is no such element.
 */
export function placeOf(target: CollectOptions['target']): Element | null {
  if (target === undefined) return document.querySelector('#card-fields');
  if (typeof target !== 'string') return target;
  const place = document.querySelector(target);
  if (place !== null) return place;
  throw new TypeError(
    `${name}: expected target to select an element, got '${target}', which selects none. Put the element into the page first.`,
  );
}
