import { isRecord } from '../../base/json.ts';

/** A verified delivery as a queue keeps it: JSON. A later version of this package reads it too. */
export interface WebhookJob {
  /** The body as the service sent it. */
  readonly body: string;
  /** The scope of the endpoint whose secret signed it; absent where the secrets have no scopes. */
  readonly scope?: string | undefined;
  /** When it was received, ISO 8601. */
  readonly receivedAt: string;
}

/** Whether a worker got a job. An event has other fields. */
export function isJob(value: unknown): value is WebhookJob {
  if (!isRecord(value) || 'type' in value) return false;
  const { body, scope, receivedAt } = value;
  return (
    typeof body === 'string' &&
    typeof receivedAt === 'string' &&
    (scope === undefined || typeof scope === 'string')
  );
}
