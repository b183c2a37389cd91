import { checkOptions } from '../../base/check-options.ts';
import { isRecord } from '../../base/json.ts';
import { refuse, refuseValue } from '../../base/refuse.ts';
import { refuseUnknownFields } from '../../domain/object-editor.ts';
import type { SandboxOpenObject } from '../../domain/records/records.ts';
import { connectObjectSchema } from '../../sdk.ts';
import type { ScenarioRun } from './scenario-run.ts';

/** Words in field names of data that payloads never contain. The interface names the data, not the fields. */
const neverSent: Readonly<Record<string, readonly string[]>> = {
  'onboarding answers': ['answer', 'answers', 'questionnaire'],
  'owner identity': ['birth', 'dob', 'owner', 'owners', 'person', 'persons', 'representative', 'ssn'],
  'bank information': ['bank', 'bic', 'iban', 'routing'],
  documents: ['document', 'documents', 'passport'],
  'browser credentials': ['cookie', 'cookies', 'credential', 'credentials', 'password', 'token'],
};

/** Yields all field names except flags: a flag for a missing document reveals nothing of its content. */
function* namesIn(value: unknown): Generator<string> {
  if (Array.isArray(value)) for (const item of value) yield* namesIn(item);
  if (!isRecord(value)) return;
  for (const [name, part] of Object.entries(value)) {
    if (typeof part !== 'boolean') yield name;
    yield* namesIn(part);
  }
}

/** Returns the kind of private data that a field name stands for, if payloads never contain it. */
function privateDataOf(name: string): string | undefined {
  const words = name.toLowerCase().split('_');
  return Object.entries(neverSent).find(([, known]) => known.some((word) => words.includes(word)))?.[0];
}

/**
 * Checks the object of a Connect event. It rejects private data, since a handler must not rely on a payload that the service
 * never sends.
 */
export function checkPayload(object: SandboxOpenObject): void {
  for (const name of namesIn(object)) {
    const held = privateDataOf(name);
    if (held === undefined) continue;
    const issue = { path: `${object.object}.${name}`, expected: 'no such field', received: held };
    refuse([issue], `Payloads of Connect events never hold ${held}.`);
  }
  checkOptions(object.object, connectObjectSchema, object, `Correct the fields of the ${object.object}.`);
}

/** Emits a Connect event. */
export function emitConnect(run: ScenarioRun, object: SandboxOpenObject, type?: string): SandboxOpenObject {
  checkPayload(object);
  run.emit(object, type);
  return object;
}

export function newAccount(run: ScenarioRun): SandboxOpenObject {
  const found = run.existing('account');
  if (found === undefined) return run.create('account');
  throw new Error(
    `sandbox.trigger: 'account.created' needs a new account; '${found.id}' exists, and selecting it emits no event.`,
  );
}

/** Returns a connection of a new account, which emits `account.created` first, or of an existing one. */
export function newConnection(run: ScenarioRun): SandboxOpenObject {
  const account = run.text('account') ?? emitConnect(run, run.add('account'), 'account.created').id;
  return run.create('connection', { account });
}

/** Returns a suspended connection: the requested one, else a new one with its own account. */
function suspended(run: ScenarioRun): SandboxOpenObject {
  const connection = run.start('connection', { status: 'suspended', version: 1 }, () => ({
    account: run.text('account') ?? run.add('account').id,
  }));
  if (connection['status'] === 'suspended') return connection;
  throw new Error(
    `sandbox.trigger: 'connection.activated' needs a connection that is suspended, since it describes reactivation; ` +
      `suspend '${connection.id}' with sandbox.update('connection', id, { status: 'suspended' }).`,
  );
}

/** Returns the requested version of an object's next snapshot, else the next one. */
function nextVersion(run: ScenarioRun, { id, object, version }: SandboxOpenObject): number {
  const before = typeof version === 'number' ? version : 0;
  const next = run.number('version') ?? before + 1;
  if (next > before) return next;
  return refuseValue(`${object}.version`, `a version above ${before}`, next, `It is that of '${id}'.`);
}

/** `status` and `account` of a connection are the sandbox's own. */
export function activatedConnection(run: ScenarioRun): SandboxOpenObject {
  const connection = suspended(run);
  const version = nextVersion(run, connection);
  const { version_scope = 'connection' } = connection;
  return run.change('connection', connection.id, { version_scope, status: 'active', ...run.fields, version });
}

/** Returns a new account with an application, and a connection. */
function connectedAccount(run: ScenarioRun): SandboxOpenObject {
  const account = run.add('account', { application: run.state.ids.next('app') });
  run.add('connection', { account: account.id });
  return account;
}

/** Requires an active connection, without which the account events of an application go to no platform. */
function requireConnection({ state: { objects } }: ScenarioRun, account: string): void {
  const own = objects.connection.all().filter((connection) => connection['account'] === account);
  if (own.some(({ status }) => status === 'active')) return;
  throw new Error(
    `sandbox.trigger: 'account.updated' of an application needs an active connection, since it goes to no other ` +
      `platform; add one with sandbox.add('connection', { account: '${account}' }).`,
  );
}

/**
 * Ends the review of an account's application, unless the fields say otherwise. Its snapshot has the sequence of that
 * application; `application` is the sandbox's own field. One counter serves all sequences of an account, so each only rises.
 */
export function updatedAccount(run: ScenarioRun): SandboxOpenObject {
  const before = run.existing('account') ?? connectedAccount(run);
  // The suggestion below would hide that a misspelt field stands for it.
  refuseUnknownFields('account', run.fields, before);
  const { id, application } = before;
  const own = typeof application === 'string' ? `application:${application}` : 'account';
  const version_scope = run.text('version_scope') ?? own;
  if (version_scope.startsWith('application:')) requireConnection(run, id);
  const version = nextVersion(run, before);
  const fields = { payments_enabled: true, ...run.fields, version, version_scope: 'account' };
  return { ...run.change('account', id, fields), version_scope };
}
