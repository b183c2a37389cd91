import { basename, dirname } from 'node:path';

const { TARGET, OUTFILE } = process.env;

const targets = {
  node: { target: 'node', entry: './process.mjs' },
  worker: {
    target: 'webworker',
    entry: './worker.mjs',
    resolve: { conditionNames: ['workerd', '...'] },
    experiments: { outputModule: true },
    output: { library: { type: 'module' } },
  },
  page: { target: 'web', entry: './react-page.mjs', performance: { hints: false } },
};

const { output, ...target } = targets[TARGET];

export default {
  ...target,
  mode: 'production',
  output: { ...output, path: dirname(OUTFILE), filename: basename(OUTFILE) },
};
