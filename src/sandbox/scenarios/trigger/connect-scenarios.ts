import { checkOptions } from '../../../base/check-options.ts';
import { isRecord } from '../../../base/json.ts';
import { refuse, refuseValue } from '../../../base/refuse.ts';
import { type ConnectEventType, connectObjectSchema } from '../../../webhooks/events/connect.ts';
import type { SandboxOpenObject } from '../../domain/records/records.ts';
import type { Scenarios } from './scenario.ts';
import type { AnyFields, ScenarioRun } from './scenario-run.ts';

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
 * Emits a Connect event. It rejects private data, since a handler must not rely on a payload that the service never
 * sends.
 */
function emit(run: ScenarioRun, type: ConnectEventType, object: SandboxOpenObject): SandboxOpenObject {
  for (const name of namesIn(object)) {
    const held = privateDataOf(name);
    if (held === undefined) continue;
    const issue = { path: `${object.object}.${name}`, expected: 'no such field', received: held };
    refuse([issue], `Payloads of Connect events never hold ${held}.`);
  }
  checkOptions(object.object, connectObjectSchema, object, `Correct the fields of the ${object.object}.`);
  run.emit(type, object);
  return object;
}

/** Returns the first snapshot of a sequence. */
function first(scope: 'account' | 'connection'): AnyFields {
  return { version: 1, version_scope: scope };
}

/** Returns the account of a connection. Only a new account emits `account.created`. */
function accountOf(run: ScenarioRun): string {
  return run.text('account') ?? emit(run, 'account.created', run.add('account', first('account'))).id;
}

/** Returns a suspended connection: the requested one, else a new one with its own account. */
function suspended(run: ScenarioRun): SandboxOpenObject {
  const connection = run.start('connection', { status: 'suspended', version: 1 }, () => ({
    ...first('connection'),
    account: run.text('account') ?? run.add('account', first('account')).id,
  }));
  if (connection['status'] === 'suspended') return connection;
  throw new Error(
    `sandbox.trigger: 'connection.activated' needs a connection that is suspended, since it describes reactivation; ` +
      `suspend '${connection.id}' with sandbox.update('connection', id, { status: 'suspended' }).`,
  );
}

/** Scenarios for the Connect lifecycle. `status` and `account` of a connection are the sandbox's own. */
export const connectScenarios = {
  'account.created': (run) => {
    const found = run.existing('account');
    if (found === undefined) return emit(run, 'account.created', run.create('account', first('account')));
    throw new Error(
      `sandbox.trigger: 'account.created' needs a new account; '${found.id}' exists, and selecting it emits no event.`,
    );
  },
  'connection.created': (run) => {
    const parts = { ...first('connection'), account: accountOf(run), status: 'active' };
    return emit(run, 'connection.created', run.create('connection', parts));
  },
  'connection.activated': (run) => {
    const { id, version, version_scope = 'connection' } = suspended(run);
    const before = typeof version === 'number' ? version : 0;
    const next = run.number('version') ?? before + 1;
    if (next <= before) {
      refuseValue('connection.version', `a version above ${before}`, next, `It is that of '${id}'.`);
    }
    const active = { version_scope, status: 'active', ...run.fields, version: next };
    return emit(run, 'connection.activated', run.change('connection', id, active));
  },
} satisfies Scenarios;
