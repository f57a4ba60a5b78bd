import { relative } from 'node:path';
import { beforeEach } from 'vitest';
import { apartTests } from './apart.ts';

/** What vitest sets up each file with if the end-to-end tests meet two nodes. */

/** `[CL5.1] [CL5.2] `: with these a title begins. */
const promises = /^(?:\[[^\]]+\] )+/;
const isOfOtherVersion = process.env['TEST_OTHER_BUILD'] !== undefined;

beforeEach(({ task, skip }) => {
  const file = relative('test/e2e', task.file.filepath);
  const title = task.name.replace(promises, '');
  const apart = apartTests.find((test) => test.file === file && title.startsWith(test.title));
  if (apart === undefined) return;
  if (apart.reason === 'one process' || isOfOtherVersion) skip(apart.reason);
});
