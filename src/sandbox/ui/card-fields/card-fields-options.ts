import { fieldOf } from '../frames/field.ts';
import type { CardChange } from '../frames/messages.ts';
import { readProperties, readTheme } from './appearance.ts';

/** The checked arguments of `CollectJS.configure`. */
export interface CollectOptions {
  /** Receives the token of each card. The fields accept no other card until its promise settles. */
  readonly callback: (token: string) => unknown;
  /** Called when the state of the form changes; `undefined` for no listener. */
  readonly onChange: ((change: CardChange) => unknown) | undefined;
  /** Where the frame is inserted; `undefined` for the default place. */
  readonly target: Element | string | undefined;
  /** The validated appearance; `undefined` for the default. */
  readonly appearance: unknown;
  /** Whether the form has its own submit button. */
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
 * Validates the page's options.
 *
 * @throws TypeError that states what was expected.
 */
export function readOptions(given: unknown): CollectOptions {
  const callback = fieldOf(given, 'callback');
  const onChange = fieldOf(given, 'onChange');
  const appearance = fieldOf(given, 'appearance');
  if (!isFunction(callback)) {
    throw new TypeError(
      `${name}: expected callback to be a function, got ${typeof callback}. Pass a function that takes the token.`,
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
 * Returns the element that the frame is inserted into; `null` for a dialog.
 *
 * @throws TypeError if there is no such element.
 */
export function placeOf(target: CollectOptions['target']): Element | null {
  if (target === undefined) return document.querySelector('#card-fields');
  if (typeof target !== 'string') return target;
  const place = document.querySelector(target);
  if (place !== null) return place;
  throw new TypeError(
    `${name}: expected target to select an element, got '${target}', which selects none. Add the element to the page first.`,
  );
}
