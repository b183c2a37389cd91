import type { PaymentsError } from 'payments-client';

type ErrorClass<E> = abstract new (...args: never[]) => E;

/** Returns the error of a call, after checking its class. */
export async function failureOf<E extends PaymentsError>(
  call: PromiseLike<unknown>,
  type: ErrorClass<E>,
): Promise<E> {
  const error = await Promise.resolve(call).then(
    (value) => new Error(`expected a ${type.name}, got a value: ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  if (error instanceof type) return error;
  throw error;
}
