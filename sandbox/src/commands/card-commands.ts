import { addToken } from '../transact/payment-token.ts';
import { type TestCardName, testCards, typedTestCard } from '../transact/test-cards.ts';
import { authenticateToken, type ChallengeAnswer } from '../transact/three-d-secure.ts';
import { choice, optional, text } from './argument.ts';
import { Command } from './command.ts';
import type { World } from './world.ts';

// The names of an object are those of its type.
const names = Object.keys(testCards) as TestCardName[];

async function tokenOf({ cards, state }: World, card: TestCardName) {
  const known = await cards.read(typedTestCard(testCards[card]));
  return { payment_token: state.unit(() => addToken(state, known).id) };
}

export const tokenizeCommand = new Command({
  name: 'tokenize',
  summary: 'Creates a payment_token for a test card, as the card fields of a page do.',
  more: 'It is valid once, for 15 minutes of the clock.',
  examples: ['tokenize fullMatch'],
  args: { card: choice('The name of the test card.', { what: 'the name of a test card', words: names }) },
  run: (world, { card }: { readonly card: TestCardName }) => tokenOf(world, card),
  tell: ({ payment_token }) => `The payment_token is ${payment_token}.`,
});

const answers = ['passed', 'failed', 'unanswered'] as const satisfies readonly ChallengeAnswer[];

type Args = { readonly payment_token: string; readonly challenge?: ChallengeAnswer | undefined };

export const authenticateCommand = new Command({
  name: 'authenticate',
  summary: 'Runs 3-D Secure for a payment_token, as the browser script does. The token stays unused.',
  examples: ['authenticate tok_0123456789abcdef --challenge failed'],
  args: {
    payment_token: text('The token.'),
    challenge: optional(
      choice("The buyer's answer if the card requires a challenge. Default: passed.", {
        what: `one of ${answers.join(', ')}`,
        words: answers,
      }),
    ),
  },
  run: ({ state }, { payment_token, challenge = 'passed' }: Args) =>
    authenticateToken(state, payment_token, challenge),
  // A token stands for a card.
  recorded: ({ challenge = 'passed' }) => ({ challenge }),
  tell: ({ status }) => `3-D Secure ended with ${status}.`,
});
