import type { RequestFault } from '../../../../api/faults/fault.ts';
import type { RecordedRequest } from '../../../../stories/entry.ts';
import { errorOf } from '../reply-error.ts';
import { literalOf } from './literal.ts';
import { callOf } from './sdk.ts';

function nameOf({ operation, operationId, fault }: RecordedRequest): string {
  const of = operationId === null ? '' : ` of ${operationId}`;
  return `${operation}${of}${fault === null ? '' : `, with the fault ${fault.kind}`}`;
}

/** Returns a fault without its conditions, since the test sends one request only. */
function withoutTarget({
  operation: _,
  route: __,
  skip: ___,
  probability: ____,
  ...fault
}: RequestFault): object {
  return 'times' in fault ? { ...fault, times: 1 } : fault;
}

/** Returns the assertion that expects the recorded result. */
function expectationOf(request: RecordedRequest, call: string): string {
  const { reply, arrived, fault } = request;
  if (fault?.kind === 'drop_reply')
    return `await expect(${call}).rejects.toMatchObject({ outcome: 'unknown' });`;
  if (reply === null || !arrived) return `await expect(${call}).rejects.toThrow();`;
  if (reply.status < 400) return `await expect(${call}).resolves.toBeDefined();`;
  const { code } = errorOf(request) ?? {};
  const expected = { status: reply.status, ...(code === undefined ? {} : { code }) };
  return `await expect(${call}).rejects.toMatchObject(${literalOf(expected)});`;
}

/** Returns a test that sends a request to its own sandbox; `undefined` if no method sends it. */
export function vitestOf(request: RecordedRequest): string | undefined {
  const call = callOf(request, '  ');
  if (call === undefined) return undefined;
  const { fault } = request;
  const inject = fault === null ? '' : `  sandbox.faults.inject(${literalOf(withoutTarget(fault), '  ')});\n`;
  return `import { createTestClient } from 'payments-client/testing';
import { expect, test } from 'vitest';

test(${literalOf(nameOf(request))}, async () => {
  // Create the objects that the call names first.
  const { payments${fault === null ? '' : ', sandbox'} } = createTestClient();
${inject}  ${expectationOf(request, call)}
});
`;
}
