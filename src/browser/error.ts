/**
 * Why something failed in the browser.
 *
 * - `invalid_option`: an option or argument is not what it should be; nothing was loaded or sent.
 * - `secret_key`: a secret key was given, which must never be in a browser; nothing was loaded or sent.
 * - `not_in_browser`: there is no document, as on a server.
 * - `load_failed`: the script could not be loaded, or does not define what it should.
 * - `timeout`: the script did not load, or did not call back, in time.
 * - `script_failed`: the script threw, or called back with something that it should not.
 * - `aborted`: your own `signal` ended it.
 * - `superseded`: a newer call of `collectToken` took its place.
 * - `not_supported`: the script does not offer this, which the interface does not show.
 * - `callback_failed`: your `onToken` threw or rejected; the reason is the `cause`. What it began may have gone through.
 */
export type BrowserErrorCode =
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
 * Everything that fails in the browser. Its message holds no key and no card data. `instanceof` also knows the errors of
 * another copy of this module in the same page.
 */
export class BrowserError extends Error {
  /** Why it failed. */
  readonly code: BrowserErrorCode;

  /** @internal A minifier renames the class and keeps this. */
  static override readonly name = 'BrowserError';
  static {
    this.prototype.name = this.name;
  }

  /** Whether a value is such an error, made by this copy of the module or by another. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && brand in value;
  }

  /** @internal */
  get [brand](): true {
    return true;
  }

  /** @internal */
  constructor(code: BrowserErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/** An option or argument is not what it should be. What came is told by its type, never repeated. */
export function refuse(path: string, expected: string, value: unknown): never {
  const got = value === null ? 'null' : typeof value;
  throw new BrowserError('invalid_option', `${path}: expected ${expected}, got ${got}.`);
}
