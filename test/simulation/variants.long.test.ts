import { describe } from 'vitest';
import { simulate } from '../support/simulation/simulate.ts';

describe.each(['late commits', 'unreadable events', 'clock steps', 'rivals'] as const)('simulation: %s', (variant) => {
  simulate(1, 200, variant);
});
