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
  /** The id of the element. Default: one that no other element of the page has. */
  readonly id?: string | undefined;
  /** The class of the element. Default: none. */
  readonly className?: string | undefined;
  /** What is in the element, where the script expects something. Default: nothing. */
  readonly children?: ReactNode;
}

/**
 * Card fields: an element of the page, the service's script, and a token for each card that the buyer gives, one at a time. On
 * a server it is the element alone. Its `ref` has `submit`, `clear` and `focus`.
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
