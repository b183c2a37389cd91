/** The kinds of input errors. The page holds a message for each. */
export type Flaw = 'missing' | 'wrong' | 'past';

/** A form control. */
export type Control = HTMLInputElement | HTMLSelectElement;

/** Shows the error of a field; `undefined` clears it. */
function showFlaw(control: Control, flaw: Flaw | undefined): void {
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
 * Checks a field on blur, and after its first error on every change: it reports nothing during the first typing.
 *
 * @returns Checks it now and returns whether it is valid.
 */
export function checkField(control: Control, flawOf: (text: string) => Flaw | undefined): () => boolean {
  let isChanged = false;
  const check = (): boolean => {
    const flaw = flawOf(control.value.trim());
    showFlaw(control, flaw);
    return flaw === undefined;
  };
  control.addEventListener('input', () => {
    isChanged = true;
    if (control.ariaInvalid === 'true') check();
  });
  const element: HTMLElement = control;
  element.addEventListener('focusout', ({ relatedTarget }) => {
    // A message would move the button from under the pointer. Pressing the button checks the field anyway.
    if (isChanged && !(relatedTarget instanceof HTMLButtonElement)) check();
  });
  control.form?.addEventListener('reset', () => {
    isChanged = false;
  });
  return check;
}
