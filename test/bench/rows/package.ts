import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { install, pack } from '../../../scripts/tarball.ts';
import { kilobytes, type RowGroup, times } from '../row.ts';

const bound = 0.75;
const temporary = fileURLToPath(new URL('../../../.tmp', import.meta.url));

/** Bytes on the disk of a merchant who installs a package and all that it needs. */
async function installedSize(name: string, version: string): Promise<number> {
  mkdirSync(temporary, { recursive: true });
  const folder = mkdtempSync(join(temporary, 'disk-'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ dependencies: { [name]: version } }));
  await install(folder, '--omit=dev');
  const [kibibytes = ''] = execFileSync('du', ['-sk', 'node_modules'], {
    cwd: folder,
    encoding: 'utf8',
  }).split('\t');
  rmSync(folder, { recursive: true });
  return Number(kibibytes) * 1024;
}

export const size: RowGroup = {
  name: 'package',
  measure: async () => {
    const packed = pack(temporary);
    const own = await installedSize('payments-client', `file:${packed.path}`);
    const theirs = await installedSize('stripe', '23.1.0');
    rmSync(packed.path);
    return [
      {
        what: 'what the disk of a merchant gets, dependencies included',
        target: `≤ ${bound} × stripe`,
        figure: times(own / theirs),
        isMet: own / theirs <= bound,
        spread: '',
        measured: [
          ['payments-client', kilobytes(own)],
          ['stripe', kilobytes(theirs)],
        ],
      },
    ];
  },
};
