import { ConfigurationError } from '../../base/errors.ts';
import { callerOf } from './caller.ts';

/** A function that frameworks call. */
interface Guarded<Args extends unknown[], Result> {
  /** The name that users know it by. */
  readonly name: string;
  /** What it must be called with. */
  readonly expected: string;
  /** Whether it was called so. */
  fits(given: unknown[]): given is Args;
  /** The function itself. */
  run(...args: Args): Result;
}

/** Receives the error of each refused call. */
export type ReportMisuse = (error: ConfigurationError) => void;

/**
 * Refuses a call: many frameworks answer 200 or 404 by themselves where a handler returns something unexpected, so the
 * event would be lost. The request is answered with 500 where the arguments show how.
 *
 * @throws ConfigurationError where they do not.
 */
export function refuseCall(
  { name, expected }: { readonly name: string; readonly expected: string },
  given: readonly unknown[],
  report: ReportMisuse,
): unknown {
  const { gave, advice, fail } = callerOf(given);
  const issue = { path: name, expected, received: gave };
  const error = new ConfigurationError([issue], `No event was handled. ${advice}`);
  report(error);
  if (fail === undefined) throw error;
  return fail(error);
}

/** The function, which refuses arguments that are not its own. */
export function guard<Args extends unknown[], Result>(
  guarded: Guarded<Args, Result>,
  report: ReportMisuse,
): (...args: Args) => Result {
  return (...given) => {
    if (guarded.fits(given)) return guarded.run(...given);
    // The value is for a framework that the types leave out.
    return refuseCall(guarded, given, report) as Result;
  };
}

/** The same for a function that gives a promise, which is then rejected in place of a throw. */
export function guardAsync<Args extends unknown[], Result>(
  guarded: Guarded<Args, Promise<Result>>,
  report: ReportMisuse,
): (...args: Args) => Promise<Result> {
  const call = guard(guarded, report);
  return async (...given) => call(...given);
}
