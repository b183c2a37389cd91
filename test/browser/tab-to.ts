import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** A control that has the focus. */
interface Stop {
  readonly name: string;
  /** Whether it has an outline, and nothing covers it. */
  readonly isVisible: boolean;
}

/** Returns what has the focus; `undefined` if it is lost. */
export function focusOf(page: Page): Promise<Stop | undefined> {
  return page.evaluate(() => {
    const { activeElement: element } = document;
    const box = element?.getClientRects()[0];
    if (element === null || element === document.body || box === undefined) return undefined;
    const label =
      element instanceof HTMLInputElement ? element.labels?.[0]?.firstChild?.textContent : undefined;
    const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    const outlined = element.closest('.what:has(.toggle:focus-visible)') ?? element;
    return {
      name: (label ?? element.ariaLabel ?? element.textContent).trim(),
      isVisible:
        getComputedStyle(outlined).outlineStyle !== 'none' &&
        (element.contains(top) || top?.contains(element) === true),
    };
  });
}

/** Presses Tab until a control with a name has the focus, and expects to see the focus at each stop. */
export async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 200; presses += 1) {
    await page.keyboard.press('Tab');
    const stop = await focusOf(page);
    expect(stop, `the focus on the way to ${name}`).toMatchObject({ isVisible: true });
    if (stop?.name === name) return;
  }
  throw new Error(`Tab does not reach ${name}.`);
}
