import type { ComponentType } from 'preact';
import { Home } from './home/home.tsx';
import type { SectionProps } from './kit/section-props.ts';
import { Requests } from './requests/requests.tsx';
import { StorySection } from './stories/story-section.tsx';

/** The groups of the navigation. */
export type Group = 'Payments' | 'Money' | 'Webhooks' | 'Control';

/** A part of the dashboard. */
export interface Section {
  /** The first part of its address: `requests` is `#/requests`. The home page has none. */
  readonly name: string;
  readonly title: string;
  /** Where the navigation has it. */
  readonly group: Group | null;
  /** The section that the navigation marks instead, where it has none of its own. */
  readonly under?: string;
  readonly Show: ComponentType<SectionProps>;
}

/** All sections, in the order of the navigation. */
export const sections: readonly Section[] = [
  { name: '', title: 'Operations', group: 'Payments', Show: Home },
  { name: 'stories', title: 'Operation', group: null, under: '', Show: StorySection },
  { name: 'requests', title: 'Requests', group: 'Payments', Show: Requests },
];
