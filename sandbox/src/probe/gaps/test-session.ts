/** The checkout session that the probe may open: nobody pays it, and it expires. */

import { routes } from '../../sdk.ts';
import { asAssumed, differs, type Gap, notSeen } from '../finding.ts';
import { type Answer, fieldOf, isPlain, okOf, type Question } from '../question.ts';
import { createdId, creation, objectIn } from './test-customer.ts';

const address = 'https://example.com/payments-client-probe';

/** The fields that the interface shows. */
const shown = {
  mode: 'payment',
  line_items: [{ name: 'Probe', amount: 100, currency: 'usd', quantity: 1 }],
  success_url: address,
  cancel_url: address,
};

/** Other fields of a session, which the client takes as parameters too. */
const inferred = (customer: string) => ({
  client_reference_id: 'payments-client-probe',
  customer,
  customer_email: 'probe@example.com',
  locale: 'en',
  metadata: { made_by: 'payments-client probe' },
  collect_config: { phone: 'required' },
});

function opening(more: ReturnType<typeof inferred>): Question {
  const { method, path } = routes['checkoutSessions.create'];
  return { kind: 'write', method, path, body: { ...shown, ...more }, operation: 'open', expires: true };
}

/** Returns whether a value holds everything that was sent. */
function holds(value: unknown, sent: unknown): boolean {
  if (typeof sent !== 'object' || sent === null) return value === sent;
  return Object.entries(sent).every(([name, part]) => holds(fieldOf(value, name), part));
}

const named = (names: readonly string[]) => names.join(', ');

/** Returns the session of an answer, if it is one of this probe. */
function sessionIn(answer: Answer | undefined): object | undefined {
  const session = objectIn(answer, 'checkout_session');
  return fieldOf(session, 'object') === 'checkout_session' ? session : undefined;
}

/** Which fields beside the shown ones a new session has from its parameters. */
export const sessionFields: Gap = {
  id: 'G106',
  title: 'other fields of a new session',
  needs: '--create',
  *read() {
    const customer = createdId(yield creation);
    if (customer === undefined || !isPlain(customer)) return notSeen('no customer could be created');
    const sent = inferred(customer);
    const answer = yield opening(sent);
    if (answer !== undefined && okOf(answer) === undefined) {
      return notSeen(`the service answered ${answer.status} to a session with ${named(Object.keys(sent))}`);
    }
    const session = sessionIn(answer);
    if (session === undefined) return notSeen();
    const fields = Object.entries(sent);
    const kept = fields.filter(([name, value]) => holds(fieldOf(session, name), value)).map(([name]) => name);
    const dropped = Object.keys(sent).filter((name) => !kept.includes(name));
    if (dropped.length === 0) return asAssumed(`${named(kept)} come back`);
    const rest = kept.length === 0 ? '' : `; ${named(kept)} come back`;
    return differs(`does not return ${named(dropped)}${rest}`);
  },
};
