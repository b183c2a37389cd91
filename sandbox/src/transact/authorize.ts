import { readChecks } from 'payments-client/fraud';
import type { AvsCode, CvvCode, RiskDecision, RiskRecommendation } from '../base/interface-types.ts';
import type { KnownCard } from '../domain/records/records.ts';
import type { Transaction, TransactionStatus } from '../domain/records/transaction.ts';
import type { State } from '../domain/state.ts';
import { toAmount } from './amount-field.ts';
import type { PaymentRequest } from './form-request.ts';
import { redeemToken } from './payment-token.ts';
import type { Screening } from './screening.ts';
import { behaviourOf } from './test-cards.ts';
import { readSentAuthentication, type SentAuthentication } from './three-d-secure.ts';
import { dueFrom } from './transaction-sums.ts';

/**
 * Returns the fixed score of a test address; `undefined` for any other address. The interface lists four fixed scores without their
 * addresses, so these are the sandbox's own: `risk10@…`, `risk50@…`, `risk90@…` and `risk95@…`, also after a `+`, in either case.
 */
function fixedScoreOf(email: string): number | undefined {
  const [, score] = /^(?:[^@]*\+)?risk(10|50|90|95)@[^@]+$/i.exec(email.trim()) ?? [];
  return score === undefined ? undefined : Number(score);
}

interface RiskFacts {
  /** The buyer's e-mail address; empty if none was sent. */
  readonly email: string;
  readonly avs: AvsCode | '';
  readonly cvv: CvvCode | '';
  readonly authentication: SentAuthentication;
}

const base = 10;
const afterFailedAuthentication = 90;

const byAuthentication: Readonly<Record<Exclude<SentAuthentication, 'failed'>, number>> = {
  none: 0,
  succeeded: -10,
  unavailable: 20,
};

const decisions: Readonly<Record<RiskRecommendation, RiskDecision>> = {
  approve: 'A',
  approve_with_monitoring: 'A',
  review: 'R',
  decline_or_verify: 'D',
  decline: 'D',
};

/**
 * Returns the score from 0 to 100. A test address has a fixed one, and a failed authentication gives 90. Otherwise it
 * starts at 10, rises with each failed check, and falls for an authenticated buyer. The rules are the sandbox's own.
 */
function scoreOf({ email, avs, cvv, authentication }: RiskFacts): number {
  const fixed = fixedScoreOf(email);
  if (fixed !== undefined) return fixed;
  if (authentication === 'failed') return afterFailedAuthentication;
  const score = base + (avs === 'N' ? 20 : 0) + (cvv === 'N' ? 30 : 0) + byAuthentication[authentication];
  return Math.max(0, score);
}

/** Returns the decision that the interface recommends for a score. */
function decisionOf(score: number): RiskDecision {
  const recommendation = readChecks({ risk_score: score }).risk?.recommendation;
  return recommendation === undefined ? 'R' : decisions[recommendation];
}

interface ScreenedPayment {
  readonly request: PaymentRequest;
  /** The card; `undefined` for a token that the sandbox did not create, which stands for a card that pays. */
  readonly card: KnownCard | undefined;
  readonly screening: Screening;
}

type Answer = Pick<Transaction, 'response' | 'responsetext' | 'responseCode'>;
type Checks = Pick<Transaction, 'avs' | 'cvv' | 'riskScore' | 'riskDecision'>;

const approval: Answer = { response: '1', responsetext: 'SUCCESS', responseCode: '100' };
/** Amounts below this are declined, in whole units, so that a test can get a decline without a special card. */
const leastAmount = 1;

function decline(responsetext: string, responseCode = '200'): Answer {
  return { response: '2', responsetext, responseCode };
}

/**
 * Creates the transaction of a payment, approved or not.
 *
 * @throws FormRefusal when its token is unusable.
 */
export function authorize(state: State, payment: ScreenedPayment): Transaction {
  const { request, screening } = payment;
  const { type, payer, orderid, decimals } = request;
  if (typeof payer === 'string') redeemToken(state, payer);
  const checks = check(payment);
  const answer = decide(state, payment, checks);
  const status = statusOf(request, answer);
  const now = state.clock.now();
  const approved = answer.response === '1';
  const { id, text } = numbered(state, answer);
  return state.objects.transaction.add({
    id,
    type,
    amount: toAmount(request.amount, decimals),
    currency: request.currency.toUpperCase(),
    orderid,
    approved,
    status,
    ...answer,
    responsetext: text,
    authcode: approved && type !== 'credit' ? state.ids.digits(6) : '',
    captured: toAmount(status === 'pending' && type === 'sale' ? request.amount : 0, decimals),
    refunded: toAmount(0, decimals),
    refundOf: null,
    ...checks,
    riskDecision: decisionAfter(checks, screening),
    riskSessionId: state.objects.device_session.get(request.riskSessionId)?.id ?? null,
    velocityRules: screening.rules,
    createdAt: now,
    dueAt: dueFrom(now, status),
  });
}

function numbered({ ids }: State, { response, responsetext }: Answer): { id: string; text: string } {
  const id = ids.digits(10);
  return { id, text: response === '3' ? `${responsetext} REFID:${ids.digits(10)}` : responsetext };
}

/** Returns the checks. A blocked payment never reaches the issuer; payouts are not checked. */
function check({ request, card, screening }: ScreenedPayment): Checks {
  if (request.type === 'credit') return { avs: '', cvv: '', riskScore: null, riskDecision: null };
  const behaviour = behaviourOf(card?.testCard ?? null);
  const isBlocked = screening.decision === 'block';
  const avs = isBlocked ? '' : behaviour.avs;
  const cvv = isBlocked || card?.hasCvv === false ? '' : behaviour.cvv;
  const authentication = readSentAuthentication(request.cardholderAuth, request.eci);
  const riskScore = scoreOf({ email: request.email, avs, cvv, authentication });
  return { avs, cvv, riskScore, riskDecision: decisionOf(riskScore) };
}

/** Returns the first objection: of a velocity rule, the issuer, or the fraud score. */
function decide(state: State, payment: ScreenedPayment, checks: Checks): Answer {
  const { screening } = payment;
  if (screening.decision === 'block') return decline(`Velocity rule ${screening.rules[0] ?? ''}`.trim());
  const refusal = refusalOfIssuer(state, payment);
  if (refusal !== undefined) return refusal;
  if (checks.riskDecision === 'D') return decline('Declined by fraud scoring');
  return approval;
}

function refusalOfIssuer({ clock }: State, { request, card }: ScreenedPayment): Answer | undefined {
  const planned = behaviourOf(card?.testCard ?? null).decline;
  if (planned !== null) {
    const { response, responsetext, code } = planned;
    return { response, responsetext, responseCode: code };
  }
  if (card !== undefined && clock.now() >= card.expiresAt) return decline('Expired card', '223');
  const takesMoney = request.type === 'sale' || request.type === 'auth';
  return takesMoney && request.amount < leastAmount * 10 ** request.decimals ? decline('DECLINE') : undefined;
}

/** Returns the stricter decision of the score and the velocity rules. */
function decisionAfter({ riskDecision }: Checks, { decision }: Screening): RiskDecision | null {
  if (riskDecision === null || riskDecision === 'D' || decision === 'allow') return riskDecision;
  return decision === 'block' ? 'D' : 'R';
}

function statusOf({ type }: PaymentRequest, { response }: Answer): TransactionStatus {
  if (response === '2') return 'declined';
  if (response === '3') return 'failed';
  if (type === 'auth') return 'authorized';
  return type === 'validate' ? 'validated' : 'pending';
}
