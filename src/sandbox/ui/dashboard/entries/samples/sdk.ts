import type { RecordedRequest } from '../../../../stories/entry.ts';
import { fieldsOf } from './body.ts';
import { literalOf } from './literal.ts';

/** Methods that take an id and no parameters. */
const withoutParameters = /\.(?:retrieve|delete|restore|expire|expand|void|cancel)$|^refunds\.retry$/;
/** Methods that take no id. */
const withoutId = /\.(?:create|list|submit)$/;

/** Returns the id in a path: `/v1/refunds/rf_1/retry` has `rf_1`. */
function idIn(path: string): string {
  const [, , second = '', third = '', fourth = ''] = path.split('/');
  return decodeURIComponent(second === 'checkout' ? fourth : third);
}

function parametersOf(request: RecordedRequest): object {
  const { query } = request;
  const values = [...new URLSearchParams(query)].map(([name, value]) => [
    name,
    name === 'limit' || name === 'offset' ? Number(value) : value,
  ]);
  const { security_key: _, ...fields } = { security_key: undefined, ...fieldsOf(request) };
  return { ...Object.fromEntries(values), ...fields };
}

function optionsOf({ operationId, idempotencyKey }: RecordedRequest): object | undefined {
  if (operationId !== null) return { operationId };
  return idempotencyKey === null ? undefined : { idempotencyKey };
}

/** Returns the SDK call that sends a request, without `await`; `undefined` if no method sends it. */
export function callOf(request: RecordedRequest, indent = ''): string | undefined {
  const { operation, path } = request;
  if (operation === null || !(path.startsWith('/v1/') || operation === 'transact.submit')) return undefined;
  const parameters = parametersOf(request);
  const isEmptyList = operation.endsWith('.list') && Object.keys(parameters).length === 0;
  const options = optionsOf(request);
  const values = [
    ...(withoutId.test(operation) ? [] : [idIn(path)]),
    ...(withoutParameters.test(operation) || (isEmptyList && options === undefined) ? [] : [parameters]),
    ...(options === undefined ? [] : [options]),
  ];
  return `payments.${operation}(${values.map((value) => literalOf(value, indent)).join(', ')})`;
}

/** Returns a request as an SDK program; `undefined` if no method sends it. */
export function sdkOf(request: RecordedRequest, origin: string): string | undefined {
  const call = callOf(request);
  if (call === undefined) return undefined;
  return `import { PaymentsClient } from 'payments-client';

// The keys come from PAYMENTS_SECRET_KEY and PAYMENTS_SECURITY_KEY.
const payments = new PaymentsClient({ baseUrl: ${literalOf(origin)} });

const result = await ${call};
`;
}
