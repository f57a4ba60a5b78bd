import type { TelegramFact } from '../../../actors/ports/telegram-session.ts';
import { linkFact } from '../actors/scripted-link.ts';
import type { SimulatedLink } from './simulated-telegram.ts';
import { farthestStepMs, type Variant } from './variant.ts';
import type { World } from './world.ts';

export interface Step {
  name: string;
  weight: number;
  /** False where there was nothing to do. */
  take: (world: World) => boolean | Promise<boolean>;
}

const mostSessions = 4;

/** A session that has been recorded, mostly a live one. */
function someSession({ witness, chance }: World): string | undefined {
  const ids = [...witness.sessions.keys()];
  const live = ids.filter((id) => witness.state(id) !== 'deleted');
  const choice = live.length > 0 && chance.percent(95) ? live : ids;
  return choice.length === 0 ? undefined : chance.oneOf(choice);
}

/** One of the links in these modes, if there is one, meets with something. */
function meet(
  mode: 'qr' | 'connected' | 'password' | 'cut' | 'dead' | 'idle',
  type: TelegramFact['type'],
  ...from: Parameters<World['life']['telegram']['open']>
) {
  return ({ life: { telegram }, chance }: World): boolean => {
    const links = telegram.open(...from);
    if (links.length === 0) return false;
    telegram.happen(chance.oneOf(links), mode, type);
    return true;
  };
}

const advanceBetween =
  (low: number, high: number) =>
  async ({ clock, chance }: World): Promise<boolean> => {
    await clock.advance(chance.between(low, high));
    return true;
  };

function command(name: string, give: (world: World, id: string) => void): Step['take'] {
  return (world) => {
    const id = someSession(world);
    if (id === undefined) return false;
    give(world, id);
    world.count(name);
    return true;
  };
}

/** One of the questions of this kind, if there is one, is answered. */
function answer<Kind extends 'passwords' | 'firstLogins' | 'codeRequests' | 'codes'>(
  kind: Kind,
  outcomes: readonly Parameters<SimulatedLink[Kind][number]>[0][],
): Step['take'] {
  return ({ life, chance }) => {
    const links = life.telegram.open().filter((link) => link[kind].length > 0);
    if (links.length === 0) return false;
    const outcome = chance.oneOf(outcomes);
    const reply = chance.oneOf(links)[kind].shift() as ((given: typeof outcome) => void) | undefined;
    reply?.(outcome);
    return true;
  };
}

/** Everything that can happen next, and how likely it is. */
export const stepsOf = (variant: Variant): readonly Step[] =>
  variant === 'clock steps' ? [...steps, clockStep] : steps;

const clockStep: Step = {
  name: 'clock step',
  weight: 4,
  take: (world) => {
    world.setWallClock(world.chance.between(-farthestStepMs, farthestStepMs));
    return true;
  },
};

const steps: readonly Step[] = [
  {
    name: 'create',
    weight: 8,
    take: (world) => {
      const live = [...world.witness.sessions.keys()].filter((id) => world.witness.state(id) !== 'deleted');
      if (live.length >= mostSessions) return false;
      world.create();
      return true;
    },
  },
  {
    name: 'reset',
    weight: 2,
    take: command('reset', (world, id) => {
      const settings = world.chance.percent(50) ? {} : { name: 'Other', webhook: null };
      world.command(id, 'reset', 'SessionReset', world.life.sessions.reset(id, settings));
    }),
  },
  {
    name: 'delete',
    weight: 1.5,
    take: command('delete', (world, id) => {
      world.command(id, 'delete', 'SessionDeleted', world.life.sessions.delete(id));
    }),
  },
  {
    name: 'set webhook',
    weight: 4,
    take: command('webhook', (world, id) => {
      const webhook = world.chance.percent(50) ? null : { url: 'https://example.org', token: 'marker' };
      world.command(id, 'webhook', 'WebhookSet', world.life.sessions.setWebhook(id, webhook));
    }),
  },
  {
    name: 'rename',
    weight: 1,
    take: command('rename', (world, id) => {
      world.command(id, 'rename', 'SessionRenamed', world.life.sessions.rename(id, { label: 'Shop' }));
    }),
  },
  {
    name: 'set pace',
    weight: 1,
    take: command('pace', (world, id) => {
      const pace = world.chance.percent(50) ? null : { perMinute: 20 };
      world.command(id, 'pace', 'PaceSet', world.life.sessions.setPace(id, pace));
    }),
  },
  {
    name: 'rotate the secret',
    weight: 1,
    take: command('rotate', (world, id) => {
      world.command(id, 'rotate', 'SecretRotated', world.life.sessions.rotateSecret(id));
    }),
  },
  {
    name: 'set proxy',
    weight: 1,
    take: command('proxy', (world, id) => {
      const url = world.chance.percent(30) ? null : 'socks5://marker@127.0.0.1';
      world.command(id, 'proxy', 'ProxySet', world.life.sessions.setProxy(id, url));
    }),
  },
  {
    name: 'call a method',
    weight: 2,
    take: command('call', (world, id) => {
      world.command(id, 'call', undefined, world.life.sessions.noteMethodCall(id, 'messages.saveDraft'));
    }),
  },
  {
    name: 'ask for a code',
    weight: 8,
    take: command('code request', (world, id) => {
      world.command(id, 'code request', undefined, world.life.sessions.sendCode(id, '4915100000001'));
    }),
  },
  {
    name: 'answer code request',
    weight: 8,
    take: answer('codeRequests', ['sent', 'sent', 'accepted', new Error('not connected')]),
  },
  {
    name: 'answer first login',
    weight: 8,
    take: answer('firstLogins', ['CodeSent', 'CodeSent', 'LoggedIn', new Error('not connected')]),
  },
  {
    name: 'submit code',
    weight: 5,
    take: command('code', (world, id) => {
      const waiting = [...world.witness.sessions.keys()].filter(
        (other) => world.witness.state(other) === 'codeRequired',
      );
      const to = waiting.length > 0 ? world.chance.oneOf(waiting) : id;
      world.command(to, 'code', undefined, world.life.sessions.submitCode(to, '12345'));
    }),
  },
  {
    name: 'answer code',
    weight: 8,
    take: answer('codes', [
      'accepted',
      'rejected',
      'rejected',
      'renewed',
      'used-up',
      'used-up',
      new Error('not connected'),
    ]),
  },
  {
    name: 'give away the login',
    weight: 1,
    take: command('export', (world, id) => {
      world.command(id, 'export', undefined, world.life.sessions.exportLogin(id, 'gramjs'));
    }),
  },
  {
    name: 'submit password',
    weight: 4,
    take: command('password', (world, id) => {
      const waiting = [...world.witness.sessions.keys()].filter(
        (other) => world.witness.state(other) === 'passwordRequired',
      );
      const to = waiting.length > 0 ? world.chance.oneOf(waiting) : id;
      world.command(to, 'password', undefined, world.life.sessions.submitPassword(to, 'marker'));
    }),
  },
  {
    name: 'answer password',
    weight: 8,
    take: answer('passwords', ['accepted', 'rejected', 'rejected', new Error('not connected')]),
  },
  { name: 'scan', weight: 8, take: meet('connected', 'LoggedIn', 'qr', 'code') },
  { name: 'scan with password', weight: 6, take: meet('password', 'PasswordRequested', 'qr', 'code') },
  { name: 'refuse a QR code', weight: 2, take: meet('qr', 'LoginRefused', 'qr') },
  { name: 'cut', weight: 5, take: meet('cut', 'ConnectionLost', 'connected') },
  { name: 'restore', weight: 5, take: meet('connected', 'ConnectionRestored', 'cut') },
  { name: 'change account', weight: 3, take: meet('connected', 'AccountChanged', 'connected') },
  { name: 'change account while away', weight: 1.5, take: meet('cut', 'AccountChanged', 'cut') },
  { name: 'the proxy fails', weight: 1, take: meet('cut', 'ProxyFailed', 'connected') },
  { name: 'the proxy fails while away', weight: 1, take: meet('cut', 'ProxyFailed', 'cut') },
  { name: 'lose updates', weight: 1.5, take: meet('connected', 'UpdatesLost', 'connected') },
  { name: 'lose updates while away', weight: 1.5, take: meet('cut', 'UpdatesLost', 'cut') },
  { name: 'freeze', weight: 1, take: meet('connected', 'AccountFrozen', 'connected') },
  { name: 'freeze while away', weight: 1, take: meet('cut', 'AccountFrozen', 'cut') },
  { name: 'revoke', weight: 2, take: meet('idle', 'LoginLost', 'connected', 'cut', 'password', 'code') },
  { name: 'revoke a bot', weight: 1.5, take: meet('dead', 'BotLoginLost', 'connected', 'cut') },
  {
    name: 'stray fact',
    weight: 4,
    take: ({ life: { telegram }, chance }) => {
      if (telegram.links.length === 0) return false;
      const link = chance.oneOf(telegram.links);
      const type = chance.oneOf(strayTypes);
      telegram.posts.push({ link, fact: linkFact(type, link.login + chance.between(-1, 1)) });
      return true;
    },
  },
  {
    name: 'deliver',
    weight: 30,
    take: ({ life: { telegram }, chance, happened }) => {
      const { length } = telegram.posts;
      if (length === 0) return false;
      const at = chance.percent(70) ? 0 : chance.between(0, length - 1);
      const again = chance.percent(10);
      const name = again ? 'fact twice' : at > 0 ? 'fact out of order' : 'fact in order';
      happened.set(name, (happened.get(name) ?? 0) + 1);
      telegram.deliver(at, again);
      return true;
    },
  },
  { name: 'a moment', weight: 8, take: advanceBetween(0, 2_000) },
  { name: 'some seconds', weight: 6, take: advanceBetween(5_000, 60_000) },
  { name: 'some minutes', weight: 2.5, take: advanceBetween(60_000, 240_000) },
  { name: 'half an hour', weight: 1.2, take: advanceBetween(600_000, 1_900_000) },
  {
    name: 'release one',
    weight: 8,
    take: ({ life: { store } }) => {
      if (store.held === 0) return false;
      store.release('oldest');
      return true;
    },
  },
  {
    name: 'release all',
    weight: 4,
    take: ({ life: { store } }) => {
      if (store.held === 0) return false;
      store.release('all');
      return true;
    },
  },
  {
    name: 'outage',
    weight: 1,
    take: (world) => {
      if (world.trouble.outage !== undefined) return false;
      world.count('outage');
      world.trouble.outage = world.chance.oneOf(['deaf', 'mute']);
      return true;
    },
  },
  {
    name: 'end of outage',
    weight: 8,
    take: (world) => {
      if (world.trouble.outage === undefined) return false;
      world.trouble.outage = undefined;
      return true;
    },
  },
  {
    name: 'crash',
    weight: 2.5,
    take: (world) => {
      world.crash();
      return true;
    },
  },
  {
    name: 'stop',
    weight: 0.8,
    take: (world) => {
      if (world.life.stopping) return false;
      world.stop();
      return true;
    },
  },
];

const strayTypes = [
  'QrIssued',
  'PasswordRequested',
  'LoggedIn',
  'AccountChanged',
  'ConnectionLost',
  'ProxyFailed',
  'ConnectionRestored',
  'LoginLost',
  'LoginRefused',
  'CodeSent',
  'CodesUsedUp',
  'BotLoginLost',
  'UpdatesLost',
  'AccountFrozen',
] as const;
