import { basename } from 'node:path';

const { ENTRY = '', CONDITION = '' } = process.env;

/** Bundles the program of the environment into `out/vite-<name>.mjs`: for a page if there is no condition of a server. */
export default {
  ssr: {
    noExternal: true,
    ...(CONDITION === 'workerd' && { target: 'webworker', resolve: { conditions: [CONDITION] } }),
  },
  build: {
    outDir: 'out',
    emptyOutDir: false,
    ...(CONDITION !== '' && { ssr: ENTRY }),
    rollupOptions: { input: ENTRY, output: { entryFileNames: `vite-${basename(ENTRY)}` } },
  },
};
