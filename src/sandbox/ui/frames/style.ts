/**
 * Styles an element by its own properties alone: a shop's policy may forbid style sheets and attributes. Properties of an element
 * that are important win against every rule of the shop, important ones too.
 */
export function style(element: HTMLElement, properties: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(properties)) element.style.setProperty(name, value, 'important');
}
