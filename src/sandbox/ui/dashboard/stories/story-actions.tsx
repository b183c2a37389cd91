import { useState } from 'preact/hooks';
import type { Story, StoryAction } from '../../../stories/story.ts';
import { getText, post } from '../kit/api.ts';
import { Button } from '../kit/button.tsx';
import { CodeText } from '../kit/code.tsx';
import { Confirm, Dialog } from '../kit/dialog.tsx';
import { notify } from '../kit/notices.ts';

/** Saves a text as a file. */
function download(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Returns a file name for a test, from the title of the operation. */
function fileName(title: string): string {
  return `${title.replaceAll(/[^\w.-]+/g, '-')}.test.ts`;
}

function ExportDialog({
  title,
  text,
  close,
}: {
  readonly title: string;
  readonly text: string;
  readonly close: () => void;
}) {
  const name = fileName(title);
  return (
    <Dialog title="Export as test" close={close}>
      <h3>{name}</h3>
      <CodeText name={name} text={text} />
      <div class="actions">
        <Button act={() => download(name, text)} variant="primary">
          Download
        </Button>
        <Button act={close}>Close</Button>
      </div>
    </Dialog>
  );
}

/** Shows buttons for the next actions on an operation. Each states its expected effect first. */
export function StoryActions({ story }: { readonly story: Story }) {
  const [chosen, setChosen] = useState<StoryAction>();
  const [test, setTest] = useState<string>();
  const path = `stories/${encodeURIComponent(story.id)}`;
  const act = async ({ name, target }: StoryAction): Promise<void> => {
    const { message } = await post<{ message: string }>(`${path}/actions`, { name, target });
    notify(message);
  };
  return (
    <>
      {story.actions.map((action) => (
        <Button key={`${action.name} ${action.target}`} act={() => setChosen(action)}>
          {action.label}
        </Button>
      ))}
      <Button act={async () => setTest(await getText(`${path}/test`))}>Export as test</Button>
      {chosen !== undefined && (
        <Confirm
          title={chosen.label}
          expected={chosen.expected}
          button={chosen.label}
          act={() => act(chosen)}
          close={() => setChosen(undefined)}
        />
      )}
      {test !== undefined && (
        <ExportDialog title={story.title} text={test} close={() => setTest(undefined)} />
      )}
    </>
  );
}
