/** The files that are written from the code. */

import { writeApiIndex } from './api-index.ts';
import { writeBehaviourPage } from './behaviour-page.ts';
import { writeControlPage } from './control-page.ts';
import { writeInterfaceSchema } from './interface-schema.ts';
import { writeReadme, writeReliabilityPage } from './measured.ts';
import { writeOpenApi } from './openapi.ts';
import { writeOptionsPage } from './options-page.ts';
import { writeShellCommands } from './shell-commands.ts';
import { writeProbePage, writeShellPage } from './shell-page.ts';
import { writeDeployingPage } from './tested-versions.ts';
import { writeVersion } from './version.ts';

/** The text of each committed file, by its path, in the order in which they are written: a page needs the commands before it. */
export const generatedFiles: Readonly<Record<string, () => string | Promise<string>>> = {
  'src/base/runtime/version.ts': writeVersion,
  'docs/api.md': writeApiIndex,
  'docs/options.md': writeOptionsPage,
  'docs/deploying.md': writeDeployingPage,
  'docs/sandbox-behaviour.md': writeBehaviourPage,
  'docs/sandbox-control.md': writeControlPage,
  'sandbox/src/shell/shell-commands.ts': writeShellCommands,
  'docs/sandbox-shell.md': writeShellPage,
  'docs/probe.md': writeProbePage,
  'docs/reliability.md': writeReliabilityPage,
  'README.md': writeReadme,
};

/** The text of each file of the build. */
export const builtFiles: Readonly<Record<string, () => string | Promise<string>>> = {
  'dist/openapi.json': writeOpenApi,
  'dist/interface.schema.json': writeInterfaceSchema,
};
