import type { Hooks } from 'payments-client';
import { openTelemetry } from 'payments-client/opentelemetry';
import { CardFields, useGateway } from 'payments-client/react';

export function checkout(): unknown {
  const { gateway } = useGateway({
    baseUrl: 'https://payments.test',
    apiKey: 'pk_1',
    environment: 'sandbox',
  });
  return CardFields({
    src: 'https://payments.test/js/CollectJS.js',
    onToken: (token) => gateway?.risk ?? token,
  });
}

export const hooks: Hooks = openTelemetry();

// @ts-expect-error: what is done with the token is missing
export const wrongFields = () => CardFields({ src: 'https://payments.test/js/CollectJS.js' });
// @ts-expect-error: hooks are not text
export const wrongHooks: string = openTelemetry();
