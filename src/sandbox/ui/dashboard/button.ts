import { el } from './element.ts';
import { fail, forgive } from './show-problem.ts';

/** A button that does something, and is out of use until it is done. What does not work is said. */
export function button(label: string, act: () => unknown, className = ''): HTMLButtonElement {
  const element = el('button', { type: 'button', className }, label);
  element.addEventListener('click', async () => {
    element.disabled = true;
    forgive();
    try {
      await act();
    } catch (error) {
      fail(error);
    } finally {
      element.disabled = false;
      // Out of use, it has lost the focus.
      if (document.activeElement === document.body) element.focus();
    }
  });
  return element;
}
