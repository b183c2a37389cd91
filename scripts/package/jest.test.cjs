/** Jest can only `require` CommonJS. */
const { entries } = require('./commonjs.cjs');

test('uses every entry', () => require('./use.cjs').use(entries));
