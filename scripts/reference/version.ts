/** Writes the version of the manifest into the code. */

import manifest from '../../package.json' with { type: 'json' };

export function writeVersion(): string {
  return `/** The version of this package, as in its package.json. */
export const version: string = '${manifest.version}';
`;
}
