import { post } from '../kit/api.ts';
import { Button } from '../kit/button.tsx';
import { notify } from '../kit/notices.ts';

/** Starts a sandbox with the state right after an entry. */
export function ForkButton({ number }: { readonly number: number }) {
  const fork = async (): Promise<void> => {
    const { url } = await post<{ url: string }>('forks', { entry: number });
    notify(`A fork with the state after step ${number} listens at ${url}.`, [
      { href: url, text: 'Open its dashboard' },
    ]);
  };
  return <Button act={fork}>Fork from here</Button>;
}
