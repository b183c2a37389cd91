import { Button } from '../kit/button.tsx';
import { clearProblem, notice, problem } from '../kit/notices.ts';
import { useStore } from '../kit/shared-value.ts';

/** Shows the error of the last action, until another action starts. */
export function ProblemLine() {
  const text = useStore(problem);
  if (text === undefined) return null;
  return (
    <div class="problem" role="alert">
      <p>{text}</p>
      <Button act={clearProblem} variant="quiet">
        Dismiss
      </Button>
    </div>
  );
}

/** Shows the result of the last action. The live region always exists, so that screen readers announce new messages. */
export function NoticeBar() {
  const shown = useStore(notice);
  return (
    <div class="notices" role="status" aria-label="Messages">
      {shown !== undefined && (
        <div class="notice">
          <p>{shown.text}</p>
          <div class="actions">
            {shown.links?.map(({ href, text }) => (
              <a key={href} href={href} target={href.startsWith('#') ? undefined : '_blank'} rel="noreferrer">
                {text}
              </a>
            ))}
            <Button act={() => notice.set(undefined)} variant="quiet">
              Dismiss
            </Button>
          </div>
        </div>
      )}
    </div>
  );
}
