/** A shop in React, which a page of the test runs. */

import { CardFields, useGateway } from 'payments-client/react';
import { createElement, type ReactElement, StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';

interface ShopProps {
  readonly environment: string;
  readonly src: string;
}

/** Notes which gateways it saw, and which tokens and errors came, by the number of clicks until then. */
function Shop({ environment, src }: ShopProps): ReactElement {
  const [clicks, setClicks] = useState(0);
  const { gateway, error } = useGateway({ baseUrl: location.origin, apiKey: 'pk_1', environment });
  const state = error?.code ?? (gateway === undefined ? 'loading' : `loaded ${environment}`);
  return createElement(
    'main',
    null,
    createElement('p', { role: 'status' }, state),
    createElement('button', { type: 'button', onClick: () => setClicks(clicks + 1) }, `${clicks} clicks`),
    createElement(CardFields, {
      src,
      onToken: (token: string) => notes.push(['token', token, clicks]),
      onError: ({ code }) => notes.push(['error', code]),
    }),
  );
}

const root = createRoot(document.body.appendChild(document.createElement('div')));

/** Shows the shop, or takes it away. */
Object.assign(globalThis, {
  show: (props: ShopProps) => root.render(createElement(StrictMode, null, createElement(Shop, props))),
  hide: () => root.render(null),
});
