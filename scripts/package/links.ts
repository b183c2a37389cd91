/** Finds broken relative links in a folder's Markdown files. */

import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

function relativeLinks(text: string): readonly string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```/gm, '');
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return targets.filter((target) => !/^(?:[a-z]+:|#)/.test(target));
}

/** Returns each broken link as its file and its target. */
export function deadLinks(folder: string): readonly string[] {
  const files = globSync('**/*.md', { cwd: folder });
  return files.flatMap((file) => {
    const links = relativeLinks(readFileSync(join(folder, file), 'utf8'));
    const dead = links.filter((link) => !existsSync(join(folder, dirname(file), link.replace(/#.*/, ''))));
    return dead.map((link) => `${file} -> ${link}`);
  });
}
