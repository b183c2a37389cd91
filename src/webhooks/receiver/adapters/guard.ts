import { type ConfigurationError, configurationError } from '../../../base/errors.ts';
import { callerOf } from './caller.ts';

/** A function that frameworks call. */
interface Guarded<Args extends unknown[], Result> {
  /** The public name of the function. */
  readonly name: string;
  /** The arguments that it expects. */
  readonly expected: string;
  /** Returns whether the arguments are the expected ones. */
  fits(given: unknown[]): given is Args;
  /** The function itself. */
  run(...args: Args): Promise<Result>;
}

/** Reports the error of each refused call. */
type ReportMisuse = (error: ConfigurationError) => void;

/**
 * Refuses a call. Many frameworks answer 200 or 404 when a handler returns something unexpected, so the event would be
 * lost. Answers the request with 500 where the arguments allow it.
 *
 * @throws ConfigurationError otherwise.
 */
export function refuseCall(
  { name, expected }: { readonly name: string; readonly expected: string },
  given: readonly unknown[],
  report: ReportMisuse,
): unknown {
  const { gave, advice, fail } = callerOf(given);
  const issue = { path: name, expected, received: gave };
  const error = configurationError([issue], `No event was handled. ${advice}`);
  report(error);
  if (fail === undefined) throw error;
  return fail(error);
}

/** Wraps a function so that it refuses arguments of other frameworks: rejects instead of throwing. */
export function guard<Args extends unknown[], Result>(
  guarded: Guarded<Args, Result>,
  report: ReportMisuse,
): (...args: Args) => Promise<Result> {
  const run = async (...given: Args | unknown[]): Promise<Result> => {
    if (guarded.fits(given)) return guarded.run(...given);
    // The return value serves a framework outside the types.
    return (await refuseCall(guarded, given, report)) as Result;
  };
  // Frameworks choose what to pass by the number of parameters.
  return Object.defineProperty(run, 'length', { value: guarded.run.length });
}
