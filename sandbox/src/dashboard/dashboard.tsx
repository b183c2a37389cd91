import { render } from 'preact';
import { follow } from './kit/connection.ts';
import { Shell } from './shell.tsx';

const root = document.querySelector('[data-key]');
if (root !== null) render(<Shell />, root);
void follow();
