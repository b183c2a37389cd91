type Tag = keyof HTMLElementTagNameMap;

/** An element with its properties and what is in it. Text is always text: nothing of the sandbox's data becomes markup. */
export function el<Name extends Tag>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

/** A word that stands for a state, in its colour. */
export function badge(text: string, mood: 'good' | 'warn' | 'bad' | 'plain' = 'plain'): HTMLElement {
  return el('span', { className: `badge ${mood}` }, text);
}

/** What is moved sideways where there is not room enough for it. */
export function scrolling(name: string, ...children: readonly HTMLElement[]): HTMLElement {
  return el('div', { className: 'scroll', tabIndex: 0, role: 'region', ariaLabel: name }, ...children);
}

/** A label with its control. */
export function labelled(text: string, control: HTMLElement): HTMLLabelElement {
  return el('label', {}, el('span', {}, text), control);
}

/** A choice of texts; the first of each pair is what is chosen, the second what is read. */
export function choice(options: readonly (readonly [value: string, text: string])[]): HTMLSelectElement {
  return el('select', {}, ...options.map(([value, text]) => el('option', { value }, text)));
}
