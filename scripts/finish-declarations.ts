/**
 * Finishes the declarations of the build: names that files share are the real ones, which the bundler shortens to `a` and `b`, and ES modules get
 * declarations that refer to those of CommonJS. Those can be imported from both kinds of module, so both have the same types.
 */

import { copyFileSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

const dist = resolve(import.meta.dirname, '../dist');

/** A statement that imports or exports names: its beginning, its names, and the file that they come from, if any. */
const statement = /^((?:import|export)(?: type)?) \{ (.+) \}(?: from '(.+)')?;$/gm;

/** A name in a statement, and the one that it has on the other side. */
const renamed = /^([\w$]+) as ([\w$]+)$/;

interface Declarations {
  readonly path: string;
  readonly text: string;
  /** Only these have short names: entries are imported by merchants. */
  readonly isShared: boolean;
}

/** A bundler adds a hash to the name of a file that entries share. */
function read(path: string): Declarations {
  return { path, text: readFileSync(join(dist, path), 'utf8'), isShared: /-[\w-]{8}\.d\.cts$/.test(path) };
}

/** The real names in a shared file, by the short ones that it exports. */
function realNames({ text }: Declarations): ReadonlyMap<string, string> {
  const exported = [...text.matchAll(statement)].filter(([, start = '']) => start.startsWith('export'));
  const names = exported.flatMap(([, , names = '']) => names.split(', '));
  return new Map(
    names.map((name) => {
      const [, real = name, short = name] = renamed.exec(name) ?? [];
      return [short, real];
    }),
  );
}

const all = globSync('**/*.d.cts', { cwd: dist }).map(read);
const shared = new Map(all.filter(({ isShared }) => isShared).map((file) => [file.path, realNames(file)]));

/** A name as a file takes it from a shared one. */
function taken(name: string, real: ReadonlyMap<string, string>): string {
  const [, short = name, own = name] = renamed.exec(name) ?? [];
  const found = real.get(short);
  if (found === undefined) throw new Error(`expected an export ${short}, got none`);
  return found === own ? own : `${found} as ${own}`;
}

function withRealNames({ path, text, isShared }: Declarations): string {
  return text.replace(statement, (whole: string, start: string, names: string, from: string | undefined) => {
    if (from === undefined) {
      return isShared ? `${start} { ${names.replaceAll(/([\w$]+) as [\w$]+/g, '$1')} };` : whole;
    }
    const real = shared.get(join(dirname(path), from.replace(/\.cjs$/, '.d.cts')));
    if (real === undefined) return whole;
    const realNames = names.split(', ').map((name) => taken(name, real));
    return `${start} { ${realNames.join(', ')} } from '${from}';`;
  });
}

for (const file of all) {
  writeFileSync(join(dist, file.path), withRealNames(file));
  if (file.isShared) continue;
  const forModules = join(dist, file.path.replace(/\.cts$/, '.ts'));
  writeFileSync(forModules, `export * from './${basename(file.path, '.d.cts')}.cjs';\n`);
}

// msw is an ES module alone, which no declaration of CommonJS may import.
copyFileSync(join(dist, 'sandbox/msw.d.cts'), join(dist, 'sandbox/msw.d.ts'));
