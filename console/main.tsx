import { render } from 'preact';
import { Console } from './console.tsx';

const place = document.querySelector('#console');
if (place !== null) render(<Console />, place);
