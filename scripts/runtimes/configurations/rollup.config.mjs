import commonjs from '@rollup/plugin-commonjs';
import resolve from '@rollup/plugin-node-resolve';

const { TARGET, OUTFILE } = process.env;

/** React requires it. */
const inProduction = {
  name: 'in-production',
  transform: (code) => code.replaceAll('process.env.NODE_ENV', '"production"'),
};

const targets = {
  node: {
    input: 'process.mjs',
    external: [/^node:/],
    plugins: [resolve({ exportConditions: ['node'] }), commonjs()],
  },
  worker: {
    input: 'worker.mjs',
    plugins: [resolve({ exportConditions: ['workerd'] })],
  },
  page: {
    input: 'react-page.mjs',
    plugins: [inProduction, resolve({ browser: true }), commonjs()],
  },
};

export default { ...targets[TARGET], output: { file: OUTFILE, inlineDynamicImports: true } };
