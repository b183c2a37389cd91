import { type Answer, answerOf, attempt, unexpected } from './answer.ts';
import { expectAddress, hasMethod, refuseSecretKeys, refuseUnknown } from './checks.ts';
import { BrowserError, refuse } from './error.ts';
import { inBrowser, loadScript, type ScriptOptions, scriptOptions } from './script.ts';
import type { WebAbortSignal, WebElement } from './web-types.ts';

/** What {@link loadCardFields} needs. */
export interface CardFieldsOptions extends ScriptOptions {
  /** Where the script is, which the interface does not show. https, or http on a loopback host; may be relative to the page. */
  readonly src: string;
  /**
   * Further attributes of the script element, whose names begin with `data-`: scripts of this kind may take their public key so
   * (*inferred*). Default: none.
   */
  readonly attributes?: Readonly<Record<`data-${string}`, string>> | undefined;
}

/** A colour as hexadecimal digits, such as `#1f5fbf` or `#fff`. */
export type HexColor = `#${string}`;

/** How card fields look. The interface does not show that a script takes this; the sandbox's does (*inferred*). */
export interface CardAppearance {
  /** The colour scheme. Default: `auto`, which follows the `color-scheme` of the page where the fields are. */
  readonly theme?: 'light' | 'dark' | 'auto' | undefined;
  /** Font families as in CSS; only installed fonts show. Default: the script's own. */
  readonly fontFamily?: string | undefined;
  /** The size of the text in px, 12 to 24. Default: 16. iOS zooms into inputs with a smaller one. */
  readonly fontSize?: number | undefined;
  /** Colours. Give a `theme` too, since they do not change with it. Default: those of the theme. */
  readonly colors?:
    | {
        /** Of text. */
        readonly text?: HexColor | undefined;
        /** Behind the fields. */
        readonly background?: HexColor | undefined;
        /** Of the button, links and the focus ring. The button's text is black or white, whichever is readable. */
        readonly accent?: HexColor | undefined;
        /** Of lines around the fields. */
        readonly border?: HexColor | undefined;
        /** Of error messages. */
        readonly error?: HexColor | undefined;
      }
    | undefined;
}

/** How far the buyer is with the card. It never holds a digit of it. */
export interface CardChange {
  /** Whether every field holds something that can be right. */
  readonly complete: boolean;
  /** Whether every field is empty. */
  readonly empty: boolean;
  /** The card's brand; `undefined` while it is not known. */
  readonly brand: 'visa' | 'mastercard' | 'amex' | 'discover' | (string & {}) | undefined;
}

/**
 * How a token is asked for. The interface shows only that `CollectJS.configure` takes a callback. The other options reach the
 * script beside it (*inferred*): the sandbox's script knows them all, another one may ignore them.
 */
export interface CollectOptions {
  /** Where the fields go: an element or a selector. Default: where the script puts them. */
  readonly target?: WebElement | string | undefined;
  /** How the fields look. Default: the script's own look. */
  readonly appearance?: CardAppearance | undefined;
  /** Whether the fields have a button of their own. Give `false` where yours calls `submit`. Default: true. */
  readonly button?: boolean | undefined;
  /** What else `CollectJS.configure` is given. Default: nothing. */
  readonly config?: Readonly<Record<string, unknown>> | undefined;
  /** Called when the fields are there; where the script does not say when that is, as soon as it is configured. */
  readonly onReady?: (() => void) | undefined;
  /** Called whenever the buyer changes a field, by a script that says so. */
  readonly onChange?: ((change: CardChange) => void) | undefined;
  /** Ends the waiting, for example when the buyer goes elsewhere. */
  readonly signal?: WebAbortSignal | undefined;
}

const collectOptions = ['target', 'appearance', 'button', 'config', 'onReady', 'onChange', 'signal'];

/** Card fields that the service's script shows. */
export interface CardFields {
  /**
   * Waits until the buyer has given a card, for as long as that takes. A newer call for the same `target` takes the place of an
   * older one. It gives one token: what the script calls back with until the next call is dropped.
   *
   * @returns What stands for the card: a transaction takes it as `payment_token`.
   * @throws BrowserError `secret_key`, `script_failed`, `aborted` or `superseded`.
   */
  collectToken(options?: CollectOptions): Promise<string>;
  /**
   * Takes the card as it is typed in, as the button of the fields does (*inferred*). Call it after {@link collectToken}, which
   * gives the token.
   *
   * @throws BrowserError `not_supported` where the script cannot do it, `script_failed`.
   */
  submit(): void;
  /**
   * Empties the fields (*inferred*).
   *
   * @throws BrowserError `not_supported` where the script cannot do it, `script_failed`.
   */
  clear(): void;
  /**
   * Puts the focus on the first field (*inferred*).
   *
   * @throws BrowserError `not_supported` where the script cannot do it, `script_failed`.
   */
  focus(): void;
}

const latest = Symbol.for('payments-client/collect');

/** A place has one callback, so a newer one takes the place of the older, whichever copy it came from. */
function supersede(place: object, answer: Answer<string>): void {
  const older: unknown = Reflect.get(place, latest);
  if (typeof older === 'function') older();
  const message = 'collectToken: a newer call took its place.';
  Reflect.set(place, latest, () => answer.fail(new BrowserError('superseded', message)));
}

function placeOf(target: CollectOptions['target']): object {
  return (typeof target === 'string' ? document.querySelector(target) : target) ?? document;
}

/** Keeps only what is known to hold no card data. */
function readChange(change: unknown): CardChange {
  const { complete, empty, brand } = Object(change);
  return {
    complete: complete === true,
    empty: empty === true,
    brand: typeof brand === 'string' ? brand : undefined,
  };
}

/** The interface shows a token as the argument; scripts of this kind also give an object that has it (*inferred*). */
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
    if (!name.startsWith('data-')) refuse(`${call}.attributes`, "names that begin with 'data-'", name);
  }
  const collect = await loadScript(call, {
    ...script,
    attributes,
    url,
    global: 'CollectJS',
    method: 'configure',
  });
  let shown: unknown;
  // `startPaymentRequest` and `clearInputs` are what scripts of this kind call them.
  const control =
    (call: string, ...names: string[]) =>
    () =>
      attempt(call, () => {
        for (const owner of [shown, collect]) {
          for (const name of names) if (hasMethod(owner, name)) return void owner[name]?.();
        }
        throw new BrowserError(
          'not_supported',
          `${call}: expected the card-field script to offer it, but it does not. Call collectToken first, or let the buyer use the script's own button.`,
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
          // The promise ends with the next call, so a script that waits for it takes no other card meanwhile.
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
 * Loads the service's card-field script, once for the page. Safe to call on a server, where the promise rejects when it is
 * awaited.
 *
 * @throws BrowserError `invalid_option` or `secret_key` before anything is loaded; `not_in_browser`, `load_failed` or `timeout`.
 *
 * @example
 * const cardFields = await loadCardFields({ src: 'https://payments.example/js/CollectJS.js' });
 * const payment_token = await cardFields.collectToken();
 */
export function loadCardFields(options: CardFieldsOptions): Promise<CardFields> {
  const call = 'loadCardFields';
  return inBrowser(call, () => load(call, options));
}
