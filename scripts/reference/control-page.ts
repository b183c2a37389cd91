/** Writes the tables of `docs/sandbox-control.md`: the routes that read, and the commands. */

import type { Argument } from '../../sandbox/src/commands/argument.ts';
import { type AnyCommand, commands } from '../../sandbox/src/commands/table.ts';
import { readRoutes } from '../../sandbox/src/control/control.ts';
import type { ReadRoute } from '../../sandbox/src/control/read-route.ts';
import { tableOf, withParts } from './page-parts.ts';

function routeRow({ path, query = [], body, answers }: ReadRoute): readonly string[] {
  const request = `\`GET /_sandbox${path.replaceAll(/:(\w+)/g, '{$1}')}\``;
  const parameters = query.map((name) => `\`${name}\``).join(' ');
  return [request, parameters, `${body === 'text' ? '' : `\`${body}\`. `}${answers}`];
}

/** Returns an argument with its kind, or with its values if there are few. */
function argumentText([name, { kind, isRequired, choices }]: [string, Argument<unknown>]): string {
  const words = choices?.words ?? [];
  const values = words.length <= 5 ? words.join(' | ') : '';
  const type = kind === 'text' ? values : kind;
  return `${name}${isRequired ? '' : '?'}${type && `: ${type}`}`;
}

function commandRow({ name, help, args, isInShell }: AnyCommand): readonly string[] {
  const own = [...args].map(argumentText);
  const all = help.rest === undefined ? own : [...own, '…'];
  const form = all.length === 0 ? '' : `\`{ ${all.join(', ')} }\``;
  return [`\`${name}\``, isInShell ? form : `${form}: ${help.summary}`];
}

/** Returns the page with current tables. */
export function writeControlPage(): string {
  return withParts('docs/sandbox-control.md', {
    routes: tableOf(['request', 'parameters', 'answer'], readRoutes.map(routeRow)),
    commands: tableOf(['`name`', '`args`'], commands.map(commandRow)),
  });
}
