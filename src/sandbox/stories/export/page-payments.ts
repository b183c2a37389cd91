import type { RecordedChange, RecordedRequest } from '../entry.ts';
import { isChange, type StorySource } from './story-source.ts';

/** What the buyer did on a page: paid by a test card, or answered a 3-D Secure challenge. */
export type PageStep = { readonly card: string } | { readonly challenge: string; readonly answer: string };

/** The test card for each state of an authentication without a challenge. */
const cardsByAuthentication: Readonly<Record<string, string>> = {
  challenge_required: 'challengeRequired',
  frictionless: 'frictionless',
  unavailable: 'authenticationUnavailable',
  failed: 'authenticationFailed',
};

/** The test card for each decline code of a charge. */
const cardsByDecline: Readonly<Record<string, string>> = {
  insufficient_funds: 'insufficientFunds',
  expired_card: 'expiredCard',
  stolen_card: 'stolenCard',
  processing_error: 'processingError',
};

const answers: Readonly<Record<string, string>> = { authenticated: 'passed', failed: 'failed' };

const statusOf = ({ after }: RecordedChange) => String(after?.['status']);

/** Returns what the buyer did with a request of a page; `undefined` if the page made no attempt. */
export function pageStep({ number }: RecordedRequest, { own }: StorySource): PageStep | undefined {
  const changes = own.filter(isChange).filter(({ cause }) => cause === number);
  const authentication = changes.find(({ object }) => object.kind === 'authentication');
  if (authentication !== undefined && authentication.before !== null) {
    const answer = answers[statusOf(authentication)] ?? 'unanswered';
    return { challenge: authentication.object.id, answer };
  }
  if (authentication !== undefined) {
    return { card: cardsByAuthentication[statusOf(authentication)] ?? 'authenticated' };
  }
  const charge = changes.find(({ object, before }) => object.kind === 'charge' && before === null);
  if (charge === undefined) return undefined;
  if (statusOf(charge) !== 'failed') return { card: 'fullMatch' };
  return { card: cardsByDecline[String(charge.after?.['decline_code'])] ?? 'doNotHonor' };
}
