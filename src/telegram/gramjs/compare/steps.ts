import { Api } from 'telegram/tl/index.js';
import type { ComparisonStep } from './comparison-step.ts';
import { groupSteps } from './group-steps.ts';
import { savedMessagesSteps } from './saved-messages-steps.ts';

const self = (): Api.InputUserSelf => new Api.InputUserSelf();

const accountSteps: readonly ComparisonStep[] = [
  { name: 'the configuration', call: 'help.GetConfig', request: () => new Api.help.GetConfig() },
  { name: 'the nearest data centre', call: 'help.GetNearestDc', request: () => new Api.help.GetNearestDc() },
  { name: 'oneself', call: 'users.GetUsers', request: () => new Api.users.GetUsers({ id: [self()] }) },
  { name: 'oneself in full', call: 'users.GetFullUser', request: () => new Api.users.GetFullUser({ id: self() }) },
  {
    name: 'the state of updates',
    call: 'updates.GetState',
    request: () => new Api.updates.GetState(),
    keep: (answer, found) => {
      found.state = answer as Api.updates.State;
    },
  },
  {
    name: 'the list of devices',
    call: 'account.GetAuthorizations',
    request: () => new Api.account.GetAuthorizations(),
  },
  { name: 'the password', call: 'account.GetPassword', request: () => new Api.account.GetPassword() },
  {
    name: 'a username that cannot exist',
    call: 'account.CheckUsername',
    request: () => new Api.account.CheckUsername({ username: '1x' }),
  },
  {
    name: 'the owner of a name that cannot exist',
    call: 'contacts.ResolveUsername',
    request: () => new Api.contacts.ResolveUsername({ username: 'a b' }),
  },
  {
    name: 'the owner of a name that nobody has',
    call: 'contacts.ResolveUsername',
    request: ({ randomId }) =>
      new Api.contacts.ResolveUsername({ username: `gw${randomId('username').abs().toString(36)}`.slice(0, 20) }),
  },
];

const lastSteps: readonly ComparisonStep[] = [
  {
    name: 'the messages are deleted',
    call: 'messages.DeleteMessages',
    isCleanUp: true,
    request: ({ messages }) =>
      messages.length === 0 ? undefined : new Api.messages.DeleteMessages({ id: messages, revoke: true }),
  },
  { name: 'the end of the login', call: 'auth.LogOut', isCleanUp: true, request: () => new Api.auth.LogOut() },
];

/** What the comparison does, in order: nothing that another person sees, and it removes what it has made. */
export const steps: readonly ComparisonStep[] = [...accountSteps, ...savedMessagesSteps, ...groupSteps, ...lastSteps];
