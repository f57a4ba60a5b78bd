/** Buttons that make Telegram misbehave, for the selected account. */

import { accountPath, byId, currentAccount, request, showStatus } from './account.js';

const faults = {
  'fault-cut': {
    run: (userId) => request('POST', '/network', { action: 'cut', userId }),
    done: (name) => `The connections of ${name} were cut. They come back by themselves.`,
  },
  'fault-away': {
    run: (userId) => request('POST', '/network', { action: 'refuse', userId }).then(() => cut(userId)),
    done: (name) => `Telegram is away for ${name}, until you repair it.`,
  },
  'fault-flood': {
    run: (userId) => request('POST', '/faults', { userId, method: 'messages.sendMessage', error: 'FLOOD_WAIT_30' }),
    done: (name) => `The next text of ${name} gets FLOOD_WAIT_30.`,
  },
  'fault-server': {
    run: (userId) =>
      request('POST', '/faults', { userId, method: 'messages.sendMessage', error: 'INTERNAL', times: 3 }),
    done: (name) => `The next three texts of ${name} fail with 500 INTERNAL.`,
  },
  'fault-lose': {
    run: (userId) => request('POST', '/chaos', { loseUpdates: 1, userId }),
    done: (name) => `The next update for ${name} gets lost.`,
  },
  'fault-devices': {
    run: () => request('DELETE', accountPath('/devices')),
    done: (name) => `All devices of ${name} were removed.`,
  },
  'fault-hour': {
    run: () => request('POST', '/clock', { advanceMs: 3_600_000 }),
    done: () => 'It is an hour later: what was scheduled has left.',
  },
  'fault-repair': {
    run: async () => {
      await request('DELETE', '/faults');
      await request('POST', '/network', { action: 'accept' });
    },
    done: () => 'All faults are turned off.',
  },
};

const cut = (userId) => request('POST', '/network', { action: 'cut', userId });

export function startFaults(refresh) {
  for (const [id, fault] of Object.entries(faults)) {
    byId(id).addEventListener('click', () => void cause(fault).then(refresh));
  }
}

async function cause({ run, done }) {
  const { userId, name } = currentAccount();
  try {
    await run(userId);
    showStatus(byId('fault-result'), done(name), 'good');
  } catch (error) {
    showStatus(byId('fault-result'), `${error.message}.`, 'bad');
  }
}
