import {
  createElement,
  type ForwardRefExoticComponent,
  forwardRef,
  type ReactNode,
  type RefAttributes,
  useId,
  useImperativeHandle,
} from 'react';
import { type CardFieldsControls, type UseCardFieldsOptions, useCardFields } from './use-card-fields.ts';

/** The properties of {@link CardFields}. */
export interface CardFieldsProps extends UseCardFieldsOptions {
  /** The id of the element. Default: an id unique in the page. */
  readonly id?: string | undefined;
  /** The class of the element. Default: none. */
  readonly className?: string | undefined;
  /** The children of the element, if the script expects some. Default: none. */
  readonly children?: ReactNode;
}

/**
 * Shows card fields: renders an element, loads the service's script, and passes one token at a time to `onToken`. On a
 * server it renders only the element. Its `ref` has `submit`, `clear` and `focus`.
 *
 * @example
 * <CardFields src={cardFieldScript} onToken={(token) => pay(token)} onError={report} />
 */
export const CardFields: ForwardRefExoticComponent<CardFieldsProps & RefAttributes<CardFieldsControls>> =
  forwardRef<CardFieldsControls, CardFieldsProps>(function CardFields(props, ref) {
    const ownId = useId();
    const { id = ownId, className, children } = props;
    const { ref: place, submit, clear, focus } = useCardFields(props);
    useImperativeHandle(ref, () => ({ submit, clear, focus }), [submit, clear, focus]);
    return createElement('div', { ref: place, id, className }, children);
  });
