import type { Issue } from 'payments-client';
import { refuse } from '../base/refuse.ts';
import { parseBaseUrl, secretIssues } from '../sdk.ts';
import { connectTo } from './connection.node.ts';
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
 * Creates a service with connections of its own.
 *
 * @throws ConfigurationError when a client would refuse the URL or a key.
 */
export function serviceAt(options: ServiceOptions): Service {
  const { baseUrl, secretKey, securityKey } = options;
  const parsed = parseBaseUrl(baseUrl, false);
  const issues = keyIssues(options);
  if ('path' in parsed) return refuse([parsed, ...issues], 'Nothing was sent.');
  if (issues.length > 0) refuse(issues, 'Nothing was sent.');
  const runId = crypto.randomUUID();
  return { baseUrl: parsed, secretKey, securityKey, send: connectTo(parsed.origin), runId, timeout };
}
