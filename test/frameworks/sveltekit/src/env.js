import { defineEnvVars } from '@sveltejs/kit/env';

export const variables = defineEnvVars({
  PAYMENTS_BASE_URL: {},
  PAYMENTS_SECRET_KEY: {},
  PAYMENTS_WEBHOOK_SECRET: {},
});
