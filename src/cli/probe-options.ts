import { ConfigurationError } from '../base/errors.ts';
import { environmentVariable } from '../base/runtime.ts';
import { type Need, type Service, type ServiceOptions, serviceAt } from '../probe/index.node.ts';
import { UsageProblem } from './problems.ts';
import { testKeyPrefix } from './sandbox-keys.ts';

/** The options of `probe`. */
export interface ProbeGiven {
  readonly baseUrl?: string;
  readonly secretKey?: string;
  readonly securityKey?: string;
  readonly webhookSecret?: string;
  readonly create?: boolean;
  readonly form?: boolean;
  /** The file of a recorded delivery, or true to wait for one. */
  readonly webhook?: string | true;
  readonly webhookPort?: number;
  readonly out?: string;
  readonly dryRun?: boolean;
  readonly maxRequests?: number;
  readonly pace?: number;
  readonly json?: boolean;
}

/** The options of the program, by the options of a client. */
const optionNames: Readonly<Record<string, string>> = {
  baseUrl: '--base-url',
  secretKey: '--secret-key',
  securityKey: '--security-key',
};

/** What a client can be told, and the program cannot. */
const optionOfClient = ', or with allowInsecure: true';

/** Returns a value of the command line, or of the environment. */
export function required(value: string | undefined, variable: string, what: string): string {
  const found = value ?? environmentVariable(variable);
  if (found !== undefined) return found;
  throw new UsageProblem(`expected ${what}, as an option or in ${variable}, got nothing.`);
}

/** Returns what reaches the service. */
export function serviceOptions(given: ProbeGiven): ServiceOptions {
  const secretKey = required(given.secretKey, 'PAYMENTS_SECRET_KEY', 'a --secret-key');
  if (given.create && !secretKey.startsWith(testKeyPrefix)) {
    throw new UsageProblem('expected a test key with --create, got another one.');
  }
  return {
    // The list of requests needs no address.
    baseUrl: given.dryRun ? undefined : required(given.baseUrl, 'PAYMENTS_BASE_URL', 'a --base-url'),
    secretKey,
    securityKey: given.form
      ? required(given.securityKey, 'PAYMENTS_SECURITY_KEY', 'a --security-key with --form')
      : '',
  };
}

/**
 * Returns the service.
 *
 * @throws UsageProblem when a client would not take its address or a key.
 */
export function serviceOf(options: ServiceOptions): Service {
  try {
    return serviceAt(options);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const problems = error.issues.map(
      ({ path, expected, received }) =>
        `expected ${optionNames[path] ?? path} to be ${expected.replace(optionOfClient, '')}, got ${received}`,
    );
    throw new UsageProblem(`${problems.join('; ')}.`);
  }
}

/** Returns what the probe may do beyond reads. */
export function allowed({ create, form }: ProbeGiven, { secretKey }: ServiceOptions): ReadonlySet<Need> {
  const allows = new Set<Need>();
  if (secretKey.startsWith(testKeyPrefix)) allows.add('a test key');
  if (create) allows.add('--create');
  if (form) allows.add('--form');
  return allows;
}
