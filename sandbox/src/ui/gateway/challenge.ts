import { beginFrame, onEscape, requireElement } from '../frames/framed-page.ts';
import { sendToPage } from '../frames/messages.ts';

const main = requireElement('main');
const origin = main.dataset['origin'] ?? '';
const sendAnswer = (answer: string): void => sendToPage(origin, { kind: 'answer', answer });

for (const button of main.querySelectorAll('button')) {
  button.addEventListener('click', () => sendAnswer(button.value));
}
onEscape(() => sendAnswer('unanswered'));
beginFrame(origin);
requireElement('#title').focus();
