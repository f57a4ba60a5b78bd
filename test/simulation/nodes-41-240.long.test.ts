import { describe } from 'vitest';
import { simulateNodes } from '../support/simulation/cluster/simulate-nodes.ts';

describe('simulation of several nodes', () => {
  simulateNodes(41, 200);
});
