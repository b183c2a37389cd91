import { configurationError, type Issue } from '../base/errors.ts';
import { parseBaseUrl } from '../http/base-url.ts';
import { secretIssues } from '../http/secret.ts';
import { nodeTransport } from '../http/transport/node.node.ts';
import type { Service } from './sender.ts';

/** The URL and the keys of a service. */
export interface ServiceOptions {
  readonly baseUrl: string | undefined;
  readonly secretKey: string;
  /** Empty if the form endpoint is not probed. */
  readonly securityKey: string;
}

/** The timeout of one request, in ms: no question takes long. */
const timeout = 10_000;

function keyIssues({ secretKey, securityKey }: ServiceOptions): readonly Issue[] {
  return [
    ...secretIssues('secretKey', 'PAYMENTS_SECRET_KEY', secretKey),
    ...(securityKey === '' ? [] : secretIssues('securityKey', 'PAYMENTS_SECURITY_KEY', securityKey)),
  ];
}

/**
 * Creates a service with the connections of a Node client.
 *
 * @throws ConfigurationError when a client would refuse the URL or a key.
 */
export function serviceAt(options: ServiceOptions): Service {
  const { baseUrl, secretKey, securityKey } = options;
  const parsed = parseBaseUrl(baseUrl, false);
  const issues = keyIssues(options);
  if ('path' in parsed) throw configurationError([parsed, ...issues], 'Nothing was sent.');
  if (issues.length > 0) throw configurationError(issues, 'Nothing was sent.');
  const runId = crypto.randomUUID();
  return { baseUrl: parsed, secretKey, securityKey, transport: nodeTransport(), runId, timeout };
}
