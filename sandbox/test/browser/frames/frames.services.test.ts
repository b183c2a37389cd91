/**
 * What every frame of the sandbox in a merchant's page promises: the bank's question, and the card fields.
 *
 * @module-tag thorough
 */

import type { FrameLocator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { spoilStyles } from '../../../../test/browser/hostile-styles.ts';
import { pollTimeout } from '../../../../test/browser/poll-timeout.ts';
import { violationsOf } from '../../../../test/support/axe.ts';
import { hasChromium, openPage, viewports } from '../../../../test/support/chromium.ts';
import { skipWithout } from '../../../../test/support/skip.ts';
import {
  challenge,
  heardBy,
  innerOf,
  showFields,
  startMerchant,
  typeCard,
  useCard,
  useShop,
  type Visit,
} from './shop.ts';

const { isSkipped, why } = skipWithout(hasChromium(), 'chromium', 'the frames of the browser scripts');

interface Framed {
  readonly script: 'Gateway.js' | 'CollectJS.js';
  readonly body: string;
  readonly show: (visit: Visit) => Promise<FrameLocator>;
  /** How the buyer reaches each further state of the frame. */
  readonly states: readonly ((frame: FrameLocator) => Promise<void>)[];
  readonly finish: (frame: FrameLocator) => Promise<void>;
  /** A message that would end the frame with another result. */
  readonly forged: unknown;
  /** What the page hears in the end. */
  readonly heard: readonly unknown[];
}

const frames: readonly Framed[] = [
  {
    script: 'Gateway.js',
    body: '<button>Pay</button>',
    show: challenge,
    states: [],
    finish: (frame) => frame.getByRole('button', { name: 'Confirm payment' }).click(),
    forged: { kind: 'answer', answer: 'failed' },
    heard: ['returned', expect.objectContaining({ authenticated: true, cardholder_auth: 'Y' })],
  },
  {
    script: 'CollectJS.js',
    body: '<div id="card-fields"></div><p>After it</p>',
    show: showFields,
    states: [
      async (frame) => {
        await useCard(frame);
        await frame.getByText('This card number is not valid').waitFor();
      },
      (frame) => frame.getByText('Test cards').click(),
    ],
    finish: async (frame) => {
      await typeCard(frame);
      await useCard(frame);
    },
    forged: { kind: 'token', token: 'tok_forged' },
    heard: [expect.stringMatching(/^tok_[0-9a-z]{16}$/)],
  },
];

const paints = { light: 'rgb(255, 255, 255)', dark: 'rgb(26, 33, 41)' } as const;

/** Waits until the frame is as high as its content and no wider. */
async function fits(page: Page): Promise<void> {
  await innerOf(page).waitForFunction(() => {
    const { scrollHeight, clientHeight, scrollWidth, clientWidth } = document.documentElement;
    return clientHeight === scrollHeight && scrollWidth === clientWidth && innerHeight === scrollHeight;
  });
}

/** Waits until the frame, and the dialog around it if there is one, are in a colour scheme. */
async function isPainted(page: Page, frame: FrameLocator, scheme: 'light' | 'dark'): Promise<void> {
  const background = (element: Element) => getComputedStyle(element).backgroundColor;
  const others = async () => [
    await frame.locator('body').evaluate(background),
    ...(await page
      .locator('dialog')
      .evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor))),
  ];
  const wrong = async () => (await others()).filter((one) => one !== paints[scheme]);
  await expect.poll(wrong, pollTimeout).toEqual([]);
}

/** Returns what the shop could have changed: the measures and colours of the frame, the dialog and its button. */
const looksOf = (page: Page) =>
  page.locator('dialog, dialog button, iframe').evaluateAll((all) =>
    all.map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      const style = getComputedStyle(element);
      const { color, backgroundColor, fontSize, opacity, visibility, borderTopWidth } = style;
      const { filter, clipPath, pointerEvents } = style;
      const backdrop = getComputedStyle(element, '::backdrop').backgroundColor;
      return {
        place: element.closest('dialog') ? [x, y] : [],
        size: [width, height],
        look: { color, backgroundColor, fontSize, opacity, visibility, borderTopWidth, backdrop },
        reach: { filter, clipPath, pointerEvents },
      };
    }),
  );

describe.skipIf(isSkipped).each(frames)(`the frame of $script${why}`, { timeout: 300_000 }, (framed) => {
  const open = useShop(framed.script, framed.body);

  it('is forbidden in the page of anyone else', async () => {
    const visit = await open();
    await framed.show(visit);
    const address = await visit.page.locator('iframe').getAttribute('src');
    const browser = visit.page.context().browser();
    if (browser === null) throw new Error('There is no browser.');
    const other = await openPage(browser);
    const refusals: string[] = [];
    other.on('console', (message) => refusals.push(message.text()));
    await other.goto(await startMerchant(visit.sandbox, framed.script));
    await other.evaluate(async (src) => {
      const frame = document.createElement('iframe');
      const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
      frame.src = src ?? '';
      document.body.append(frame);
      await loaded;
    }, address);
    expect(await other.frameLocator('iframe').locator('button, input').count()).toBe(0);
    expect(refusals.join()).toMatch(/frame-ancestors/);
  });

  it('believes no message of the page itself or of other frames', async () => {
    const visit = await open();
    const { page, sandbox } = visit;
    const frame = await framed.show(visit);
    const requests = sandbox.requests.length;
    await page.locator('iframe').evaluate(
      async (element: HTMLIFrameElement, [data, origin]) => {
        const own = element.contentWindow;
        const stranger = document.body.appendChild(document.createElement('iframe')).contentWindow;
        const settled = new Promise((resolve) => addEventListener('message', resolve, { once: true }));
        postMessage(data, '*');
        await settled;
        const say = (init: MessageEventInit) => dispatchEvent(new MessageEvent('message', init));
        say({ data, source: stranger, origin });
        say({ data, source: null, origin });
        say({ data, source: own, origin: location.origin });
        say({ data: null, source: own, origin });
      },
      [framed.forged, new URL(sandbox.url).origin] as const,
    );
    expect(sandbox.requests).toHaveLength(requests);
    await framed.finish(frame);
    expect(await heardBy(page, framed.heard.length)).toEqual(framed.heard);
  });

  it("looks and works as it does without the shop's style sheet", async () => {
    const visit = await open();
    const { page } = visit;
    const frame = await framed.show(visit);
    const looks = async () => {
      const seen: unknown[] = [];
      for (const size of [viewports.phone, viewports.desktop]) {
        await page.setViewportSize(size);
        await fits(page);
        seen.push(await looksOf(page));
      }
      return seen;
    };
    const before = await looks();
    await spoilStyles(page);
    expect(await looks()).toEqual(before);
    await framed.finish(frame);
    expect(await heardBy(page, framed.heard.length)).toEqual(framed.heard);
  });

  it("follows the shop's color-scheme, whatever the device has", async () => {
    const visit = await open();
    const { page } = visit;
    const frame = await framed.show(visit);
    for (const device of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: device });
      for (const scheme of ['dark', 'light', 'light dark'] as const) {
        await page.evaluate((value) => {
          document.documentElement.style.colorScheme = value;
        }, scheme);
        await isPainted(page, frame, scheme === 'light dark' ? device : scheme);
      }
    }
  });

  it('has no accessibility violations and clips nothing, in each state, on any screen', async () => {
    const visit = await open();
    const { page } = visit;
    const frame = await framed.show(visit);
    for (const reach of [async () => {}, ...framed.states]) {
      await reach(frame);
      for (const [width, colorScheme] of [
        [320, 'light'],
        [390, 'dark'],
        [1280, 'light'],
        [1920, 'dark'],
      ] as const) {
        await page.setViewportSize({ width, height: 844 });
        await page.emulateMedia({ colorScheme });
        await isPainted(page, frame, colorScheme);
        await fits(page);
        expect(await violationsOf(innerOf(page)), `${width} px, ${colorScheme}`).toEqual([]);
      }
      expect(await violationsOf(page)).toEqual([]);
    }
  });
});
