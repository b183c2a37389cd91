/** The page of `page.ts`, where React loads the gateway first. */

import { useGateway } from 'payments-client/react';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { visit } from './page.ts';
import type { VisitInput, VisitResult } from './visit.ts';

interface CheckoutProps extends VisitInput {
  readonly onLoad: () => void;
}

function Checkout({ baseUrl, publicKey, onLoad }: CheckoutProps) {
  const { gateway } = useGateway({ baseUrl, apiKey: publicKey, environment: 'sandbox' });
  if (gateway !== undefined) onLoad();
  return null;
}

function render(input: VisitInput): Promise<void> {
  return new Promise((resolve) => {
    createRoot(document.body).render(createElement(Checkout, { ...input, onLoad: resolve }));
  });
}

async function visitWithReact(input: VisitInput): Promise<VisitResult> {
  await render(input);
  return visit(input);
}

Object.assign(globalThis, { visit: visitWithReact });
