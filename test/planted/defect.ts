/** Planted defects: `test/planted/<room>/<name>.patch`, a sentence that says what breaks and for whom, and a patch. */

import { globSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path/posix';

export interface Defect {
  readonly room: string;
  readonly name: string;
  /** What breaks, and for whom. */
  readonly sentence: string;
  /** Its patch, relative to the root. */
  readonly path: string;
  /** The files that it changes. */
  readonly files: readonly string[];
  /** The lines that it changes, without those around them. */
  readonly change: string;
}

const root = new URL('../../', import.meta.url);

function defectAt(path: string): Defect {
  const text = readFileSync(new URL(path, root), 'utf8');
  const [sentence = '', ...patch] = text.split(/\n(?=diff --git )/);
  const files = patch.flatMap((part) => /^\+\+\+ b\/(.+)$/m.exec(part)?.[1] ?? []);
  return {
    room: basename(dirname(path)),
    name: basename(path, '.patch'),
    sentence: sentence.trim().replaceAll(/\s+/g, ' '),
    path,
    files,
    change:
      patch
        .join('\n')
        .match(/^(?:\+\+\+ |[+-](?![+-])).*/gm)
        ?.join('\n') ?? '',
  };
}

/** All planted defects, in the order of their paths. */
export function allDefects(): Defect[] {
  return globSync('test/planted/*/*.patch', { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted()
    .map(defectAt);
}
