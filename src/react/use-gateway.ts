import type { GatewayOptions } from 'payments-client/browser';
import { useContext } from 'react';
import { type GatewayState, useLoadedGateway } from './loaded-gateway.ts';
import { PaymentsContext } from './payments-context.ts';

/**
 * Gives the gateway of the nearest `PaymentsProvider`; with options, one of its own. It loads when the component is shown; on a
 * server it loads nothing. It loads again when an option has another value.
 *
 * @param options Default: those of the provider. Without both, `error` says so.
 *
 * @example
 * const { gateway, error } = useGateway();
 */
export function useGateway(options?: GatewayOptions): GatewayState {
  const shared = useContext(PaymentsContext).gateway;
  const own = useLoadedGateway(options);
  return options === undefined ? shared : own;
}
