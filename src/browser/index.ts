/**
 * The service's browser scripts, with promises and types. It runs in the buyer's browser, with or without a bundler,
 * and never handles a card number.
 *
 * @example
 * const gateway = await loadGateway({ baseUrl, apiKey: publicKey, environment: 'sandbox' });
 * const cardFields = await loadCardFields({ src });
 * const payment_token = await cardFields.collectToken();
 * gateway.threeDSecure.configure({ amount: '12.00', currency: 'USD', billingAddress });
 * const threeDSecure = await gateway.threeDSecure.authenticate(payment_token);
 *
 * @module
 */

export {
  type CardAppearance,
  type CardChange,
  type CardFields,
  type CardFieldsOptions,
  type CollectOptions,
  type HexColor,
  loadCardFields,
} from './card-fields.ts';
export { BrowserError, type BrowserErrorCode } from './error.ts';
export {
  type BillingAddress,
  type Gateway,
  type GatewayOptions,
  loadGateway,
  type Risk,
  type ThreeDSecure,
  type ThreeDSecureOrder,
  type ThreeDSecureResult,
  type WaitOptions,
} from './gateway.ts';
export type { ScriptOptions } from './script.ts';
export type { WebAbortSignal, WebElement } from './web-types.ts';
