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

/** Loads a gateway in an effect, and again when an option has another value. Without options it loads nothing. */
export function useLoadedGateway(options: GatewayOptions | undefined): GatewayState {
  const [state, setState] = useState(loading);
  // Options are written anew at each rendering, so they are compared by what is in them.
  const key = JSON.stringify(options);
  useEffect(() => {
    if (key === undefined) return undefined;
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
