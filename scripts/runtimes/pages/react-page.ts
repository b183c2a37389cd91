/** The same page, where React also loads the gateway: `visit` adds it to the result. */

import { useGateway } from 'payments-client/react';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { visit } from './page.ts';
import type { Visit, Visited } from './visit.ts';

interface CheckoutProps extends Visit {
  readonly onLoad: () => void;
}

function Checkout({ baseUrl, publicKey, onLoad }: CheckoutProps) {
  const { gateway } = useGateway({ baseUrl, apiKey: publicKey, environment: 'sandbox' });
  if (gateway !== undefined) onLoad();
  return null;
}

function render(told: Visit): Promise<void> {
  return new Promise((resolve) => {
    createRoot(document.body).render(createElement(Checkout, { ...told, onLoad: resolve }));
  });
}

async function visitWithReact(told: Visit): Promise<Visited> {
  await render(told);
  return visit(told);
}

Object.assign(globalThis, { visit: visitWithReact });
