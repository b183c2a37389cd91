import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { kilobytes, type RowGroup } from '../row.ts';

const bound = 1_000_000;
const root = fileURLToPath(new URL('../../..', import.meta.url));

export const size: RowGroup = {
  name: 'package',
  measure: async () => {
    const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
    const [packed] = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8' }));
    return [
      {
        what: 'published package, unpacked, with all that it needs',
        target: `≤ ${kilobytes(bound)}`,
        figure: kilobytes(packed.unpackedSize),
        isMet: packed.unpackedSize <= bound,
        spread: '',
        measured: [['packed', kilobytes(packed.size)]],
      },
    ];
  },
};
