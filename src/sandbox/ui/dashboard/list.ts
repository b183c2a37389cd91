/** How a list makes its elements. */
export interface ListParts<T> {
  /** Tells an item, as it is shown, from all others. */
  readonly keyOf: (item: T) => string;
  /** Makes its element. */
  readonly build: (item: T) => HTMLElement;
  /** Writes into an element what may change under the same key. Default: nothing may. */
  readonly refresh?: (element: HTMLElement, item: T) => void;
}

/** Moves no element that stands right. */
function arrange(parent: HTMLElement, elements: readonly HTMLElement[]): void {
  const wanted = new Set<Element>(elements);
  for (const child of [...parent.children]) if (!wanted.has(child)) child.remove();
  elements.forEach((element, index) => {
    const there = parent.children.item(index);
    if (there !== element) parent.insertBefore(element, there);
  });
}

/**
 * A list that changes while somebody works with it. What stays the same stays the same element, or the focus, a selection, and
 * the click that has just begun would be lost with each request of a busy sandbox.
 */
export class List<T> {
  readonly #parent: HTMLElement;
  readonly #parts: ListParts<T>;
  #elements: ReadonlyMap<string, HTMLElement> = new Map();

  /** @param parent What the elements stand in, and nothing else. */
  constructor(parent: HTMLElement, parts: ListParts<T>) {
    this.#parent = parent;
    this.#parts = parts;
  }

  /** Shows these items, in this order. */
  show(items: readonly T[]): void {
    const { keyOf } = this.#parts;
    this.#elements = new Map(items.map((item) => [keyOf(item), this.#elementOf(item)]));
    arrange(this.#parent, [...this.#elements.values()]);
  }

  #elementOf(item: T): HTMLElement {
    const { keyOf, build, refresh } = this.#parts;
    const element = this.#elements.get(keyOf(item)) ?? build(item);
    refresh?.(element, item);
    return element;
  }
}
