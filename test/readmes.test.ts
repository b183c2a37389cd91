/** Each room of both packages has a page that is short and true: what it names is there, and it names what the room may import. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path/posix';
import { describe, expect, it } from 'vitest';

const foldersIn = (folder: string) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [join(folder, entry.name)] : [],
  );

/** These two have rooms of their own. Of other rooms, one page covers the folders too. */
const rooms = [...foldersIn('src'), ...foldersIn('src/webhooks'), 'sandbox/src', ...foldersIn('sandbox/src')];

/** Rooms that no rule lets import another room beside `base`. */
const groundFloors = ['src/base', 'sandbox/src/base', 'sandbox/src/probe', 'sandbox/src/store'];

/** The root of the sandbox connects its rooms, so no rule limits it. */
const root = 'sandbox/src';

interface Rule {
  readonly name: string;
  readonly to: { readonly pathNot?: unknown };
}

const { forbidden }: { readonly forbidden: readonly Rule[] } = createRequire(import.meta.url)(
  '../scripts/config/dependency-cruiser.cjs',
);

/** What a room may import, itself left out. */
function importsOf(room: string): readonly string[] {
  const [layer = '', ...inner] = room.split('/').filter((part) => part !== 'src');
  const own = [layer, ...inner].join('-');
  const rule =
    forbidden.find(({ name }) => name.startsWith(`${own}-imports-only-`)) ??
    forbidden.find(({ name }) => name.startsWith(`${layer}-imports-only-`));
  const [, names = ''] = /\(([^)]+)\)/.exec(String(rule?.to.pathNot)) ?? [];
  return names.split('|').filter((name) => name !== '' && name !== layer && name !== inner[0]);
}

const namesIn = (text: string) => [...text.matchAll(/`([^`\s]+)`/g)].flatMap(([, name]) => name ?? []);

const pathsIn = (text: string) =>
  namesIn(text).filter((name) => /^[\w./-]+(?:\.tsx?|\/)$/.test(name) && !name.startsWith('/'));

describe.each(rooms)('%s', (room) => {
  const page = join(room, 'README.md');
  const text = existsSync(page) ? readFileSync(page, 'utf8') : '';
  const named = namesIn(text);

  it('has a page of at most 25 lines', () => {
    expect(text).not.toBe('');
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(25);
  });

  it('names files and folders that exist', () => {
    // An item that begins with a folder speaks of its files.
    const items = text.split(/\n(?=\d+\. |- |\n)/).map((item) => pathsIn(item));
    expect(items.flat().length).toBeGreaterThan(2);
    const missing = items.flatMap(([first = '', ...rest]) => {
      const folders = [room, ...(first.endsWith('/') ? [join(room, first)] : [])];
      return [first, ...rest].filter((path) => !folders.some((folder) => existsSync(join(folder, path))));
    });
    expect(missing).toEqual([]);
  });

  it.skipIf(room === root)('names what it may import', () => {
    expect(importsOf(room).length > 0).toBe(!groundFloors.includes(room));
    expect(importsOf(room).filter((name) => !named.includes(name) && !named.includes(`../${name}`))).toEqual(
      [],
    );
  });
});

it.each(['src/base', 'src/http'])('the page of %s names each of its files', (room) => {
  const text = readFileSync(join(room, 'README.md'), 'utf8');
  const files = readdirSync(room, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts'));
  expect(files.filter((file) => !text.includes(`\`${file}\``))).toEqual([]);
});

it('the guide for contributors names files and folders that exist', () => {
  const text = readFileSync('CONTRIBUTING.md', 'utf8');
  const paths = namesIn(text).filter((name) =>
    /^(?:src|sandbox|test|scripts|docs|examples)\/[\w./-]+$/.test(name),
  );
  expect(paths.length).toBeGreaterThan(20);
  // `a` and `b` stand for any names, and a build makes `dist`.
  const isOther = (path: string) => /\/a\/b(?:\/|\.)|\/dist\//.test(path);
  expect(paths.filter((path) => !existsSync(path) && !isOther(path))).toEqual([]);
});
