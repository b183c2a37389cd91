/** What is wrong with an answer; the page has the words for each. */
export type Flaw = 'missing' | 'wrong' | 'past';

/** What an answer is typed or chosen in. */
export type Control = HTMLInputElement | HTMLSelectElement;

/** Says what is wrong with a field; `undefined` says that nothing is. */
function tell(control: Control, flaw: Flaw | undefined): void {
  const problem = document.getElementById(`${control.name}-problem`);
  if (problem === null) return;
  problem.textContent = flaw === undefined ? '' : (problem.dataset[flaw] ?? '');
  problem.hidden = flaw === undefined;
  control.ariaInvalid = flaw === undefined ? 'false' : 'true';
  const described = [document.getElementById(`${control.name}-hint`), problem].filter(
    (one) => one?.hidden === false,
  );
  control.setAttribute('aria-describedby', described.map((one) => one?.id).join(' '));
}

/**
 * Checks a field when the buyer leaves it, and from the first mistake on whenever it changes: nobody is corrected while
 * typing for the first time.
 *
 * @returns Checks it now, and says whether it is right.
 */
export function checkField(control: Control, flawOf: (text: string) => Flaw | undefined): () => boolean {
  let isChanged = false;
  const check = (): boolean => {
    const flaw = flawOf(control.value.trim());
    tell(control, flaw);
    return flaw === undefined;
  };
  control.addEventListener('input', () => {
    isChanged = true;
    if (control.ariaInvalid === 'true') check();
  });
  const element: HTMLElement = control;
  element.addEventListener('focusout', ({ relatedTarget }) => {
    // A message would move the button away from under the pointer. Pressing it checks the field anyway.
    if (isChanged && !(relatedTarget instanceof HTMLButtonElement)) check();
  });
  control.form?.addEventListener('reset', () => {
    isChanged = false;
  });
  return check;
}
