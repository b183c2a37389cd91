import type { Hooks } from 'payments-client';
import { openTelemetry } from 'payments-client/opentelemetry';
import { CardFields, PaymentsProvider, useCardFields, useGateway } from 'payments-client/react';

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

export const telemetry = openTelemetry();
export const hooks: Hooks = telemetry.hooks;

/** What a package exports again: each type in its declarations must have a name. */
export const again = { CardFields, PaymentsProvider, openTelemetry };
export const gatewayOf = () => useGateway();
export const fieldsOf = () => useCardFields({ onToken: () => {} });

// @ts-expect-error: what is done with the token is missing
export const wrongFields = () => CardFields({ src: 'https://payments.test/js/CollectJS.js' });
// @ts-expect-error: hooks are not text
export const wrongHooks: string = telemetry.hooks;
