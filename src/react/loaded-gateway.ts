import { type BrowserError, type Gateway, type GatewayOptions, loadGateway } from 'payments-client/browser';
import { useEffect, useState } from 'react';
import type { Inline } from '../base/runtime/runtime.ts';

/** The result of {@link useGateway}. */
export type GatewayState = Inline<{
  /** The gateway; `undefined` until it is loaded, and while another gateway loads. */
  readonly gateway: Gateway | undefined;
  /** Why loading failed; `undefined` otherwise. */
  readonly error: BrowserError | undefined;
}>;

const loading: GatewayState = { gateway: undefined, error: undefined };

/** Loads a gateway in an effect, and reloads it when an option changes. Without options it loads nothing. */
export function useLoadedGateway(options: GatewayOptions | undefined): GatewayState {
  const [state, setState] = useState(loading);
  // Options are new objects at each render, so they are compared by value.
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
