/** Writes the table of `docs/options.md` from the doc comments of the client's options. */

import ts from 'typescript';
import { commentOf, compiledProgram, typeOf } from './compiler.ts';
import { readDocComment, summaryOf } from './doc-comments.ts';
import { tableOf, withParts } from './page-parts.ts';

const optionsPagePath = 'docs/options.md';

/** Returns the type of an option as its declaration has it, without `undefined`. */
function typeTextOf(option: ts.Symbol): string {
  const declaration = option.declarations?.find(ts.isPropertySignature);
  return (declaration?.type?.getText() ?? '').replace(' | undefined', '');
}

/** Returns the row of an option. Each doc comment names the default, or says that there is none. */
function rowOf(option: ts.Symbol): readonly string[] {
  const { description } = readDocComment(commentOf(option, compiledProgram().checker));
  const [, fallback = '–'] = /Default(?: on Node)?: (.*?)\.(?=\s|$)/.exec(description) ?? [];
  return [`\`${option.name}\``, `\`${typeTextOf(option)}\``, fallback, summaryOf(description)];
}

/** Returns the page with the current options. */
export function writeOptionsPage(): string {
  const options = compiledProgram().checker.getPropertiesOfType(
    typeOf('src/client.ts', 'PaymentsClientOptions'),
  );
  return withParts(optionsPagePath, {
    options: tableOf(['option', 'type', 'default', 'what it does'], options.map(rowOf)),
  });
}
