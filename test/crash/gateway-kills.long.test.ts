import { testKills } from '../support/crash/gateway-kills.ts';
import { onKurrentDb } from '../support/e2e/scene.ts';

testKills(onKurrentDb ? 'kurrentdb' : 'sqlite');
