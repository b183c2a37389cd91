/** Deno, with no more permissions than it needs. */

import type { Kind } from './kind.ts';
import type { Project } from './project.ts';
import { type Traits, wantedOfBoth, wantedOfProcess } from './wanted.ts';

/** Its `fetch` gives no code by which a refused connection could be told from a broken one. */
const traits: Traits = { isCarriedByFetch: true, refused: 'unknown' };

const toNetwork = ['run', '--no-prompt', '--allow-net=127.0.0.1'];
/** `require` looks for its files at run time. */
const toFiles = [...toNetwork, '--allow-read=.'];

function command(project: Project): string {
  return project.bin('deno');
}

export const deno: Kind = {
  name: 'deno',
  packages: { deno: '2' },
  isThere: (project) => project.runs(command(project)),
  cases: (project) => {
    const env = { DENO_DIR: project.path('.deno') };
    const tell = (args: readonly string[]) => () => project.tellProcess(command(project), args, env);
    const wanted = wantedOfProcess(traits);
    return [
      { name: 'Deno, import, --allow-net', wanted, run: tell([...toNetwork, 'process.mjs']) },
      { name: 'Deno, require, --allow-net --allow-read', wanted, run: tell([...toFiles, 'process.cjs']) },
      {
        name: 'Deno, import and require',
        // Its `require` does not look for the condition `deno`. The entry for Node uses `fetch` there all the same.
        wanted: wantedOfBoth('index.js', 'index.node.cjs'),
        run: async () => JSON.parse(await project.run(command(project), [...toFiles, 'both.mjs'], env)),
      },
    ];
  },
};
