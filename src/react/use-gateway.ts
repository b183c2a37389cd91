import { type BrowserError, type Gateway, type GatewayOptions, loadGateway } from 'payments-client/browser';
import { useEffect, useState } from 'react';

/** What {@link useGateway} gives. */
export interface GatewayState {
  /** The gateway; `undefined` until it is loaded, and while another one loads. */
  readonly gateway: Gateway | undefined;
  /** Why it could not be loaded; `undefined` where it could, or is still loading. */
  readonly error: BrowserError | undefined;
}

const loading: GatewayState = { gateway: undefined, error: undefined };

/**
 * Loads the service's browser script when the component is shown; on a server it loads nothing. It loads again when an option
 * has another value.
 *
 * @example
 * const { gateway, error } = useGateway({ baseUrl, apiKey: publicKey, environment: 'sandbox' });
 */
export function useGateway(options: GatewayOptions): GatewayState {
  const [state, setState] = useState(loading);
  // Options are written anew at each rendering, so they are compared by what is in them.
  const key = JSON.stringify(options);
  useEffect(() => {
    let isShown = true;
    const show = (next: GatewayState) => {
      if (isShown) setState(next);
    };
    show(loading);
    const given: GatewayOptions = JSON.parse(key);
    loadGateway(given).then(
      (gateway) => show({ gateway, error: undefined }),
      (error: BrowserError) => show({ gateway: undefined, error }),
    );
    return () => {
      isShown = false;
    };
  }, [key]);
  return state;
}
