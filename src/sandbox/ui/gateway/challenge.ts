import { beginFrame, inside, onEscape } from '../frames/inside.ts';
import { tell } from '../frames/messages.ts';

const main = inside('main');
const origin = main.dataset['origin'] ?? '';
const say = (answer: string): void => tell(origin, { kind: 'answer', answer });

for (const button of main.querySelectorAll('button')) {
  button.addEventListener('click', () => say(button.dataset['answer'] ?? 'unanswered'));
}
onEscape(() => say('unanswered'));
beginFrame(origin);
inside('#title').focus();
