import { ConfigurationError } from '../base/errors.ts';
import { parseBaseUrl } from '../http/base-url.ts';
import { nodeTransport } from '../http/transport/node.node.ts';
import type { Service } from './sender.ts';

/** Where a service is, and what lets in. */
export interface ServiceOptions {
  readonly baseUrl: string | undefined;
  readonly secretKey: string;
  /** Empty where the form endpoint is not asked. */
  readonly securityKey: string;
}

/** Bound on one request, in ms: nothing that is asked for takes long. */
const timeout = 10_000;

/**
 * A service, reached as a client of Node reaches it.
 *
 * @throws ConfigurationError when the address is missing, or not one that a client takes.
 */
export function serviceAt({ baseUrl, secretKey, securityKey }: ServiceOptions): Service {
  const parsed = parseBaseUrl(baseUrl, false);
  if ('path' in parsed) throw new ConfigurationError([parsed], 'Give --base-url.');
  const runId = crypto.randomUUID();
  return { baseUrl: parsed, secretKey, securityKey, transport: nodeTransport(), runId, timeout };
}
