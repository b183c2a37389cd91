/**
 * Sets inline properties through the CSSOM, since a shop's policy may forbid style sheets and attributes. Important
 * ones override every rule of the shop.
 */
export function style(element: HTMLElement, properties: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(properties)) element.style.setProperty(name, value, 'important');
}
