/** `npm run example`: each example in the table runs with a sandbox, and the table lists every example. */

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { scenes } from '../../examples/scenes.ts';
import { endAll, launchProgram, runProgram } from '../support/programs.ts';
import { everyNth, thorough } from '../support/size.ts';
import { program } from './support.ts';

const examples = new URL('../../examples/', import.meta.url);
const table = readFileSync(new URL('README.md', examples), 'utf8');

/** Files that start or set up the examples. */
const others = ['with-sandbox.ts', 'scenes.ts'];
/** The entry of a shop with several files. */
const shop = 'web-checkout/server.ts';

const servers = [
  'checkout-express',
  'webhooks/express',
  'webhooks/fastify',
  'webhooks/hono',
  'subscriptions',
];
/** Examples that need a database. Their own tests run them with one. */
const needsDatabase = ['durable/dbos', 'webhooks/bullmq', 'webhooks/graphile-worker', 'webhooks/pg-boss'];

describe('the table of the examples', () => {
  it('lists every example', () => {
    const files = readdirSync(examples, { recursive: true, encoding: 'utf8' });
    const programs = files.filter(
      (file) => file === shop || (/\.(?:ts|mjs|cjs)$/.test(file) && !file.startsWith('web-checkout/')),
    );
    const named = [...table.matchAll(/^\| \[.*?\]\((.*?\.(?:ts|mjs|cjs))\)/gm)].map(([, path]) => path);
    expect(named.toSorted()).toEqual(programs.filter((file) => !others.includes(file)).toSorted());
  });

  it('gives a valid command for each', () => {
    const named = [...table.matchAll(/npm run example -- ([\w/-]+)` \|$/gm)].map(([, name]) => name);
    expect(named.toSorted()).toEqual(Object.keys(scenes).toSorted());
  });
});

describe('with-sandbox', () => {
  const withSandbox = program('with-sandbox');
  const env = { PORT: '0', TMPDIR: mkdtempSync(join(tmpdir(), 'examples-')) };
  afterAll(() => rmSync(env.TMPDIR, { recursive: true }));
  const ends = Object.keys(scenes).filter((name) => !servers.includes(name) && !needsDatabase.includes(name));

  it.each(everyNth(ends, 5))('runs %s until it ends', async (name) => {
    const { code, stdout, stderr } = await runProgram(withSandbox, [name], env);
    expect(code, stderr).toBe(0);
    expect(stdout.split('\n').length).toBeGreaterThan(3);
  });

  it.each(everyNth(servers, 5))('runs %s until it is stopped', async (name) => {
    onTestFinished(endAll);
    const running = launchProgram(withSandbox, [name], env);
    await running.line((line) => line.startsWith('Listening'));
    // The shop waits for a buyer; the others receive an event at once.
    if (name !== 'checkout-express') await running.line();
    const { stderr } = await running.stop();
    expect(stderr).toBe('');
  });

  it('passes the arguments on', thorough, async () => {
    const args = ['fraud-review', 'charge', 'order-7', '12.00', 'tok_7', 'risk90@example.com'];
    const { stdout } = await runProgram(withSandbox, args, env);
    expect(stdout).toMatch(/\norder-7: declined, /);
  });

  it('lists the examples for an unknown name, and fails if an example fails', thorough, async () => {
    const unknown = await runProgram(withSandbox, ['refund'], env);
    expect(unknown).toMatchObject({ code: 2, stdout: '' });
    expect(unknown.stderr).toContain('quick-start, checkout-express, ');
    const failed = await runProgram(withSandbox, ['safe-retry', 'signup-7', 'cus_none', 'price_none'], env);
    expect(failed.code).toBe(1);
  });
});
