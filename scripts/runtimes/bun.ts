/** Bun. */

import type { Kind } from './kind.ts';
import { type Traits, wantedOfBoth, wantedOfProcess } from './wanted.ts';

const traits: Traits = { isCarriedByFetch: true, refused: 'not_executed' };

export const bun: Kind = {
  name: 'bun',
  packages: { bun: '1' },
  isThere: (project) => project.runs(project.bin('bun')),
  cases: (project) => {
    const command = project.bin('bun');
    const wanted = wantedOfProcess(traits);
    return [
      { name: 'Bun, import', wanted, run: () => project.tellProcess(command, ['process.mjs']) },
      { name: 'Bun, require', wanted, run: () => project.tellProcess(command, ['process.cjs']) },
      {
        name: 'Bun, import and require',
        wanted: wantedOfBoth('index.js', 'index.cjs'),
        run: async () => JSON.parse(await project.run(command, ['both.mjs'])),
      },
    ];
  },
};
