import { Button } from '../kit/button.tsx';
import { CodeText } from '../kit/code.tsx';

/** A new secret, and its endpoint's URL. */
export interface NewSecret {
  readonly url: string;
  readonly secret: string;
}

/** Shows a new secret once, to copy. No later page can show it. */
export function SecretCard({ url, secret, close }: NewSecret & { readonly close: () => void }) {
  return (
    <section class="card stack" aria-label="New secret">
      <p>
        This is the new secret of <code>{url}</code>. Copy it now: the dashboard does not show it again.
      </p>
      <CodeText name="the secret" text={secret} />
      <div class="actions">
        <Button act={close}>I have copied it</Button>
      </div>
    </section>
  );
}
