import { BrowserError, type CardFieldsOptions, type GatewayOptions } from 'payments-client/browser';
import { createContext, createElement, type ReactElement, type ReactNode } from 'react';
import { type GatewayState, useLoadedGateway } from './loaded-gateway.ts';

/** The properties of {@link PaymentsProvider}. */
type PaymentsProviderProps = {
  /** The gateway that `useGateway()` returns. Default: none, and nothing is loaded. */
  readonly gateway?: GatewayOptions | undefined;
  /** The card-field script of every `CardFields` and `useCardFields` below without a `src`. Default: none. */
  readonly cardFields?: CardFieldsOptions | undefined;
  /** The part of the page that takes payments. */
  readonly children?: ReactNode;
};

interface Payments {
  readonly gateway: GatewayState;
  readonly cardFields: CardFieldsOptions | undefined;
}

const noGateway: GatewayState = {
  gateway: undefined,
  error: new BrowserError(
    'useGateway: expected options, or a PaymentsProvider with gateway around it, got neither. Pass one of them.',
    { code: 'invalid_option' },
  ),
};

/** The value of the nearest provider. */
export const PaymentsContext = createContext<Payments>({ gateway: noGateway, cardFields: undefined });

/**
 * Configures the service's scripts for a part of the page. It loads the gateway when it mounts, so that the gateway is
 * ready when the buyer needs it.
 *
 * @example
 * <PaymentsProvider
 *   gateway={{ baseUrl, apiKey: publicKey, environment: 'sandbox' }}
 *   cardFields={{ src: cardFieldScript }}
 * >
 *   <Checkout />
 * </PaymentsProvider>
 */
export function PaymentsProvider({ gateway, cardFields, children }: PaymentsProviderProps): ReactElement {
  const loaded = useLoadedGateway(gateway);
  const value = { gateway: gateway === undefined ? noGateway : loaded, cardFields };
  return createElement(PaymentsContext.Provider, { value }, children);
}
