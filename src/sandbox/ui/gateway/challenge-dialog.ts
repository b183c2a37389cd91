import { createFrame } from '../frames/frame.ts';
import { openModal } from '../frames/modal.ts';

/**
 * Asks the buyer in a dialog.
 *
 * @returns The answer. A buyer who closes the dialog leaves it `unanswered`.
 */
export function askBuyer(address: URL): Promise<string> {
  return new Promise((resolve) => {
    let answer = 'unanswered';
    const frame = createFrame(address, "Your bank's question", (message) => {
      if (message.kind !== 'answer') return;
      answer = message.answer;
      close();
    });
    const close = openModal(frame.element, () => {
      frame.remove();
      resolve(answer);
    });
  });
}
