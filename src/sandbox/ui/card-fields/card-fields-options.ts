import { fieldOf } from '../frames/field.ts';
import type { CardChange } from '../frames/messages.ts';
import { readProperties, readTheme } from './appearance.ts';

/** What `CollectJS.configure` is given. */
export interface CollectOptions {
  /** Gets the token of each card. While a promise of it is open, the fields take no other card. */
  readonly callback: (token: string) => unknown;
  /** Hears how far the buyer is; `undefined` where nobody does. */
  readonly onChange: ((change: CardChange) => unknown) | undefined;
  /** Where the frame goes; `undefined` for the usual place. */
  readonly target: Element | string | undefined;
  /** How the fields look; checked, and `undefined` for the usual look. */
  readonly appearance: unknown;
  /** Whether the fields have a button. */
  readonly hasButton: boolean;
}

const name = 'CollectJS.configure';

function isFunction(value: unknown): value is (value: unknown) => unknown {
  return typeof value === 'function';
}

function readTarget(target: unknown): CollectOptions['target'] {
  if (target === undefined || typeof target === 'string' || target instanceof Element) return target;
  throw new TypeError(
    `${name}: expected target to be an element or a selector, got ${typeof target}. Leave it out for the element with the id card-fields.`,
  );
}

/**
 * Checks what a page gave.
 *
 * @throws TypeError that says what was expected.
 */
export function readOptions(given: unknown): CollectOptions {
  const callback = fieldOf(given, 'callback');
  const onChange = fieldOf(given, 'onChange');
  const appearance = fieldOf(given, 'appearance');
  if (!isFunction(callback)) {
    throw new TypeError(
      `${name}: expected callback to be a function, got ${typeof callback}. Give one that takes the token.`,
    );
  }
  readTheme(appearance);
  readProperties(appearance);
  return {
    callback,
    onChange: isFunction(onChange) ? onChange : undefined,
    target: readTarget(fieldOf(given, 'target')),
    appearance,
    hasButton: fieldOf(given, 'button') !== false,
  };
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
