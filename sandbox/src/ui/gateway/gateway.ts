import { createFrame, scriptAddress } from '../frames/frame.ts';
import { fieldOf } from '../frames/messages.ts';
import { openModal } from '../frames/modal.ts';

type Callback<T> = (result: T) => void;

/**
 * Checks that the page passed a function.
 *
 * @throws TypeError for anything else.
 */
function checkCallback<T>(name: string, callback: Callback<T>): void {
  if (typeof callback === 'function') return;
  throw new TypeError(
    `${name}: expected callback to be a function, got ${typeof callback}. Pass a function.`,
  );
}

/** Calls the page's callback. Its errors propagate to the page's own error handlers. */
function invokeLater<T>(callback: Callback<T>, result: T): void {
  queueMicrotask(() => callback(result));
}

/** Logs an error that a callback cannot report. The message never contains a token. */
function logError(name: string, error: unknown): void {
  const reason = error instanceof Error ? error.message : 'an unknown failure';
  // oxlint-disable-next-line no-console -- the page's developer looks there, and no callback reports errors.
  console.error(`${name}: ${reason}`);
}

/**
 * Shows a challenge to the buyer in a dialog.
 *
 * @returns The answer; `unanswered` if the buyer closes the dialog.
 */
function askBuyer(address: URL): Promise<string> {
  return new Promise((resolve) => {
    let answer = 'unanswered';
    const frame = createFrame(address, "Your bank's question", (message) => {
      if (message.kind !== 'answer') return;
      answer = message.answer;
      close();
    });
    const close = openModal(frame.element, () => {
      frame.remove();
      resolve(answer);
    });
  });
}

/** The sandbox prepends it to the script. */
declare const sandboxPublicKey: string;

function checkKey(apiKey: unknown): string {
  if (typeof apiKey !== 'string' || apiKey === '') {
    throw new TypeError(
      "Gateway.create: expected apiKey to be the sandbox's public key, got none. Pass sandbox.publicKey.",
    );
  }
  if (apiKey.startsWith('sk_')) {
    throw new TypeError(
      'Gateway.create: expected apiKey to be a public key, got a secret key. Remove it from the page, where everyone can read it.',
    );
  }
  if (apiKey !== sandboxPublicKey) {
    throw new TypeError(
      "Gateway.create: expected apiKey to be this sandbox's public key, got another one. Pass sandbox.publicKey.",
    );
  }
  return apiKey;
}

function checkEnvironment(environment: unknown): void {
  if (environment === 'sandbox') return;
  const got = environment === undefined ? 'none' : environment === 'live' ? "'live'" : 'another one';
  throw new TypeError(
    `Gateway.create: expected environment to be 'sandbox', got ${got}. Pass environment: 'sandbox'.`,
  );
}

/**
 * Returns the public key of the options of `create`.
 *
 * @throws TypeError for invalid options, since no callback could report them.
 */
function readOptions(options: unknown): string {
  const apiKey = checkKey(fieldOf(options, 'apiKey'));
  checkEnvironment(fieldOf(options, 'environment'));
  return apiKey;
}

const deviceData = 'Gateway.getRisk().collectDeviceData';

/** Facts about the device that need no permission and identify nobody. */
function deviceFacts(): Readonly<Record<string, string>> {
  return {
    language: navigator.language,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    screen: `${screen.width}x${screen.height}`,
    platform: navigator.platform,
  };
}

/** The fraud-scoring service of the script. */
class Risk {
  readonly #service: Service;
  readonly #apiKey: string;

  constructor(service: Service, apiKey: string) {
    this.#service = service;
    this.#apiKey = apiKey;
  }

  /** Sends facts about the device, and calls back with the session's id. It never calls back on failure. */
  collectDeviceData(callback: Callback<string>): void {
    checkCallback(deviceData, callback);
    this.#collect().then(
      (id) => invokeLater(callback, id),
      (error: unknown) => logError(deviceData, error),
    );
  }

  async #collect(): Promise<string> {
    const fields = { apiKey: this.#apiKey, ...deviceFacts() };
    const id = fieldOf(await this.#service.post('browser/device-sessions', fields), 'id');
    if (typeof id === 'string') return id;
    throw new Error('the sandbox responded without a session id.');
  }
}

/** The sandbox that served the script. */
class Service {
  readonly #script: string;

  /** @param script The script's URL, the base of all other URLs. */
  constructor(script: string) {
    this.#script = script;
  }

  address(path: string): URL {
    return new URL(`../${path}`, this.#script);
  }

  /**
   * Sends a form and returns the response.
   *
   * @throws Error with the sandbox's message, or that the sandbox is unreachable.
   */
  async post(path: string, fields: Readonly<Record<string, string>>): Promise<unknown> {
    const body = new URLSearchParams(fields);
    const response = await fetch(this.address(path), { method: 'POST', body, credentials: 'omit' });
    const answer: unknown = await response.json();
    if (!response.ok) throw new Error(messageOf(answer) ?? `The sandbox replied ${response.status}.`);
    return answer;
  }
}

function messageOf(answer: unknown): string | undefined {
  const error = fieldOf(answer, 'error');
  const message = fieldOf(error, 'message');
  return typeof message === 'string' ? message : undefined;
}

const threeDSecure = 'Gateway.get3DSecure()';

/** The argument of the page's callback. */
interface AuthenticationResult {
  readonly authenticated: unknown;
  readonly cardholder_auth: unknown;
  readonly cavv: unknown;
  readonly xid: unknown;
  readonly eci: unknown;
}

/** The result for every failure: the callback has no other way to report one. */
const failure: AuthenticationResult = {
  authenticated: false,
  cardholder_auth: 'U',
  cavv: null,
  xid: null,
  eci: null,
};

function toText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function readResult(result: unknown): AuthenticationResult {
  return {
    authenticated: fieldOf(result, 'authenticated'),
    cardholder_auth: fieldOf(result, 'cardholder_auth'),
    cavv: fieldOf(result, 'cavv'),
    xid: fieldOf(result, 'xid'),
    eci: fieldOf(result, 'eci'),
  };
}

class ThreeDSecure {
  readonly #service: Service;
  readonly #apiKey: string;
  #order: { readonly amount: string; readonly currency: string } | undefined;

  constructor(service: Service, apiKey: string) {
    this.#service = service;
    this.#apiKey = apiKey;
  }

  /** Sets the payment details: the challenge shows the amount and the currency. */
  configure(order: unknown): void {
    const amount = toText(fieldOf(order, 'amount'));
    const currency = toText(fieldOf(order, 'currency'));
    if (amount === '' || currency === '') {
      throw new TypeError(
        `${threeDSecure}.configure: expected amount and currency, got one or none. Pass both.`,
      );
    }
    this.#order = { amount, currency };
  }

  /** Runs 3-D Secure for a token, and calls back once. */
  authenticate(token: unknown, callback: Callback<AuthenticationResult>): void {
    checkCallback(`${threeDSecure}.authenticate`, callback);
    void this.#authenticate(token)
      .catch((error: unknown) => {
        logError(`${threeDSecure}.authenticate`, error);
        return failure;
      })
      .then((result) => invokeLater(callback, result));
  }

  async #authenticate(token: unknown): Promise<AuthenticationResult> {
    const order = this.#order;
    if (order === undefined) throw new Error('expected a call of configure first, got none. Call configure.');
    const first = await this.#post({ token: toText(token) });
    const id = fieldOf(first, 'challenge');
    if (typeof id !== 'string') return readResult(fieldOf(first, 'result'));
    const address = this.#service.address('browser/challenge');
    address.search = new URLSearchParams({ id, ...order }).toString();
    const answer = await askBuyer(address);
    return readResult(fieldOf(await this.#post({ challenge: id, answer }), 'result'));
  }

  #post(fields: Readonly<Record<string, string>>): Promise<unknown> {
    return this.#service.post('browser/authentications', { apiKey: this.#apiKey, ...fields });
  }
}

const service = new Service(scriptAddress('Gateway.js'));

/** The client that a page creates with its public key. */
class Client {
  readonly #risk: Risk;
  readonly #threeDSecure: ThreeDSecure;

  constructor(apiKey: string) {
    this.#risk = new Risk(service, apiKey);
    this.#threeDSecure = new ThreeDSecure(service, apiKey);
  }

  getRisk(): Risk {
    return this.#risk;
  }

  get3DSecure(): ThreeDSecure {
    return this.#threeDSecure;
  }
}

Object.assign(window, { Gateway: { create: (options: unknown) => new Client(readOptions(options)) } });
