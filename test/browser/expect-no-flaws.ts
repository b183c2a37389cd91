import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { violationsOf } from '../support/axe.ts';

/** Returns what a page cuts off, or draws over something else. A text that ends in an ellipsis is cut off on purpose. */
function layoutFlawsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const nameOf = (element: Element) => `<${element.localName}> ${element.textContent.trim().slice(0, 40)}`;
    const shown = [...document.querySelectorAll('body *')].filter(
      (element) => element.checkVisibility({ visibilityProperty: true }) && element.closest('thead') === null,
    );
    const cut = shown.filter((element) => {
      const { overflowX, textOverflow } = getComputedStyle(element);
      const isCut = overflowX === 'hidden' && textOverflow === 'clip' && element.clientWidth > 1;
      return isCut && element.scrollWidth > element.clientWidth + 1;
    });
    // A dialog covers the page, and the header covers what is scrolled below it.
    const area = document.querySelector('dialog[open]') ? 'dialog[open]' : 'main';
    const controls = [
      ...document.querySelectorAll(`${area} :is(a, button, input, select, summary, time, .badge)`),
    ];
    const parts = controls
      .filter((element) => element.checkVisibility({ visibilityProperty: true }))
      .flatMap((element) => [...element.getClientRects()].map((box) => ({ element, box })));
    const covered = parts.filter(({ element, box }) =>
      parts.some(
        ({ element: other, box: { left, right, top, bottom } }) =>
          !element.contains(other) &&
          !other.contains(element) &&
          Math.min(right, box.right) - Math.max(left, box.left) > 1 &&
          Math.min(bottom, box.bottom) - Math.max(top, box.top) > 1,
      ),
    );
    const { scrollWidth, clientWidth } = document.documentElement;
    return [
      ...(scrollWidth > clientWidth ? [`the page is ${scrollWidth - clientWidth} px too wide`] : []),
      ...cut.map((element) => `cut off: ${nameOf(element)}`),
      ...covered.map(({ element }) => `overlaps: ${nameOf(element)}`),
    ];
  });
}

/** Expects a page without accessibility violations, horizontal scrolling, cut-off text and overlapping controls. */
export async function expectNoFlaws(page: Page, place: string): Promise<void> {
  expect([...(await violationsOf(page)), ...(await layoutFlawsOf(page))], place).toEqual([]);
}

/** The common screens, in both colour schemes. */
export const looks = [390, 768, 1280, 1920].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ colorScheme, viewport: { width, height: 800 } })),
);
