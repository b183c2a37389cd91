import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { environmentVariable } from '../base/environment.ts';
import { isRecord } from '../base/json.ts';
import { errorCode } from '../base/thrown.ts';
import type { Sandbox } from '../index.ts';
import type { SandboxKeys } from '../keys.ts';

/** The content of a key file. */
interface KeyFile {
  readonly pid: number;
  readonly url: string;
  readonly secret_key: string;
  readonly security_key: string;
  readonly public_key: string;
  readonly webhook_secret: string;
}

const textFields = ['url', 'secret_key', 'security_key', 'public_key', 'webhook_secret'];

/** Returns the folder in which this user's running sandboxes store their keys. */
function folderOfKeys(): string {
  const runtime = environmentVariable('XDG_RUNTIME_DIR');
  if (runtime !== undefined && isAbsolute(runtime)) return join(runtime, 'payments-client');
  return join(tmpdir(), `payments-client-${process.getuid?.() ?? 'user'}`);
}

function fileFor(url: string): string {
  return join(folderOfKeys(), `${new URL(url).port || '80'}.json`);
}

/**
 * Returns whether only this user can access the file. Windows has no such modes; its folder for temporary files is per
 * user.
 */
function isPrivate({ uid, mode }: Stats): boolean {
  const own = process.getuid?.();
  return own === undefined || (uid === own && (mode & 0o077) === 0);
}

/** Another user could have created the folder, or a link in its place, to read the keys. */
function checkFolder(folder: string): void {
  const stats = lstatSync(folder);
  if (stats.isDirectory() && isPrivate(stats)) return;
  throw new Error(`expected '${folder}' to be a folder that only you own and can open. Delete it`);
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
  checkFolder(folder);
}

function isKeyFile(value: unknown): value is KeyFile {
  if (!isRecord(value) || typeof value['pid'] !== 'number') return false;
  return textFields.every((name) => typeof value[name] === 'string');
}

function readPrivate(file: string): string {
  // Does not follow a link. Windows has no such flag.
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    const stats = fstatSync(descriptor);
    if (!(stats.isFile() && isPrivate(stats))) throw new Error(`expected '${file}' to be private`);
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

function read(file: string): KeyFile | undefined {
  try {
    checkFolder(folderOfKeys());
    const content: unknown = JSON.parse(readPrivate(file));
    return isKeyFile(content) ? content : undefined;
  } catch {
    // There is no file, or it cannot be trusted.
    return undefined;
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Deletes the files of sandboxes that were killed. */
function sweep(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const found = read(file);
    if (found !== undefined && !isRunning(found.pid)) rmSync(file, { force: true });
  }
}

/**
 * Writes the keys of a sandbox to a file that the other commands read.
 *
 * @returns A function that deletes the file.
 * @throws Error when there is no folder that only this user can read.
 */
export function writeKeyFile(sandbox: Sandbox, signingSecret: string): () => void {
  const { url } = sandbox;
  const file = fileFor(url);
  const folder = folderOfKeys();
  makeFolder(folder);
  sweep(folder);
  const content: KeyFile = {
    pid: process.pid,
    url,
    secret_key: sandbox.secretKey,
    security_key: sandbox.securityKey,
    public_key: sandbox.publicKey,
    webhook_secret: signingSecret,
  };
  const beside = `${file}.${randomUUID()}`;
  writeFileSync(beside, JSON.stringify(content), { flag: 'wx', mode: 0o600 });
  renameSync(beside, file);
  return () => {
    // A sandbox on the same port of another loopback address may have written its own file meanwhile.
    if (read(file)?.pid === process.pid) rmSync(file, { force: true });
  };
}

/** Returns the URL and the keys of this user's running sandbox at a URL; `undefined` if none is known. */
export function keysOfRunning(url: string): (SandboxKeys & { readonly url: string }) | undefined {
  const found = read(fileFor(url));
  // If the sandbox is gone, another program at that URL would receive its keys.
  if (found === undefined || !isRunning(found.pid)) return undefined;
  return {
    url: found.url,
    secretKey: found.secret_key,
    securityKey: found.security_key,
    publicKey: found.public_key,
    webhookSecret: found.webhook_secret,
  };
}
