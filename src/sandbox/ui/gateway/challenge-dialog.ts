import { createFrame } from '../frames/frame.ts';
import { openModal } from '../frames/modal.ts';

/**
 * Shows a challenge to the buyer in a dialog.
 *
 * @returns The answer; `unanswered` if the buyer closes the dialog.
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
