import { isEmail, isPhone, mayBeLeftOut } from '../../pages/checkout/answer-rules.ts';
import { type Control, checkField, type Flaw } from '../card-form/field-check.ts';

function isControl(element: Element): element is Control {
  return element instanceof HTMLInputElement || element instanceof HTMLSelectElement;
}

function flawOf({ type, required }: Control, text: string): Flaw | undefined {
  if (text === '') return required ? 'missing' : undefined;
  const isWrong = (type === 'email' && !isEmail(text)) || (type === 'tel' && !isPhone(text));
  return isWrong ? 'wrong' : undefined;
}

/** Updates which address fields are required when the country changes. */
function followCountry(country: HTMLSelectElement, parts: readonly Control[]): void {
  const follow = (): void => {
    for (const part of parts) {
      part.required = !mayBeLeftOut(part.name, country.value);
      const mark = document.querySelector<HTMLElement>(`label[for="${part.name}"] .optional`);
      if (mark) mark.hidden = part.required;
    }
  };
  country.addEventListener('input', follow);
  follow();
}

/**
 * Checks the fields of a form on blur.
 *
 * @param cardChecks The checks of the card's fields, by name.
 * @returns Checks all fields now, and focuses the first invalid one.
 */
export function checkAnswers(
  form: HTMLFormElement,
  cardChecks: ReadonlyMap<string, () => boolean>,
): () => boolean {
  const controls = [...form.elements].filter(isControl).filter(({ type }) => type !== 'hidden');
  for (const country of controls) {
    if (!(country instanceof HTMLSelectElement) || !country.required) continue;
    const group = country.name.replace('country', '');
    followCountry(
      country,
      controls.filter(({ name }) => [`${group}state`, `${group}postal_code`].includes(name)),
    );
  }
  const checks = controls.map((control) => ({
    control,
    check: cardChecks.get(control.name) ?? checkField(control, (text) => flawOf(control, text)),
  }));
  return () => {
    const [first] = checks.filter(({ check }) => !check());
    first?.control.focus();
    return first === undefined;
  };
}
