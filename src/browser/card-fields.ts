import type { WebAbortSignal } from '../base/runtime/runtime.ts';
import { type Answer, answerOf, attempt, unexpected } from './answer.ts';
import { expectAddress, hasMethod, refuseSecretKeys, refuseUnknown } from './checks.ts';
import { BrowserError, refuseOption } from './error.ts';
import { inBrowser, loadScript, type ScriptOptions, scriptOptions } from './script.ts';
import type { WebElement } from './web-types.ts';

/** Options of {@link loadCardFields}. */
export interface CardFieldsOptions extends ScriptOptions {
  /**
   * The URL of the card-field script; the interface does not show it. Must be https, or http on a loopback host. May be
   * relative to the page.
   */
  readonly src: string;
  /**
   * More attributes of the script element. Their names start with `data-`. Some scripts take their public key this way
   * (*inferred*). Default: none.
   */
  readonly attributes?: Readonly<Record<`data-${string}`, string>> | undefined;
}

/** A colour as hexadecimal digits, such as `#1f5fbf` or `#fff`. */
type HexColor = `#${string}`;

/** The look of card fields. The interface does not show that a script accepts this; the sandbox's script does (*inferred*). */
type CardAppearance = {
  /** The colour scheme. Default: `auto`, which follows the `color-scheme` of the page where the fields are. */
  readonly theme?: 'light' | 'dark' | 'auto' | undefined;
  /** Font families, written as in CSS. Only fonts installed on the buyer's device work. Default: the script's own. */
  readonly fontFamily?: string | undefined;
  /** The text size in px, 12 to 24. Default: 16. iOS zooms into inputs with smaller text. */
  readonly fontSize?: number | undefined;
  /** Colours. Also set `theme`, since colours do not change with it. Default: those of the theme. */
  readonly colors?:
    | {
        /** The text. */
        readonly text?: HexColor | undefined;
        /** The background of the fields. */
        readonly background?: HexColor | undefined;
        /** The button, links and the focus ring. The button's text is black or white, whichever is readable. */
        readonly accent?: HexColor | undefined;
        /** The borders of the fields. */
        readonly border?: HexColor | undefined;
        /** Error messages. */
        readonly error?: HexColor | undefined;
      }
    | undefined;
};

/** The buyer's progress in the card fields. Never contains a digit of the card. */
export interface CardChange {
  /** Whether every field contains a plausible value. */
  readonly complete: boolean;
  /** Whether every field is empty. */
  readonly empty: boolean;
  /** The card's brand; `undefined` while unknown. */
  readonly brand: 'visa' | 'mastercard' | 'amex' | 'discover' | (string & {}) | undefined;
}

/**
 * Options for collecting a token. The interface shows only that `CollectJS.configure` takes a callback. The SDK passes the
 * other options to the script too (*inferred*). The sandbox's script supports all of them; another script may ignore them.
 */
export interface CollectOptions {
  /** Where the fields appear: an element, or a CSS selector. Default: the script chooses. */
  readonly target?: WebElement | string | undefined;
  /** How the fields look. Default: the script's own look. */
  readonly appearance?: CardAppearance | undefined;
  /** Whether the fields have their own button. Pass `false` if your button calls `submit`. Default: true. */
  readonly button?: boolean | undefined;
  /** More options for `CollectJS.configure`. Default: none. */
  readonly config?: Readonly<Record<string, unknown>> | undefined;
  /** Called when the fields are ready. If the script does not report this, it is called immediately after configuration. */
  readonly onReady?: (() => void) | undefined;
  /** Called whenever the buyer changes a field, if the script reports it. */
  readonly onChange?: ((change: CardChange) => void) | undefined;
  /** Aborts the wait, for example when the buyer leaves the page. */
  readonly signal?: WebAbortSignal | undefined;
}

const collectOptions = ['target', 'appearance', 'button', 'config', 'onReady', 'onChange', 'signal'];

/** The card fields of the service's script. */
type CardFields = {
  /**
   * Waits until the buyer has entered a card, without a time limit. A newer call for the same `target` replaces an older
   * one, which rejects with `superseded`. Each call returns one token: later callbacks of the script are ignored until the
   * next call.
   *
   * @returns The token of the card. Pass it to a transaction as `payment_token`.
   * @throws BrowserError `invalid_option`, `secret_key`, `script_failed`, `aborted` or `superseded`.
   */
  collectToken(options?: CollectOptions): Promise<string>;
  /**
   * Submits the card that the buyer typed, as the button of the fields does (*inferred*). Call {@link collectToken} first:
   * it returns the token.
   *
   * @throws BrowserError `not_supported` if the script cannot do it, `script_failed`.
   */
  submit(): void;
  /**
   * Empties the fields (*inferred*).
   *
   * @throws BrowserError `not_supported` if the script cannot do it, `script_failed`.
   */
  clear(): void;
  /**
   * Focuses the first field (*inferred*).
   *
   * @throws BrowserError `not_supported` if the script cannot do it, `script_failed`.
   */
  focus(): void;
};

const latest = Symbol.for('payments-client/collect');

/** A place has one callback, so a newer call supersedes an older one, from whichever copy of this module. */
function supersede(place: object, answer: Answer<string>): void {
  const older: unknown = Reflect.get(place, latest);
  if (typeof older === 'function') older();
  const message = 'collectToken: superseded by a newer call.';
  Reflect.set(place, latest, () => answer.fail(new BrowserError(message, { code: 'superseded' })));
}

function placeOf(target: CollectOptions['target']): object {
  return (typeof target === 'string' ? document.querySelector(target) : target) ?? document;
}

/** Keeps only fields known to contain no card data. */
function readChange(change: unknown): CardChange {
  const { complete, empty, brand } = Object(change);
  return {
    complete: complete === true,
    empty: empty === true,
    brand: typeof brand === 'string' ? brand : undefined,
  };
}

/** The interface shows a token as the argument; such scripts may also pass an object that contains it (*inferred*). */
function readToken(answer: unknown): string {
  const token: unknown = typeof answer === 'string' ? answer : Object(answer).token;
  return typeof token === 'string' && token !== '' ? token : unexpected('collectToken', 'a token');
}

async function load(call: string, options: CardFieldsOptions): Promise<CardFields> {
  refuseSecretKeys(call, options);
  refuseUnknown(call, options, ['src', 'attributes', ...scriptOptions]);
  const { src, attributes, ...script } = options;
  const url = expectAddress(`${call}.src`, src, document.baseURI);
  for (const name of Object.keys(attributes ?? {})) {
    if (!name.startsWith('data-'))
      refuseOption(`${call}.attributes`, "names that start with 'data-'", 'another name');
  }
  const collect = await loadScript(call, {
    ...script,
    attributes,
    url,
    global: 'CollectJS',
    method: 'configure',
  });
  let shown: unknown;
  // Such scripts name these methods `startPaymentRequest` and `clearInputs`.
  const control =
    (call: string, ...names: string[]) =>
    () =>
      attempt(call, () => {
        for (const owner of [shown, collect]) {
          for (const name of names) if (hasMethod(owner, name)) return void owner[name]?.();
        }
        throw new BrowserError(
          `${call}: expected the card-field script to support it, but it does not. Call collectToken first, or let the buyer use the script's own button.`,
          { code: 'not_supported' },
        );
      });
  return {
    collectToken: async (options = {}) => {
      refuseUnknown('collectToken', options, collectOptions);
      refuseSecretKeys('collectToken', { ...options });
      const { config, signal, onReady, onChange, ...given } = options;
      const begin = (callback: (answer: unknown) => void) => {
        shown = collect.configure({
          ...given,
          ...(onChange && { onChange: (change: unknown) => onChange(readChange(change)) }),
          ...config,
          // Resolves with the next call: until then a script that awaits it accepts no other card.
          callback: (answer: unknown) => new Promise(() => callback(answer)),
        });
        void Promise.resolve(Object(shown).ready).then(() => signal?.aborted || onReady?.());
      };
      const place = attempt('collectToken', () => placeOf(given.target));
      const answer = answerOf({ call: 'collectToken', signal }, begin, readToken);
      supersede(place, answer);
      return answer.promise;
    },
    submit: control('submit', 'submit', 'startPaymentRequest'),
    clear: control('clear', 'clear', 'clearInputs'),
    focus: control('focus', 'focus'),
  };
}

/**
 * Loads the service's card-field script, once per page. You can call it on a server; there the promise rejects when it is
 * awaited.
 *
 * @throws BrowserError `invalid_option` or `secret_key` before anything is loaded; `not_in_browser`, `load_failed` or
 *   `timeout`.
 *
 * @example
 * const cardFields = await loadCardFields({ src: 'https://payments.example/js/CollectJS.js' });
 * const payment_token = await cardFields.collectToken();
 */
export function loadCardFields(options: CardFieldsOptions): Promise<CardFields> {
  const call = 'loadCardFields';
  return inBrowser(call, () => load(call, options));
}
