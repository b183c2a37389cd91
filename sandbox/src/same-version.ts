import { ConfigurationError, version as found } from 'payments-client';
import { version } from './sdk.ts';

/**
 * Refuses to run beside another version of the SDK, whose data the sandbox was not built with.
 *
 * @throws ConfigurationError that names both versions.
 */
export function requireSameVersion(): void {
  if (found === version) return;
  throw new ConfigurationError(
    `payments-client-sandbox ${version}: expected payments-client ${version}, got ${found}. Install the sandbox of that version: npm install --save-dev payments-client-sandbox@${found}`,
  );
}
