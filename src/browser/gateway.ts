import type { WebAbortSignal } from '../base/runtime/runtime.ts';
import { answerOf, attempt, unexpected, type Waiting } from './answer.ts';
import {
  expectAddress,
  expectInteger,
  expectText,
  hasMethod,
  refuseSecretKeys,
  refuseUnknown,
} from './checks.ts';
import { BrowserError } from './error.ts';
import { inBrowser, loadScript, type ScriptOptions, scriptOptions } from './script.ts';

/** Options of {@link loadGateway}. */
export interface GatewayOptions extends ScriptOptions {
  /** The base URL of the service. The script is `{baseUrl}/js/Gateway.js` (*shown*). https, or http on a loopback host. */
  readonly baseUrl: string;
  /** The public key (*shown*; its format is not). A secret key is rejected. */
  readonly apiKey: string;
  /** The environment (*shown*; only `sandbox` occurs, `live` is *inferred*). */
  readonly environment: 'sandbox' | 'live' | (string & {});
}

/** Options of a call that waits for a response. */
type WaitOptions = {
  /** The timeout, in ms. */
  readonly timeout?: number | undefined;
  /** Aborts the wait. The script itself continues. */
  readonly signal?: WebAbortSignal | undefined;
};

/** The payment, for 3-D Secure. */
type ThreeDSecureOrder = {
  /** The amount, passed on unchanged (*shown*; its unit is not). */
  readonly amount: string | number;
  /** The currency (*shown*; its case is not). */
  readonly currency: string;
  /** The billing address (*shown*). */
  readonly billingAddress: {
    /** The given name (*shown*). */
    readonly firstName: string;
    /** The family name (*shown*). */
    readonly lastName: string;
    /** Street and number (*shown*). */
    readonly address1: string;
    /** The town (*shown*). */
    readonly city: string;
    /** The state or region (*shown*). */
    readonly state: string;
    /** The postal code (*shown*). */
    readonly zip: string;
    /** The country (*shown*; its format is not). */
    readonly country: string;
  };
};

/** The response of the buyer's bank. Send it unchanged to your server: `transact.sale({ threeDSecure })` takes it. */
type ThreeDSecureResult = {
  /** Whether the cardholder was authenticated (*shown*). */
  readonly authenticated: boolean;
  /** `Y` after a successful authentication (*shown*). */
  readonly cardholder_auth?: string | null | undefined;
  /** The authentication's `cavv` (*shown*). */
  readonly cavv?: string | null | undefined;
  /** The authentication's `xid` (*shown*). */
  readonly xid?: string | null | undefined;
  /** The authentication's `eci` (*shown*). */
  readonly eci?: string | null | undefined;
};

/** Fraud scoring. */
type Risk = {
  /**
   * Collects data about the buyer's device (*shown*).
   *
   * @param options `timeout` is 10,000 ms by default.
   * @returns The session id, which a transaction takes as `risk_session_id`.
   * @throws BrowserError `invalid_option`, `timeout`, `script_failed` or `aborted`. You can still charge the buyer; the fraud score is only
   *   less accurate.
   */
  collectDeviceData(options?: WaitOptions): Promise<string>;
};

/** 3-D Secure. */
type ThreeDSecure = {
  /**
   * Sets the payment to authenticate (*shown*). Call it before {@link authenticate}.
   *
   * @throws BrowserError `secret_key` or `script_failed`.
   */
  configure(order: ThreeDSecureOrder): void;
  /**
   * Asks the buyer's bank to authenticate the buyer, who may have to complete a challenge (*shown*).
   *
   * @param token The payment token.
   * @param options `timeout` is 600,000 ms by default.
   * @returns The bank's response. `authenticated: false` is a result, not an error.
   * @throws BrowserError `invalid_option` or `secret_key`: the bank was not asked.
   * @throws BrowserError `timeout`, `script_failed` or `aborted`: the bank's response is unknown.
   */
  authenticate(token: string, options?: WaitOptions): Promise<ThreeDSecureResult>;
};

/** The service's browser script. */
export interface Gateway {
  /** Fraud scoring. */
  readonly risk: Risk;
  /** 3-D Secure. */
  readonly threeDSecure: ThreeDSecure;
}

function waiting(call: string, options: WaitOptions, usual: number): Waiting {
  refuseUnknown(call, options, ['timeout', 'signal']);
  const { timeout, signal } = options;
  return { call, timeout: expectInteger(`${call}.timeout`, timeout, 1, usual), signal };
}

/** Calls a method of a service of the script's client. */
type Service = <Method extends string>(method: Method, ...values: unknown[]) => unknown;

/** Gets the service once, since it may keep its configuration. */
function serviceOf<Getter extends string>(client: unknown, getter: Getter): Service {
  let service: unknown;
  return (method, ...values) => {
    service ??= hasMethod(client, getter) ? client[getter]() : undefined;
    if (hasMethod(service, method)) return service[method](...values);
    throw new BrowserError(`${method}: expected ${getter}() of the script to have it, got no such method.`, {
      code: 'script_failed',
    });
  };
}

function riskOf(service: Service): Risk {
  const call = 'collectDeviceData';
  return {
    collectDeviceData: async (options = {}) =>
      answerOf(
        waiting(call, options, 10_000),
        (callback) => service(call, callback),
        (id) => (typeof id === 'string' && id !== '' ? id : unexpected(call, 'a session id')),
      ).promise,
  };
}

function isResult(answer: unknown): answer is ThreeDSecureResult {
  return typeof Object(answer).authenticated === 'boolean';
}

function threeDSecureOf(service: Service): ThreeDSecure {
  const call = 'authenticate';
  return {
    configure(order) {
      refuseSecretKeys('configure', order);
      attempt('configure', () => service('configure', order));
    },
    authenticate: async (token, options = {}) => {
      refuseSecretKeys(`${call}.token`, token);
      expectText(`${call}.token`, token);
      return answerOf(
        waiting(call, options, 600_000),
        (callback) => service(call, token, callback),
        (result) => (isResult(result) ? result : unexpected(call, 'a result of 3-D Secure')),
      ).promise;
    },
  };
}

async function load(call: string, options: GatewayOptions): Promise<Gateway> {
  refuseSecretKeys(call, options);
  refuseUnknown(call, options, ['baseUrl', 'apiKey', 'environment', ...scriptOptions]);
  const { baseUrl, apiKey, environment, ...script } = options;
  const url = expectAddress(`${call}.baseUrl`, baseUrl);
  url.pathname = `${url.pathname.replace(/(?<!\/)\/+$/, '')}/js/Gateway.js`;
  expectText(`${call}.apiKey`, apiKey, 'the public key');
  expectText(`${call}.environment`, environment, "an environment such as 'sandbox'");
  const { create } = await loadScript(call, { ...script, url, global: 'Gateway', method: 'create' });
  const client = attempt(call, () => create({ apiKey, environment }));
  return {
    risk: riskOf(serviceOf(client, 'getRisk')),
    threeDSecure: threeDSecureOf(serviceOf(client, 'get3DSecure')),
  };
}

/**
 * Loads the service's browser script, once per page, and creates a client of it. You can call it on a server; there the
 * promise rejects when it is awaited.
 *
 * @throws BrowserError `invalid_option` or `secret_key` before anything is loaded; `not_in_browser`, `load_failed`,
 *   `timeout` or `script_failed`.
 *
 * @example
 * const gateway = await loadGateway({ baseUrl, apiKey: publicKey, environment: 'sandbox' });
 * const risk_session_id = await gateway.risk.collectDeviceData();
 */
export function loadGateway(options: GatewayOptions): Promise<Gateway> {
  const call = 'loadGateway';
  return inBrowser(call, () => load(call, options));
}
