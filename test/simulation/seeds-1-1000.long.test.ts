import { describe } from 'vitest';
import { simulate } from '../support/simulation/simulate.ts';

describe('simulation', () => {
  simulate(1, 1000);
});
