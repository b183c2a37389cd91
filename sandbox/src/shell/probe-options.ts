import { ConfigurationError } from 'payments-client';
import { environmentVariable } from '../base/environment.ts';
import { type Need, type Service, type ServiceOptions, serviceAt } from '../probe/index.node.ts';
import { UsageProblem } from './problems.ts';
import { testKeyPrefix } from './sandbox-keys.ts';

/** The options of `probe`. */
export interface ProbeGiven {
  readonly baseUrl?: string;
  readonly create?: boolean;
  readonly form?: boolean;
  /** Includes `form`. */
  readonly sale?: boolean;
  /** The file of a recorded delivery; true waits for a delivery. */
  readonly webhook?: string | true;
  readonly webhookPort?: number;
  readonly out?: string;
  readonly force?: boolean;
  readonly dryRun?: boolean;
  readonly maxRequests?: number;
  readonly pace?: number;
}

/** The program's options and variables, by the client's options. */
const names: Readonly<Record<string, string>> = {
  baseUrl: '--base-url',
  secretKey: 'PAYMENTS_SECRET_KEY',
  securityKey: 'PAYMENTS_SECURITY_KEY',
};

/** An advice of the client that does not apply to the program. */
const optionOfClient = ', or with allowInsecure: true';

/** Returns a secret. No option takes one, since other users can read the arguments of a process. */
export function requiredSecret(variable: string, what: string): string {
  const found = environmentVariable(variable);
  if (found !== undefined) return found;
  throw new UsageProblem(
    `expected ${what} in ${variable}, got nothing. Set it, or pass a file that sets it with --env.`,
  );
}

function requiredAddress({ baseUrl = environmentVariable('PAYMENTS_BASE_URL') }: ProbeGiven): string {
  if (baseUrl !== undefined) return baseUrl;
  throw new UsageProblem('expected an address, as --base-url or in PAYMENTS_BASE_URL, got nothing.');
}

/** Returns the key of the form endpoint; empty if it is not probed. */
function securityKeyFor({ form, sale }: ProbeGiven): string {
  if (!form && !sale) return '';
  return requiredSecret('PAYMENTS_SECURITY_KEY', `a security key with ${sale ? '--sale' : '--form'}`);
}

/** Returns the options for reaching the service. */
export function serviceOptions(given: ProbeGiven): ServiceOptions {
  const secretKey = requiredSecret('PAYMENTS_SECRET_KEY', 'a secret key');
  const writing = given.sale ? '--sale' : given.create ? '--create' : undefined;
  if (writing !== undefined && !secretKey.startsWith(testKeyPrefix)) {
    throw new UsageProblem(`expected a test key with ${writing}, got another key.`);
  }
  return {
    // Listing the requests needs no URL.
    baseUrl: given.dryRun ? undefined : requiredAddress(given),
    secretKey,
    securityKey: securityKeyFor(given),
  };
}

/**
 * Returns the service.
 *
 * @throws UsageProblem when a client would refuse its URL or a key.
 */
export function serviceOf(options: ServiceOptions): Service {
  try {
    return serviceAt(options);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const problems = error.issues.map(
      ({ path, expected, received }) =>
        `expected ${names[path] ?? path} to be ${expected.replace(optionOfClient, '')}, got ${received}`,
    );
    throw new UsageProblem(`${problems.join('; ')}.`);
  }
}

/** Returns the keys that the program must not print, those included that this run does not send. */
export function keysOfUser({ secretKey, securityKey }: ServiceOptions): readonly string[] {
  const others = ['PAYMENTS_SECURITY_KEY', 'PAYMENTS_WEBHOOK_SECRET'].map(environmentVariable);
  return [secretKey, securityKey, ...others].flatMap((key) => key || []);
}

/** Returns what the probe may do in addition to reads. */
export function allowed(
  { create, form, sale }: ProbeGiven,
  { secretKey }: ServiceOptions,
): ReadonlySet<Need> {
  const allows = new Set<Need>();
  if (secretKey.startsWith(testKeyPrefix)) allows.add('a test key');
  if (create) allows.add('--create');
  if (form || sale) allows.add('--form');
  if (sale) allows.add('--sale');
  return allows;
}
