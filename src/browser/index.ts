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
  type CardChange,
  type CardFieldsOptions,
  type CollectOptions,
  loadCardFields,
} from './card-fields.ts';
export { BrowserError } from './error.ts';
export { type Gateway, type GatewayOptions, loadGateway } from './gateway.ts';
