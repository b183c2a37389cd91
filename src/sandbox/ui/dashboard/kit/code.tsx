import { useId, useState } from 'preact/hooks';
import { Copy } from './copy.tsx';
import { Scroll } from './scroll.tsx';

/** A named code sample. */
export interface Sample {
  readonly name: string;
  readonly text: string;
}

/** Shows one code sample. */
export function CodeText({ name, text }: Sample) {
  return (
    <div class="code">
      <Copy text={text} label={`Copy ${name}`} />
      <Scroll name={`Code: ${name}`}>{text}</Scroll>
    </div>
  );
}

const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

/** Shows code samples in tabs, with copy buttons. The arrow keys change the tab. */
export function Code({ samples, name }: { readonly samples: readonly Sample[]; readonly name: string }) {
  const [chosen, setChosen] = useState(0);
  const id = useId();
  const shown = samples[chosen] ?? samples[0];
  if (shown === undefined) return null;
  if (samples.length === 1) return <CodeText {...shown} />;
  const move = (event: KeyboardEvent): void => {
    const step = steps[event.key];
    if (step === undefined) return;
    const next = (chosen + step + samples.length) % samples.length;
    setChosen(next);
    document.getElementById(`${id}-${next}`)?.focus();
  };
  return (
    <div class="samples">
      <div role="tablist" aria-label={name} onKeyDown={move}>
        {samples.map((sample, index) => (
          <button
            key={sample.name}
            type="button"
            role="tab"
            id={`${id}-${index}`}
            aria-selected={index === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={index === chosen ? 0 : -1}
            onClick={() => setChosen(index)}
          >
            {sample.name}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`}>
        <CodeText {...shown} />
      </div>
    </div>
  );
}
