import { type Answer, answerOf, unexpected } from './answer.ts';
import { expectAddress, refuseSecretKeys, refuseUnknown } from './checks.ts';
import { BrowserError, refuse } from './error.ts';
import { inBrowser, loadScript, type ScriptOptions, scriptOptions } from './script.ts';
import type { WebAbortSignal } from './web-types.ts';

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

/** How a token is asked for. */
export interface CollectOptions {
  /** What else `CollectJS.configure` is given; the interface shows only the callback. Default: nothing. */
  readonly config?: Readonly<Record<string, unknown>> | undefined;
  /** Ends the waiting, for example when the buyer goes elsewhere. */
  readonly signal?: WebAbortSignal | undefined;
}

/** Card fields that the service's script shows. */
export interface CardFields {
  /**
   * Waits until the buyer has given a card, for as long as that takes. A newer call takes the place of an older one.
   *
   * @returns What stands for the card: a transaction takes it as `payment_token`.
   * @throws BrowserError `secret_key`, `script_failed`, `aborted` or `superseded`.
   */
  collectToken(options?: CollectOptions): Promise<string>;
}

/** The script has one callback for the page, so a newer one takes the place of the older, whichever copy it came from. */
const latest = Symbol.for('payments-client/collect');

function supersede(answer: Answer<string>): void {
  const older: unknown = Reflect.get(document, latest);
  if (typeof older === 'function') older();
  const message = 'collectToken: a newer call took its place.';
  Reflect.set(document, latest, () => answer.fail(new BrowserError('superseded', message)));
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
  return {
    collectToken: async (options = {}) => {
      refuseUnknown('collectToken', options, ['config', 'signal']);
      const { config, signal } = options;
      refuseSecretKeys('collectToken.config', config);
      const begin = (callback: (answer: unknown) => void) => collect.configure({ ...config, callback });
      const answer = answerOf({ call: 'collectToken', signal }, begin, readToken);
      supersede(answer);
      return answer.promise;
    },
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
