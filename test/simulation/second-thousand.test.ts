import { describe } from 'vitest';
import { simulate } from './simulate.ts';

describe('simulation', () => {
  simulate(1001, 1000);
});
