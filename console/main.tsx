import { render } from 'preact';
import { Console } from './console.tsx';

const container = document.querySelector('#console');
if (container !== null) render(<Console />, container);
