/** The text encoding of the runtime, or of Node where a simulated page, such as jsdom, hides it. The build of CommonJS puts it in place of the globals. */

const { TextDecoder: decoder, TextEncoder: encoder } = globalThis;
const node = () => globalThis.process.getBuiltinModule('node:util');

export const TextDecoder = decoder ?? node().TextDecoder;
export const TextEncoder = encoder ?? node().TextEncoder;
