import { isolate } from './functions.ts';
import { type FieldsOf, functionOf } from './schema/options.ts';
import { lazily, object, optional } from './schema/schema.ts';

/** Writes one line. */
type WriteLine = ((message: string, fields: Record<string, unknown>) => unknown) | undefined;

/**
 * Where log lines go: pass `console`, a pino logger or a winston logger unchanged. A pino logger gets the fields first; its
 * `Symbol.for('pino.serializers')` identifies it. Fields contain no secrets, card data or bodies.
 */
export interface Logger {
  /** Each attempt, response and retry of a call; each webhook delivery that needs no attention. */
  readonly debug?: WriteLine;
  /** Each webhook delivery that was refused; the corrections of an `interface` file. */
  readonly info?: WriteLine;
  /**
   * A hook that threw; parameters, a response or an event accepted though they do not match their schema; a page whose cursor is not
   * the id of its last item; a result that the journal could not record; a failover of its store; a webhook delivery that could not be read.
   */
  readonly warn?: WriteLine;
  /** Each call and each webhook delivery that failed, in one line. */
  readonly error?: WriteLine;
}

/** The levels of a logger, lowest first. */
export const logLevels = ['debug', 'info', 'warn', 'error'] as const satisfies (keyof Logger)[];

const write = () => optional(functionOf<NonNullable<WriteLine>>());
const loggerFields = (): FieldsOf<Logger> => ({
  debug: write(),
  info: write(),
  warn: write(),
  error: write(),
});

/** The schema of the option `logger`. */
export const loggerSchema = /* @__PURE__ */ lazily(() =>
  optional(object(loggerFields(), 'an object with functions such as console')),
);

/** Writes a line, in the order of arguments that the logger takes. Never throws. */
export function writeLine(
  logger: Logger | undefined,
  level: keyof Logger,
  message: string,
  fields: object,
): void {
  isolate(() => {
    const log = logger?.[level];
    if (logger === undefined || log === undefined) return undefined;
    const isPino = Symbol.for('pino.serializers') in logger;
    return Reflect.apply(log, logger, isPino ? [fields, message] : [message, fields]);
  });
}
