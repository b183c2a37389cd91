import { isRecord } from '../../base/json.ts';

/** The kinds whose fields hold secrets of the merchant. */
const withSecrets: readonly string[] = ['webhook_endpoint', 'api_key'];

const secretName = /secret|token|password|^key$/i;

/** An object as the dashboard may show it: the secrets of endpoints and API keys are replaced. */
export function withoutSecrets(kind: string, object: object): object {
  if (!withSecrets.includes(kind) || !isRecord(object)) return object;
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name, secretName.test(name) ? '[redacted]' : value]),
  );
}
