/** Two checkouts in React on one page, each with its own pay button. */

import { PaymentsProvider, useCardFields, useGateway } from 'payments-client/react';
import { createElement, Fragment, type ReactElement, StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';

interface CheckoutProps {
  readonly name: string;
  readonly hasButton: boolean;
}

/** Records each token. The test completes the payment. */
function Checkout({ name, hasButton }: CheckoutProps): ReactElement {
  const { gateway } = useGateway();
  const card = useCardFields({
    button: hasButton,
    disabled: gateway === undefined,
    onToken: (token) => {
      notes.push([name, token]);
      return new Promise((resolve) => Object.assign(globalThis, { finish: resolve }));
    },
  });
  const { complete, brand } = card.change;
  const isReady = gateway !== undefined && card.status === 'ready';
  return createElement(
    'section',
    { 'aria-label': name },
    createElement('div', { ref: card.ref }),
    createElement('p', null, `${card.status} ${complete ? 'complete' : 'incomplete'} ${brand ?? 'no brand'}`),
    createElement('button', { type: 'button', disabled: !isReady, onClick: card.submit }, 'Pay'),
    createElement('button', { type: 'button', onClick: card.clear }, 'Clear'),
    createElement('button', { type: 'button', onClick: card.focus }, 'Focus'),
  );
}

/** The page, rendered on the server too. */
export function App({
  baseUrl,
  apiKey,
}: {
  readonly baseUrl: string;
  readonly apiKey: string;
}): ReactElement {
  const payments = {
    gateway: { baseUrl, apiKey, environment: 'sandbox' },
    cardFields: { src: `${baseUrl}/js/CollectJS.js` },
  };
  const checkouts = createElement(
    Fragment,
    null,
    createElement('h1', null, 'Tea shop'),
    createElement(Checkout, { name: 'mine', hasButton: false }),
    createElement(Checkout, { name: 'gift', hasButton: true }),
  );
  return createElement(StrictMode, null, createElement(PaymentsProvider, payments, checkouts));
}

Object.assign(globalThis, {
  hydrate: (root: Element, baseUrl: string, apiKey: string) =>
    hydrateRoot(root, createElement(App, { baseUrl, apiKey }), {
      onRecoverableError: (error) => notes.push(['recovered', String(error)]),
    }),
});
