import { ConfigurationError, type Issue } from '../base/errors.ts';
import { parseBaseUrl } from '../http/base-url.ts';
import { secretIssues } from '../http/secret.ts';
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

function keyIssues({ secretKey, securityKey }: ServiceOptions): readonly Issue[] {
  return [
    ...secretIssues('secretKey', 'PAYMENTS_SECRET_KEY', secretKey),
    ...(securityKey === '' ? [] : secretIssues('securityKey', 'PAYMENTS_SECURITY_KEY', securityKey)),
  ];
}

/**
 * A service, reached as a client of Node reaches it.
 *
 * @throws ConfigurationError when the address or a key is not one that a client takes.
 */
export function serviceAt(options: ServiceOptions): Service {
  const { baseUrl, secretKey, securityKey } = options;
  const parsed = parseBaseUrl(baseUrl, false);
  const issues = keyIssues(options);
  if ('path' in parsed) throw new ConfigurationError([parsed, ...issues], 'Nothing was sent.');
  if (issues.length > 0) throw new ConfigurationError(issues, 'Nothing was sent.');
  const runId = crypto.randomUUID();
  return { baseUrl: parsed, secretKey, securityKey, transport: nodeTransport(), runId, timeout };
}
