/** Loaded before an example: takes the journal out of its client. */

import { registerHooks } from 'node:module';

const option = '{ journal: createJournal({ store }) }';

registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context);
    if (!url.includes('/examples/durable/dbos.ts')) return loaded;
    const source = String(loaded.source);
    if (!source.includes(option)) throw new Error(`expected ${option} in ${url}.`);
    return { ...loaded, source: source.replace(option, '') };
  },
});
