import type { SectionProps } from '../kit/section-props.ts';
import { Kinds } from './kinds.tsx';
import { ObjectList } from './object-list.tsx';
import { ObjectPage } from './object-page.tsx';

/** Shows the kinds of objects, the objects of a kind, or one object. */
export function Objects({ path: [kind, id] }: SectionProps) {
  if (kind === undefined) return <Kinds />;
  return id === undefined ? <ObjectList kind={kind} /> : <ObjectPage kind={kind} id={id} />;
}
