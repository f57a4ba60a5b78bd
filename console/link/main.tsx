import { render } from 'preact';
import { CustomerPage } from './customer-page.tsx';

const container = document.querySelector('#link');
if (container !== null) render(<CustomerPage />, container);
