import { testKills } from './kills.ts';
import { onKurrentDb } from './scene.ts';

testKills(onKurrentDb ? 'kurrentdb' : 'sqlite');
