import type { RecordedRequest } from '../stories/entry.ts';

/** The placeholder of a redacted secret. */
const redacted = '[redacted]';
/** Headers that the caller chose. The HTTP client adds the others, or they hold a secret. */
const shownHeaders: readonly string[] = ['content-type', 'idempotency-key'];

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Returns the body with the form's key read from the environment, since the key is not recorded. */
function dataOf(body: string): string {
  const [before, ...rest] = body.split(/(?<=security_key=)(?:\[redacted\]|%5Bredacted%5D)/i);
  return [quoted(before ?? ''), ...rest.map((part) => `"$PAYMENTS_SECURITY_KEY"${quoted(part)}`)].join('');
}

/** Returns a request as a curl command. Keys come from the environment. */
export function curlOf(recorded: RecordedRequest, origin: string): string {
  const { method, path, query, idempotencyKey, request, operation } = recorded;
  const headers = {
    ...request.headers,
    ...(idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey }),
  };
  const lines = [
    `curl -X ${method} ${quoted(`${origin}${path}${query === '' ? '' : `?${query}`}`)}`,
    ...(operation?.startsWith('transact.') ? [] : ['-H "Authorization: Bearer $PAYMENTS_SECRET_KEY"']),
    ...Object.entries(headers)
      .filter(([name, value]) => shownHeaders.includes(name) && value !== redacted)
      .map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(request.body === null || request.body === '' ? [] : [`--data-raw ${dataOf(request.body)}`]),
  ];
  return lines.join(' \\\n  ');
}
