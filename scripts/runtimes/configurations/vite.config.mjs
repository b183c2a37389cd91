import { basename, dirname } from 'node:path';

const { TARGET, OUTFILE } = process.env;

const targets = {
  node: { build: { ssr: 'process.mjs' }, ssr: { noExternal: true } },
  worker: {
    build: { ssr: 'worker.mjs' },
    ssr: { noExternal: true, target: 'webworker', resolve: { conditions: ['workerd'] } },
  },
  page: { build: { rollupOptions: { input: 'react-page.mjs' } } },
};

const { build, ssr } = targets[TARGET];
const output = { entryFileNames: basename(OUTFILE) };

export default {
  ssr,
  build: {
    ...build,
    outDir: dirname(OUTFILE),
    emptyOutDir: false,
    rollupOptions: { ...build.rollupOptions, output },
  },
};
