import { placeholder } from '../../../base/redact.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import type { State } from '../../domain/state.ts';
import { type TestCard, testCards } from '../../transact/test-cards.ts';
import type { Entry, RecordedRequest } from '../entry.ts';
import { type Code, call, quote } from './code-text.ts';
import { notReplayable } from './not-replayable.ts';
import type { Script } from './test-script.ts';

type Checked = Pick<Transaction, 'response' | 'responseCode' | 'responsetext' | 'avs' | 'cvv'>;

/** Types that have a client method. */
const methods: readonly string[] = ['sale', 'auth', 'capture', 'void', 'refund', 'credit', 'validate'];
/** Types that take a card. */
const paying: readonly string[] = ['sale', 'auth', 'credit', 'validate'];

/** Fields of the card and its 3-D Secure data, which are not recorded. */
const ofCard: readonly string[] = [
  'payment_token',
  'ccnumber',
  'ccexp',
  'cvv',
  'cardholder_auth',
  'cavv',
  'xid',
  'eci',
];

function fieldsOf({ request: { body } }: RecordedRequest): ReadonlyMap<string, string> {
  return new Map(new URLSearchParams(body ?? ''));
}

/** Returns the id of the transaction that a form created or changed; `undefined` for none. */
export function transactionOf({ number }: RecordedRequest, own: readonly Entry[]): string | undefined {
  const changes = own.flatMap((entry) =>
    entry.kind === 'change' && entry.cause === number && entry.object.kind === 'transaction' ? [entry] : [],
  );
  const [changed] = changes;
  return (changes.find(({ before }) => before === null) ?? changed)?.object.id;
}

/** Whether a form was rejected for a wrong key or token, but would be charged in the new sandbox. */
export function wasIgnored(request: RecordedRequest, own: readonly Entry[]): boolean {
  const type = fieldsOf(request).get('type') ?? '';
  const isScripted = request.fault?.kind === 'respond';
  return paying.includes(type) && !isScripted && transactionOf(request, own) === undefined;
}

/** The result of a card that is approved. */
const approved: Checked = { response: '1', responseCode: '100', responsetext: 'SUCCESS', avs: 'Y', cvv: 'M' };

/** Returns the name of a test card with the same result. */
function cardFor(transaction: Checked): string {
  const { response, responseCode, responsetext, avs, cvv } = transaction;
  if (responsetext.startsWith('Velocity rule')) {
    throw notReplayable('a velocity rule declined it, which counts transactions of other stories.');
  }
  const [declining] =
    Object.entries(testCards).find(([, { decline }]) => decline?.code === responseCode) ?? [];
  if (declining !== undefined && response !== '1') return declining;
  // An ordinary card. The sandbox declines nothing by its address check.
  if (avs === 'Y' && cvv !== 'N') return 'fullMatch';
  const isAlike = ([, card]: readonly [string, TestCard]) =>
    card.decline === null && (avs === '' || card.avs === avs) && (cvv === '' || card.cvv === cvv);
  const [paying] = Object.entries(testCards).find(isAlike) ?? [];
  return paying ?? 'fullMatch';
}

/** The context of a replayed form. */
interface FormContext {
  readonly own: readonly Entry[];
  readonly state: State;
  /** The year in which the test starts. */
  readonly year: number;
  readonly codeOf: (text: string) => string;
}

function tokenCode(transaction: Checked, { year }: FormContext): Code {
  const ccexp = `12${String((year + 4) % 100).padStart(2, '0')}`;
  const ccnumber = `testCards.${cardFor(transaction)}.number`;
  const fields: (readonly [string, Code])[] = [
    ['ccnumber', ccnumber],
    ['ccexp', quote(ccexp)],
    ...(transaction.cvv === '' ? [] : [['cvv', quote('123')] as const]),
  ];
  return call('sandbox.tokenize', [{ kind: 'object', fields }]);
}

function cardFields(sent: ReadonlyMap<string, string>, token: string): readonly (readonly [string, Code])[] {
  const wasAuthenticated = sent.has('cavv') || sent.has('cardholder_auth');
  if (wasAuthenticated && sent.get('eci') === '07') {
    throw notReplayable('3-D Secure failed in it, which is not recorded.');
  }
  const authentication = wasAuthenticated
    ? [['threeDSecure', `sandbox.authenticate(${token})`] as const]
    : [];
  return [['payment_token', token], ...authentication];
}

/**
 * Returns the client call that repeats a form, with a token for a test card that has the same result.
 *
 * @throws Problem when no test card has it.
 */
export function formCode(request: RecordedRequest, script: Script, context: FormContext): Code {
  const sent = fieldsOf(request);
  if (sent.size === 0)
    throw notReplayable(`the form of request ${request.number} was lost before it was read.`);
  const type = sent.get('type') ?? '';
  const isPaying = paying.includes(type);
  const kept = [...sent].filter(
    ([name, value]) => ![...ofCard, 'security_key', 'type'].includes(name) && value !== placeholder,
  );
  const fields = kept.map(([name, value]) => [name, context.codeOf(value)] as const);
  const token = { kind: 'payment_token', fields: {} };
  if (isPaying) {
    const id = transactionOf(request, context.own);
    // The entries do not show the result of the security-code check.
    const transaction = context.state.objects.transaction.get(id ?? '') ?? approved;
    script.add({ code: tokenCode(transaction, context), isAwaited: true, result: token });
  }
  const card = isPaying ? cardFields(sent, script.variableOf(token)) : [];
  const known = methods.includes(type);
  const typed = known ? [] : [['type', quote(type)] as const];
  return call(`payments.transact.${known ? type : 'submit'}`, [
    { kind: 'object', fields: [...typed, ...fields, ...card] },
  ]);
}
