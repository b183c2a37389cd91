/** Writes `docs/api.md`: every method with its HTTP method, its path, and their source. */

import { routes } from '../../src/resources/routes.ts';
import { type Operation, operations } from './collections.ts';

const intro = `# Methods and paths

Every method of \`PaymentsClient\` that sends a request, generated from the table of routes. A *shown* path is in the
service's interface; an *inferred* one follows the pattern of the shown paths, and the \`routes\` option can correct it. A method
marked *key* moves money, or may, and needs an \`operationId\` or an \`idempotencyKey\`.
`;

const outside = `## transact

| method | verb and path | source | key |
|---|---|---|---|
| \`transact.sale\` | \`POST /api/transact.php\` | shown | has none |
| \`transact.submit\` | \`POST /api/transact.php\` | shown for \`type: 'sale'\`, else inferred | has none |

## Anything else

\`payments.request({ method, path, query, body }, options)\` sends what no method covers.
`;

function row({ name }: Operation): string {
  const { method, path, source, movesMoney } = routes[name];
  return `| \`${name}\` | \`${method} ${path}\` | ${source} | ${movesMoney ? 'key' : ''} |`;
}

function section(collection: string): string {
  const rows = operations.filter((operation) => operation.collection === collection).map(row);
  return [
    `## ${collection}`,
    '',
    '| method | verb and path | source | key |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

export function writeApiIndex(): string {
  const collections = [...new Set(operations.map(({ collection }) => collection))];
  return [intro, ...collections.map(section), outside].join('\n');
}
