/** A shop's style sheet that breaks every element that it matches. */

import type { Page } from 'playwright-core';

const rules = `
* {
  display: none !important; visibility: hidden !important; opacity: 0 !important; position: static !important;
  width: 0 !important; height: 0 !important; transform: scale(0) !important; font-size: 0 !important;
  color: transparent !important; background: red !important; pointer-events: none !important;
  transition: none !important; color-scheme: only dark !important; clip-path: inset(50%) !important;
}
*::before, *::after { content: 'spoilt' !important; display: block !important; position: fixed !important; inset: 0 !important; }
dialog::backdrop { display: none !important; }
dialog { inset: auto !important; max-width: 1px !important; border: 9px solid !important; }
iframe { max-height: 0 !important; border: 9px solid !important; filter: invert(1) !important; }
button { all: unset !important; }`;

/** Rules that keep the shop's own page visible. */
const page = `
html, body, main, #card-fields {
  display: block !important; visibility: visible !important; opacity: 1 !important; width: auto !important; height: auto !important;
  transform: none !important; pointer-events: auto !important; color-scheme: only light !important; clip-path: none !important;
}
html::before, html::after, body::before, body::after, main::before, main::after, #card-fields::before, #card-fields::after {
  content: none !important;
}`;

/** Adds it to a page twice: plain, and in a layer, whose important rules override those outside. */
export async function spoilStyles(shop: Page): Promise<void> {
  await shop.evaluate(
    ([hostile, own]) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(`@layer hostile { ${own} ${hostile} } ${hostile} ${own}`);
      document.adoptedStyleSheets = [sheet];
    },
    [rules, page] as const,
  );
}
