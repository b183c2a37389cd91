import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Sandbox, SandboxOptions } from 'payments-client-sandbox';
import { onTestFinished, vi } from 'vitest';
import {
  type Ended,
  endAll,
  launchProgram,
  type Running,
  runProgram,
  withPackage,
} from '../support/programs.ts';
import { startSandbox } from '../support/sandbox.ts';

/** The secret that signs deliveries. */
export const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

// Each test starts one or two processes, even on a slow machine.
vi.setConfig({ testTimeout: 120_000 });

/** Node warns that SQLite is experimental. */
const nodeOptions = ['--disable-warning=ExperimentalWarning', ...withPackage];

/** A program of `examples/` by name, in its own folder or a given one. Without an ending it is a `.ts` file. */
export function program(name: string, folder?: string) {
  const file = extname(name) === '' ? `${name}.ts` : name;
  const path = fileURLToPath(new URL(`../../examples/${file}`, import.meta.url));
  return { path, nodeOptions, ...(folder !== undefined && { folder }) };
}

/** An example that listens. */
interface Server extends Running {
  /** Its URL. */
  readonly url: string;
}

/** A user of the examples, with a sandbox over HTTP and a folder for their files. */
export interface Merchant {
  readonly sandbox: Sandbox;
  readonly folder: string;
  /** Runs an example to its end. */
  run(name: string, ...args: readonly string[]): Promise<Ended>;
  /** Starts an example. */
  launch(name: string, ...args: readonly string[]): Running;
  /** Starts an example, and waits until it listens. */
  serve(name: string, ...args: readonly string[]): Promise<Server>;
}

/**
 * Creates a user whose programs and folder end with the test. The sandbox's clock starts at the present, and it takes only the
 * fields that the interface shows, so every example must reach its end without the others.
 */
export async function startMerchant(
  environment: Readonly<Record<string, string>> = {},
  options: SandboxOptions = {},
): Promise<Merchant> {
  const sandbox = await startSandbox({ startsAt: undefined, onlyShownFields: true, ...options });
  const folder = mkdtempSync(join(tmpdir(), 'merchant-'));
  onTestFinished(async () => {
    await endAll();
    rmSync(folder, { recursive: true });
  });
  const { url, secretKey, securityKey } = sandbox;
  const env = {
    PAYMENTS_BASE_URL: url,
    PAYMENTS_SECRET_KEY: secretKey,
    PAYMENTS_SECURITY_KEY: securityKey,
    PAYMENTS_WEBHOOK_SECRET: secret,
    PAYMENTS_CHECKOUT_PAGE: sandbox.checkoutPage,
    PORT: '0',
    ...environment,
  };
  const launch = (name: string, ...args: readonly string[]) =>
    launchProgram(program(name, folder), args, env);
  return {
    sandbox,
    folder,
    run: (name, ...args) => runProgram(program(name, folder), args, env),
    launch,
    serve: async (name, ...args) => {
      const running = launch(name, ...args);
      const [, port] = /port: (\d+)/.exec(await running.line((line) => line.startsWith('Listening'))) ?? [];
      return { ...running, url: `http://127.0.0.1:${port}` };
    },
  };
}

/** Waits for an event of the sandbox. */
export function untilEvent(sandbox: Sandbox, type: string): Promise<void> {
  return new Promise((resolve) => {
    const stop = sandbox.watch((activity) => {
      if (activity.kind !== 'event' || activity.event.type !== type) return;
      stop();
      resolve();
    });
  });
}
