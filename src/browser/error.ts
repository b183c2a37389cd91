/**
 * The reason of a failure in the browser.
 *
 * - `invalid_option`: an option or argument is invalid; nothing was loaded or sent.
 * - `secret_key`: an option contains a secret key, which must never be in a browser; nothing was loaded or sent.
 * - `not_in_browser`: there is no document, as on a server.
 * - `load_failed`: the script could not be loaded, or does not define the expected API.
 * - `timeout`: the script did not load, or did not call back, in time.
 * - `script_failed`: the script threw, or called back with an unexpected value.
 * - `aborted`: your own `signal` aborted it.
 * - `superseded`: a newer call of `collectToken` replaced it.
 * - `not_supported`: the script does not support this, which the interface does not show.
 * - `callback_failed`: your `onToken` threw or rejected; the reason is the `cause`. Its payment may have succeeded.
 */
type BrowserErrorCode =
  | 'invalid_option'
  | 'secret_key'
  | 'not_in_browser'
  | 'load_failed'
  | 'timeout'
  | 'script_failed'
  | 'aborted'
  | 'superseded'
  | 'not_supported'
  | 'callback_failed';

const brand = Symbol.for('payments-client/BrowserError');

/**
 * An error of `payments-client/browser`. Its message contains no key and no card data. `instanceof` also recognizes errors
 * of another copy of this module in the same page.
 */
export class BrowserError extends Error {
  /** Why it failed. */
  readonly code: BrowserErrorCode;

  /** @internal A minifier renames the class and keeps this. */
  static override readonly name = 'BrowserError';
  static {
    this.prototype.name = this.name;
  }

  /** Returns whether a value is such an error, created by this copy of the module or another. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && brand in value;
  }

  /** @internal */
  get [brand](): true {
    return true;
  }

  /** Creates an error, for example in a test. Default: `script_failed`. */
  constructor(
    message: string,
    { code = 'script_failed', cause }: { readonly code?: BrowserErrorCode; readonly cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/** Refuses an option or an argument in the words of the whole package. */
export function refuseOption(path: string, expected: string, received: string): never {
  const message = `${path}: expected ${expected}, got ${received}. Correct it: nothing was loaded or sent.`;
  throw new BrowserError(message, { code: 'invalid_option' });
}

/** Refuses an invalid value. It may be a key in the wrong place, so it is never quoted. */
export function refuseOptionValue(path: string, expected: string, value: unknown): never {
  return refuseOption(path, expected, value === '' ? 'an empty string' : `a value of type ${typeof value}`);
}
