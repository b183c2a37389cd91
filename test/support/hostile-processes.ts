/** Substitutes for Node's `process` in other runtimes, and worse ones. */

function fail(): never {
  throw new Error('A Node.js API is used which is not supported here.');
}

/** Throws on any access. */
const failing: object = new Proxy(fail, {
  apply: fail,
  construct: fail,
  get: fail,
  has: fail,
  set: fail,
  ownKeys: fail,
  getOwnPropertyDescriptor: fail,
  getPrototypeOf: fail,
});

/** Returns itself on any access. */
const agreeing: object = new Proxy(() => agreeing, {
  apply: () => agreeing,
  get: (_, name) => (name === Symbol.toPrimitive ? () => 'yes' : agreeing),
});

/** Returns an object whose members all have the same descriptor. */
function all(names: readonly string[], descriptor: PropertyDescriptor): object {
  return Object.defineProperties({}, Object.fromEntries(names.map((name) => [name, descriptor])));
}

const memberNames = ['createHmac', 'createSecretKey', 'timingSafeEqual', 'verify'];

const modules: Readonly<Record<string, unknown>> = {
  null: null,
  'a text': 'node:crypto',
  'an empty object': {},
  'a proxy that throws': failing,
  'a proxy that agrees to everything': agreeing,
  'an object whose members throw when read': all(memberNames, { get: fail }),
  'an object whose members throw when called': all(memberNames, { value: fail }),
  'an object whose members return nothing': all(memberNames, { value: () => undefined }),
};

const processNames = ['env', 'version', 'versions', 'getBuiltinModule'];

/** Values for `globalThis.process` without Node's APIs, with their descriptions. */
export const hostileProcesses: readonly (readonly [description: string, process: unknown])[] = [
  ['undefined', undefined],
  ['null', null],
  ['a text', 'process'],
  ['an empty object', {}],
  ['an object whose members are undefined', all(processNames, { value: undefined })],
  ['an object whose members throw when read', all(processNames, { get: fail })],
  [
    'an object whose members throw when called, as on the Edge runtime of Next.js',
    all(processNames, { value: fail }),
  ],
  ['a proxy that throws', failing],
  ['a proxy that agrees to everything', agreeing],
  ...Object.entries(modules).map(
    ([description, module]) =>
      [`an object whose modules are ${description}`, { getBuiltinModule: () => module }] as const,
  ),
];
