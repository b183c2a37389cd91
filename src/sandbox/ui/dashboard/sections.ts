import type { ComponentType } from 'preact';
import { Deliveries } from './deliveries/deliveries.tsx';
import { Endpoints } from './endpoints/endpoints.tsx';
import { Events } from './events/events.tsx';
import { Faults } from './faults/faults.tsx';
import { Home } from './home/home.tsx';
import type { SectionProps } from './kit/section-props.ts';
import { Objects } from './objects/objects.tsx';
import { Requests } from './requests/requests.tsx';
import { StorySection } from './stories/story-section.tsx';
import { Tools } from './tools/tools.tsx';

/** The groups of the navigation. */
export type Group = 'Payments' | 'Webhooks' | 'Control';

/** A part of the dashboard. */
export interface Section {
  /** The first part of its address: `requests` is `#/requests`. The home page has none. */
  readonly name: string;
  readonly title: string;
  /** The navigation group; `null` if the navigation does not list it. */
  readonly group: Group | null;
  /** The section that the navigation highlights instead. */
  readonly under?: string;
  readonly Show: ComponentType<SectionProps>;
}

/** All sections, in the order of the navigation. */
export const sections: readonly Section[] = [
  { name: '', title: 'Operations', group: 'Payments', Show: Home },
  { name: 'stories', title: 'Operation', group: null, under: '', Show: StorySection },
  { name: 'requests', title: 'Requests', group: 'Payments', Show: Requests },
  { name: 'objects', title: 'Objects', group: 'Payments', Show: Objects },
  { name: 'events', title: 'Events', group: 'Webhooks', Show: Events },
  { name: 'deliveries', title: 'Deliveries', group: 'Webhooks', Show: Deliveries },
  { name: 'endpoints', title: 'Endpoints', group: 'Webhooks', Show: Endpoints },
  { name: 'faults', title: 'Faults', group: 'Control', Show: Faults },
  { name: 'tools', title: 'Tools', group: 'Control', Show: Tools },
];
