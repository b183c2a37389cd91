import { invalidParameter } from '../domain/problem.ts';
import { meantBy } from '../sdk.ts';
import { reconcileCommand, settleCommand } from './batch-commands.ts';
import { authenticateCommand, tokenizeCommand } from './card-commands.ts';
import { advanceCommand } from './clock-command.ts';
import type { Command } from './command.ts';
import { demoCommand } from './demo-command.ts';
import { clearCommand, injectCommand, withdrawCommand } from './fault-commands.ts';
import { addCommand, updateCommand } from './object-commands.ts';
import { payCommand } from './pay-command.ts';
import { repeatCommand, sendCommand } from './request-commands.ts';
import { resetCommand, restoreCommand, seedCommand, snapshotCommand } from './state-commands.ts';
import { triggerCommand } from './trigger-command.ts';
import { visitCommand } from './visit-command.ts';
import {
  addEndpointCommand,
  deleteEndpointCommand,
  disableEndpointCommand,
  dropSecretsCommand,
  enableEndpointCommand,
  listEndpointsCommand,
  redeliverCommand,
  replayCommand,
  rotateCommand,
} from './webhook-commands.ts';

/** A command as it looks from outside: its arguments are checked when it performs. */
export type AnyCommand = Pick<
  Command,
  'name' | 'help' | 'args' | 'isInShell' | 'hasSteps' | 'runWith' | 'perform' | 'performInSteps'
>;

/** Every action on a sandbox, in the order of the help. */
export const commands: readonly AnyCommand[] = [
  payCommand,
  triggerCommand,
  visitCommand,
  tokenizeCommand,
  authenticateCommand,
  settleCommand,
  reconcileCommand,
  addCommand,
  updateCommand,
  advanceCommand,
  injectCommand,
  withdrawCommand,
  clearCommand,
  listEndpointsCommand,
  addEndpointCommand,
  enableEndpointCommand,
  disableEndpointCommand,
  deleteEndpointCommand,
  rotateCommand,
  dropSecretsCommand,
  replayCommand,
  redeliverCommand,
  snapshotCommand,
  restoreCommand,
  seedCommand,
  demoCommand,
  resetCommand,
  repeatCommand,
  sendCommand,
];

const byName = new Map(commands.map((command) => [command.name, command]));

/**
 * Returns a command by its name.
 *
 * @throws Problem for an unknown name.
 */
export function commandNamed(name: string): AnyCommand {
  const command = byName.get(name);
  if (command !== undefined) return command;
  const names = [...byName.keys()];
  throw invalidParameter(
    'name',
    `name: expected one of ${names.join(', ')}; got '${name}'${meantBy(name, names)}.`,
  );
}
