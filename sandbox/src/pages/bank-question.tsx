import type { ChallengeAnswer } from '../transact/three-d-secure.ts';
import { texts } from './texts.ts';

/** The answers that a buyer can give to the bank. */
export const bankAnswers: readonly ChallengeAnswer[] = ['passed', 'failed', 'unanswered'];

/** The payment that the card's bank asks the buyer about. */
export function AskedPayment({ shop, amount }: { readonly shop: string; readonly amount: string }) {
  return (
    <dl>
      <div>
        <dt>{texts.challenge.shop}</dt>
        <dd>
          <bdi>{shop}</bdi>
        </dd>
      </div>
      <div>
        <dt>{texts.challenge.amount}</dt>
        <dd>{amount}</dd>
      </div>
    </dl>
  );
}

/** A button for each answer to the bank. */
export function AnswerButtons() {
  return bankAnswers.map((answer) => (
    <button name="answer" type="submit" value={answer} class={answer === 'passed' ? undefined : 'secondary'}>
      {texts.challenge[answer]}
    </button>
  ));
}
