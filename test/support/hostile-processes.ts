/** What stands for Node's `process` in runtimes that are not Node, and in worse ones. */

function fail(): never {
  throw new Error('A Node.js API is used which is not supported here.');
}

/** Fails at whatever is done with it. */
const failing: object = new Proxy(fail, {
  ...{ apply: fail, construct: fail, get: fail, has: fail, set: fail, ownKeys: fail },
  ...{ getOwnPropertyDescriptor: fail, getPrototypeOf: fail },
});

/** Answers whatever is done with it by itself. */
const agreeing: object = new Proxy(() => agreeing, {
  apply: () => agreeing,
  get: (_, name) => (name === Symbol.toPrimitive ? () => 'yes' : agreeing),
});

/** The members of a module or of `process`, each made by the same rule. */
function all(names: readonly string[], descriptor: PropertyDescriptor): object {
  return Object.defineProperties({}, Object.fromEntries(names.map((name) => [name, descriptor])));
}

const memberNames = ['channel', 'createHmac', 'createSecretKey', 'timingSafeEqual', 'verify'];

const modules: Readonly<Record<string, unknown>> = {
  null: null,
  'a text': 'node:crypto',
  'an empty object': {},
  'a proxy that throws': failing,
  'a proxy that agrees to everything': agreeing,
  'an object whose members throw when read': all(memberNames, { get: fail }),
  'an object whose members throw when called': all(memberNames, { value: fail }),
  'an object whose members return nothing': all(memberNames, { value: () => undefined }),
  'an object whose channels throw when asked for subscribers': {
    channel: () => all(['hasSubscribers', 'publish'], { get: fail }),
  },
};

const processNames = ['env', 'version', 'versions', 'getBuiltinModule'];

/** Values for `globalThis.process` that offer nothing of Node, by their descriptions. */
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
