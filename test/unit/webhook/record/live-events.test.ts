import { expect, it } from 'vitest';
import type { LiveUpdate } from '../../../../src/telegram/port/updates.ts';
import { LiveEvents } from '../../../../src/webhook/record/live-events.ts';

it('[EV1.8] what is so at this moment goes to all who look on at the session, until they leave', () => {
  const live = new LiveEvents();
  const seen: string[] = [];
  const user = { id: '1002', name: 'Bob Stone', username: 'bobstone', phone: '' };
  const update: LiveUpdate = { type: 'user.status', user, online: true, lastSeen: undefined };
  const see = (name: string) => (of: LiveUpdate) => void seen.push(`${name} ${of.type}`);
  const leave = live.subscribe('s1', see('one'));
  live.subscribe('s1', see('two'));
  live.subscribe('s2', see('other'));
  live.emit('s1', update);
  leave();
  live.emit('s1', update);
  live.emit('s3', update);
  expect(seen).toEqual(['one user.status', 'two user.status', 'two user.status']);
});
