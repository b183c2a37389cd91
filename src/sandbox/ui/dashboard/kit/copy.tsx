import { useEffect, useState } from 'preact/hooks';
import { Button } from './button.tsx';

const shownFor = 1_500;

interface CopyProps {
  readonly text: string;
  /** The accessible name: `Copy the id`. */
  readonly label: string;
  /** The button's text. Default: a symbol. */
  readonly children?: string | undefined;
}

/** A button that copies a text. */
export function Copy({ text, label, children }: CopyProps) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), shownFor);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <Button act={copy} variant="quiet" label={isCopied ? 'Copied' : label}>
      {isCopied ? (
        <Icon path="M3 8.5l3.5 3.5L13 4.5" />
      ) : (
        <Icon path="M5.5 5.5V3h7.5v7.5h-2.5M3 5.5h7.5V13H3z" />
      )}
      {children}
    </Button>
  );
}

function Icon({ path }: { readonly path: string }) {
  return (
    <svg class="symbol" viewBox="0 0 16 16" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}
