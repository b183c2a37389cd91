'use client';

/**
 * `payments-client/browser` for React 18 and later. Scripts load in effects, so it renders on a server too.
 *
 * @example
 * <PaymentsProvider
 *   gateway={{ baseUrl, apiKey: publicKey, environment: 'sandbox' }}
 *   cardFields={{ src: cardFieldScript }}
 * >
 *   <CardFields onToken={(token) => pay(token)} onError={report} />
 * </PaymentsProvider>
 *
 * @module
 */

export { CardFields, type CardFieldsProps } from './card-fields.ts';
export { PaymentsProvider } from './payments-context.ts';
export { type CardFieldsControls, useCardFields } from './use-card-fields.ts';
export { useGateway } from './use-gateway.ts';
