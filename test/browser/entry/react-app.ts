/** A shop in React for the test's page. */

import { CardFields, type CardFieldsControls, useGateway } from 'payments-client/react';
import { createElement, type ReactElement, StrictMode, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';

interface ShopProps {
  readonly environment: string;
  readonly src: string;
  readonly disabled?: boolean;
  readonly fontSize?: number;
  /** The `key` of the fields. */
  readonly attempt?: number;
  /** Whether errors go to the page. */
  readonly isDeaf?: boolean;
  /** Where the service is. Default: at the address of the page. */
  readonly baseUrl?: string;
}

/** The payment of a test. Default: none. */
declare global {
  var payment: ((token: string) => unknown) | undefined;
}

/** Records gateways, tokens and errors by the number of previous clicks. */
function Shop({
  environment,
  src,
  disabled,
  fontSize,
  attempt,
  isDeaf,
  baseUrl = location.origin,
}: ShopProps): ReactElement {
  const [clicks, setClicks] = useState(0);
  const controls = useRef<CardFieldsControls>(null);
  const { gateway, error } = useGateway({ baseUrl, apiKey: 'pk_1', environment });
  const state = error?.code ?? (gateway === undefined ? 'loading' : `loaded ${environment}`);
  const onToken = (token: string) => {
    notes.push(['token', token, clicks]);
    return globalThis.payment?.(token);
  };
  return createElement(
    'main',
    null,
    createElement('p', { role: 'status' }, state),
    createElement('button', { type: 'button', onClick: () => setClicks(clicks + 1) }, `${clicks} clicks`),
    createElement('button', { type: 'button', onClick: () => controls.current?.submit() }, 'Pay'),
    createElement(CardFields, {
      key: attempt,
      ref: controls,
      className: 'card',
      src,
      disabled,
      appearance: { fontSize },
      onToken,
      onReady: () => notes.push(['ready']),
      onError: isDeaf ? undefined : ({ code, cause }) => notes.push(['error', code, cause]),
    }),
  );
}

const root = createRoot(document.body.appendChild(document.createElement('div')));

/** Mounts and unmounts the shop. */
Object.assign(globalThis, {
  show: (props: ShopProps) => root.render(createElement(StrictMode, null, createElement(Shop, props))),
  hide: () => root.render(null),
});
