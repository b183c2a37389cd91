import { isIntegerFrom, maxTimer } from '../../base/integer.ts';
import type { Fault } from '../faults.ts';
import { refuseUnknownOptions } from '../known-options.ts';
import { formPath, routeNames } from '../operation.ts';
import { fieldsOf } from './fields.ts';
import { idempotencyCodes } from './idempotency-errors.ts';
import { faultKinds } from './stage.ts';

function expect(fits: boolean, what: string): void {
  if (!fits) throw new RangeError(`faults.inject: expected ${what}.`);
}

function areHeaders(headers: Readonly<Record<string, string>>): boolean {
  try {
    new Headers(headers);
    return true;
  } catch {
    return false;
  }
}

/** A fault that names nothing that there is would wait for ever without a word. */
function checkTarget(fault: Fault): void {
  const { kind, operation, route, skip = 0, probability = 1 } = fault;
  expect(faultKinds.includes(kind), `kind to be one of ${faultKinds.join(', ')}; got '${kind}'`);
  refuseUnknownOptions('faults.inject', fault, fieldsOf(kind));
  const known: readonly (string | undefined)[] = [undefined, 'transact.submit', ...routeNames];
  expect(known.includes(operation), `an operation such as 'refunds.create', got '${operation}'`);
  const isRoute = route === undefined || /^[A-Z]+ \/\S*$/.test(route);
  expect(isRoute, `a route such as 'POST ${formPath}', got '${route}'`);
  expect(isIntegerFrom(skip, 0), 'skip to be an integer from 0');
  expect(probability >= 0 && probability <= 1, 'probability to be a number from 0 to 1');
}

function checkReply(fault: Fault): void {
  if (fault.kind === 'respond') {
    const { status, headers = {} } = fault;
    expect(isIntegerFrom(status, 200, 599), 'a status from 200 to 599');
    expect(areHeaders(headers), 'headers that HTTP allows');
  }
  if (fault.kind === 'idempotency_error') {
    expect(idempotencyCodes.includes(fault.code), `code to be one of ${idempotencyCodes.join(', ')}`);
  }
  if ('retryAfter' in fault && fault.retryAfter !== undefined) {
    const { retryAfter } = fault;
    const fits = typeof retryAfter === 'number' ? isIntegerFrom(retryAfter, 0) : areHeaders({ retryAfter });
    expect(fits, 'retryAfter to be whole seconds from 0, or a date');
  }
}

/**
 * Checks a fault, which may have come as JSON.
 *
 * @throws RangeError when a field is out of bounds, or names nothing that there is.
 */
export function checkFault(fault: Fault): void {
  checkTarget(fault);
  checkReply(fault);
  const { times = 1 } = 'times' in fault ? fault : {};
  expect(
    times === Number.POSITIVE_INFINITY || isIntegerFrom(times, 1),
    'times to be an integer from 1, or Infinity',
  );
  const { ms = fault.kind === 'latency' ? Number.NaN : 0 } = 'ms' in fault ? fault : {};
  if (fault.kind === 'latency' || 'ms' in fault) {
    expect(ms >= 0 && ms <= maxTimer, `ms to be a number from 0 to ${maxTimer}`);
  }
}
