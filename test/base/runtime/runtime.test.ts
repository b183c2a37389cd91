/** Reaches inside: no entry exports these functions, and each must cope with a hostile `process` by itself. */

import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { builtinModule, environmentVariable, isBrowser } from '../../../src/base/runtime/runtime.ts';
import { hostileProcesses } from '../../support/hostile-processes.ts';

/** Runs a function with this value as the global `process`. */
function withProcess<Result>(process: unknown, run: () => Result): Result {
  vi.stubGlobal('process', process);
  try {
    return run();
  } finally {
    vi.unstubAllGlobals();
  }
}

const findCrypto = () => builtinModule('node:crypto', ({ createHash }) => createHash('md5') !== undefined);

it.each(hostileProcesses)('with %s as process there is no variable and no module', (_, process) => {
  const isHmacThere = (module: object) => Reflect.get(module, 'isHmacThere') === true;
  expect(withProcess(process, () => environmentVariable('PAYMENTS_BASE_URL'))).toBeUndefined();
  expect(withProcess(process, () => builtinModule('node:crypto', isHmacThere))).toBeUndefined();
});

it('treats a process that throws on access as absent', () => {
  const real = Object.getOwnPropertyDescriptor(globalThis, 'process') ?? {};
  onTestFinished(() => void Object.defineProperty(globalThis, 'process', real));
  const get = () => {
    throw new Error('There is no process here.');
  };
  Object.defineProperty(globalThis, 'process', { get, configurable: true });
  const results = [environmentVariable('HOME'), findCrypto()];
  Object.defineProperty(globalThis, 'process', real);
  expect(results).toEqual([undefined, undefined]);
});

describe('environmentVariable', () => {
  it('reads a variable even if the rest of process throws', () => {
    const members = { env: { NAME: 'value' }, getBuiltinModule: () => expect.fail() };
    expect(withProcess(members, () => environmentVariable('NAME'))).toBe('value');
  });

  it.each([
    ['an empty text', ''],
    ['a number', 7],
    ['an object', {}],
  ])('treats %s as absent', (_, value) => {
    expect(withProcess({ env: { NAME: value } }, () => environmentVariable('NAME'))).toBeUndefined();
  });

  it('treats a variable that must not be read as absent', () => {
    const env = {
      get NAME(): string {
        throw new Error('Requires env access to "NAME"');
      },
    };
    expect(withProcess({ env }, () => environmentVariable('NAME'))).toBeUndefined();
  });
});

describe('isBrowser', () => {
  const page = { window: {}, document: {} };
  /** What a bundler substitutes for `process`, even with a Node version. */
  const substitute = { env: {}, browser: true, versions: { node: '22.12.0' } };

  it.each<[where: string, globals: Readonly<Record<string, unknown>>, expected: boolean]>([
    ['a page', { ...page, process: undefined }, true],
    ['a page with a substitute for process', { ...page, process: substitute }, true],
    ['a worker of a page', { WorkerLocation: class {}, process: undefined }, true],
    ['Node', {}, false],
    ['Node with jsdom or happy-dom', page, false],
    ['an Edge runtime', { process: undefined }, false],
    ['Workers', { importScripts() {}, WorkerGlobalScope: class {}, process: undefined }, false],
    ['Workers with a substitute for process', { process: substitute }, false],
    ['React Native and Deno 1, which have no document', { window: {}, process: undefined }, false],
    ['a program that renders pages without a window', { document: {}, process: undefined }, false],
  ])('%s', (_, globals, expected) => {
    for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
    onTestFinished(() => void vi.unstubAllGlobals());
    expect(isBrowser()).toBe(expected);
  });
});

it('builtinModule returns a module only if it works', async () => {
  expect(findCrypto()).toBe((await import('node:crypto')).default);
  expect(builtinModule('node:crypto', () => false)).toBeUndefined();
});
