import type { GatewayOptions } from 'payments-client/browser';
import { useContext } from 'react';
import { type GatewayState, useLoadedGateway } from './loaded-gateway.ts';
import { PaymentsContext } from './payments-context.ts';

/**
 * Returns the gateway of the nearest `PaymentsProvider`; with options, a separate gateway. It loads when the component
 * mounts, and reloads when an option changes. On a server it loads nothing.
 *
 * @param options Default: the provider's. Without either, `error` is set.
 *
 * @example
 * const { gateway, error } = useGateway();
 */
export function useGateway(options?: GatewayOptions): GatewayState {
  const shared = useContext(PaymentsContext).gateway;
  const own = useLoadedGateway(options);
  return options === undefined ? shared : own;
}
