import type { Theme } from '../frames/frame.ts';
import { type CardChange, fieldOf } from '../frames/messages.ts';

const name = 'CollectJS.configure';
const themes: readonly Theme[] = ['auto', 'light', 'dark'];

/** The CSS properties that each colour of an appearance sets. */
const colors: Readonly<Record<string, readonly string[]>> = {
  text: ['--ink', '--ink-soft'],
  background: ['--card'],
  accent: ['--accent'],
  border: ['--line', '--line-strong'],
  error: ['--bad'],
};

function refuse(field: string, expected: string, value: unknown): never {
  throw new TypeError(
    `${name}: expected ${field} to be ${expected}, got ${typeof value}. Correct it or leave it out.`,
  );
}

function checkNames(field: string, value: unknown, known: readonly string[]): void {
  if (value === undefined) return;
  if (typeof value !== 'object' || value === null) refuse(field, 'an object', value);
  const other = Object.keys(value).find((one) => !known.includes(one));
  if (other !== undefined)
    throw new TypeError(`${name}: expected ${field} to have ${known.join(', ')}, got another name.`);
}

/** Returns black or white, whichever has the better contrast on a colour by its relative luminance (WCAG). */
function contrastColor(hex: string): string {
  const digits = hex.length === 4 ? hex.replaceAll(/[^#]/g, '$&$&') : hex;
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const share = Number.parseInt(digits.slice(start, start + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000000' : '#ffffff';
}

function readColor(field: string, value: unknown): string {
  if (value === undefined) return '';
  const isHex = typeof value === 'string' && /^#(?:[\da-f]{3}|[\da-f]{6})$/i.test(value);
  return isHex ? value : refuse(field, 'a colour such as #1f5fbf', value);
}

function readFamily(value: unknown): string {
  if (value === undefined) return '';
  const isFamily = typeof value === 'string' && /^[\p{L}\d ,'"-]{1,200}$/u.test(value);
  return isFamily ? value : refuse('appearance.fontFamily', 'names of fonts, separated by commas', value);
}

function readSize(value: unknown): string {
  if (value === undefined) return '';
  const isSize = typeof value === 'number' && value >= 12 && value <= 24;
  return isSize ? `${value}px` : refuse('appearance.fontSize', 'a number of px from 12 to 24', value);
}

/**
 * Reads the colour scheme of an appearance.
 *
 * @throws TypeError for an unknown scheme.
 */
export function readTheme(appearance: unknown): Theme {
  const given = fieldOf(appearance, 'theme') ?? 'auto';
  return themes.find((theme) => theme === given) ?? refuse('appearance.theme', themes.join(', '), given);
}

/**
 * Returns the CSS properties of an appearance; an empty value removes a property. Accepts colours, sizes and names
 * only.
 *
 * @throws TypeError that states what was expected. It repeats no value.
 */
export function readProperties(appearance: unknown): Readonly<Record<string, string>> {
  checkNames('appearance', appearance, ['theme', 'fontFamily', 'fontSize', 'colors']);
  const given = fieldOf(appearance, 'colors');
  checkNames('appearance.colors', given, Object.keys(colors));
  const accent = readColor('appearance.colors.accent', fieldOf(given, 'accent'));
  const properties = Object.entries(colors).flatMap(([color, targets]) => {
    const value = readColor(`appearance.colors.${color}`, fieldOf(given, color));
    return targets.map((target) => [target, value] as const);
  });
  return {
    ...Object.fromEntries(properties),
    '--accent-ink': accent === '' ? '' : contrastColor(accent),
    'font-family': readFamily(fieldOf(appearance, 'fontFamily')),
    'font-size': readSize(fieldOf(appearance, 'fontSize')),
  };
}

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
  readonly hasButton: boolean;
}

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
