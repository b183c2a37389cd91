import { refuseId } from '../base/refuse.ts';
import { ObjectEditor } from '../domain/object-editor.ts';
import type { SandboxOpenObject } from '../domain/records/records.ts';
import type { State } from '../domain/state.ts';
import { makeEvent, publish } from '../webhooks/publish.ts';
import { checkPayload } from './trigger/connect-objects.ts';
import type { visitTypes } from './trigger/event-types.ts';

/** Options of a visit. */
export type VisitOptions = {
  /** The id of an existing account that the merchant selects. Default: the merchant creates one. */
  readonly account?: string | undefined;
};

/** The fields of a link in its events. The platform may have stored others that identify the merchant. */
const sentFields = [
  'id',
  'object',
  'livemode',
  'created_at',
  'updated_at',
  'external_reference',
  'version',
  'version_scope',
  'status',
  'account',
  'connection',
];

function payloadOf(link: SandboxOpenObject): SandboxOpenObject {
  const sent = Object.entries(link).filter(([name]) => sentFields.includes(name));
  // The list has the fields that every object has.
  return Object.fromEntries(sent) as unknown as SandboxOpenObject;
}

function announce(state: State, type: string, object: SandboxOpenObject): void {
  checkPayload(object);
  publish(state, makeEvent(state, type, object, []));
}

function changeLink(
  state: State,
  type: (typeof visitTypes)[number],
  { id, version }: SandboxOpenObject,
  fields: Readonly<Record<string, unknown>>,
): SandboxOpenObject {
  const next = { ...fields, version: Number(version ?? 0) + 1 };
  const link = new ObjectEditor(state).update('account_link', id, next);
  announce(state, type, payloadOf(link));
  return link;
}

function openLink({ objects }: State, id: string): SandboxOpenObject {
  const link = objects.account_link.get(id);
  if (link?.['status'] === 'open') return link;
  const problem = link && `which is '${link['status']}'`;
  return refuseId('sandbox.visit.id', 'the id of an open account link', id, problem);
}

/** Returns the account that the merchant selects, else a new one with an application. */
function accountOf(state: State, selected: string | undefined): SandboxOpenObject {
  if (selected !== undefined) {
    const found = state.objects.account.get(selected);
    return found ?? refuseId('sandbox.visit.account', 'the id of an account', selected);
  }
  const account = new ObjectEditor(state).add('account', { application: state.ids.next('app') });
  announce(state, 'account.created', account);
  return account;
}

/**
 * Completes a merchant's visit of an account link. The first event precedes the merchant's consent, so it has nothing of the
 * merchant. The account's application is then under review: its `payments_enabled` is false.
 *
 * @returns The connection, which names the account.
 * @throws ConfigurationError when there is no such link or account, or the link was visited before.
 */
export function visit(state: State, id: string, { account: selected }: VisitOptions): SandboxOpenObject {
  return state.unit(() => {
    const visited = changeLink(state, 'account_link.visited', openLink(state, id), { status: 'visited' });
    const account = accountOf(state, selected);
    const connection = new ObjectEditor(state).add('connection', { account: account.id });
    announce(state, 'connection.created', connection);
    const made = { account: account.id, connection: connection.id };
    changeLink(state, 'account_link.completed', visited, { status: 'completed', ...made });
    return connection;
  });
}
