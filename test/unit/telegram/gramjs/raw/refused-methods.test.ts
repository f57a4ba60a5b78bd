import { describe, expect, it } from 'vitest';
import { isPassword, isRefused } from '../../../../../src/telegram/gramjs/raw/refused-methods.ts';
import { constructorOf, constructorsOf, methodNames, methodOf } from '../../../../../src/telegram/gramjs/raw/schema.ts';

/** Which methods of the layer the gateway does not pass on. */

const all = methodNames();
const allowedOf = (namespace: string): string[] =>
  all.filter((name) => name.startsWith(`${namespace}.`) && !isRefused(name));
const refusedOf = (namespace: string): string[] =>
  all.filter((name) => name.startsWith(`${namespace}.`) && isRefused(name)).map((name) => name.split('.')[1] ?? '');

/** Those that concern deletion, phone, e-mail, password, secure values, authorizations, devices and business bots. */
const accountMethods = `
  deleteAccount getAccountTTL setAccountTTL sendChangePhoneCode changePhone sendConfirmPhoneCode
  confirmPhone sendVerifyPhoneCode verifyPhone sendVerifyEmailCode verifyEmail confirmPasswordEmail
  resendPasswordEmail cancelPasswordEmail getPassword getPasswordSettings updatePasswordSettings getTmpPassword
  resetPassword declinePasswordReset getAllSecureValues getSecureValue saveSecureValue deleteSecureValue
  getAuthorizationForm acceptAuthorization getAuthorizations resetAuthorization getWebAuthorizations resetWebAuthorization
  resetWebAuthorizations setAuthorizationTTL changeAuthorizationSettings registerDevice unregisterDevice updateDeviceLocked
  getConnectedBots updateConnectedBot getBotBusinessConnection toggleConnectedBotPaused disablePeerConnectedBot
`
  .trim()
  .split(/\s+/);

describe('isRefused', () => {
  it('[RM1.4] knows the whole layer', () => {
    expect(all.length).toBeGreaterThan(650);
  });

  it.each(['auth', 'updates', 'phone'])('[RM1.4] refuses all of %s', (namespace) => {
    expect(refusedOf(namespace).length).toBeGreaterThan(2);
    expect(allowedOf(namespace)).toEqual([]);
  });

  it('[RM1.4] a type that the layer does not have has no constructors', () => {
    expect([constructorsOf('InputPeer').length > 0, constructorsOf('NoSuchType')]).toEqual([true, []]);
  });

  it('[RM1.4] refuses every method without a namespace: they wrap others', () => {
    const bare = all.filter((name) => !name.includes('.'));
    expect(bare).toContain('initConnection');
    expect(bare.filter((name) => !isRefused(name))).toEqual([]);
  });

  it('[RM1.4] passes on of payments only what reads, without a password', () => {
    expect(allowedOf('payments').every((name) => name.startsWith('payments.get'))).toBe(true);
    expect(allowedOf('payments')).toContain('payments.getStarsStatus');
    expect(refusedOf('payments')).toEqual(expect.arrayContaining(['sendStarsForm', 'getStarGiftWithdrawalUrl']));
    expect(refusedOf('payments')).not.toContain('getPaymentForm');
  });

  it('[RM1.4] refuses these of account, and no other', () => {
    expect(refusedOf('account').toSorted()).toEqual(accountMethods.toSorted());
  });

  it.each([
    'messages.requestUrlAuth',
    'messages.acceptUrlAuth',
    'channels.editCreator',
    'stats.getBroadcastRevenueWithdrawalUrl',
  ])('[RM1.4] refuses %s', (method) => {
    expect(methodOf(method)).toBeDefined();
    expect(isRefused(method)).toBe(true);
  });

  it('[RM1.4] passes on what works without a password', () => {
    const takesPassword = all.filter((name) => methodOf(name)?.fields.some(isPassword));
    expect(takesPassword.filter((name) => !isRefused(name))).toEqual(['messages.getBotCallbackAnswer']);
  });

  it('[RM1.4] nothing refused can be nested: no field holds a method, and no constructor a password', () => {
    const takesMethod = all.filter((name) => methodOf(name)?.fields.some(({ type }) => type === 'X'));
    expect(takesMethod.length).toBeGreaterThan(5);
    expect(takesMethod.filter((name) => !isRefused(name))).toEqual([]);
    const seen = new Set<string>();
    const visit = (type: string): void => {
      if (seen.has(type)) return;
      seen.add(type);
      for (const name of constructorsOf(type)) for (const field of constructorOf(name)?.fields ?? []) visit(field.type);
    };
    for (const name of all.filter((each) => !isRefused(each))) {
      for (const field of methodOf(name)?.fields ?? []) if (!isPassword(field)) visit(field.type);
    }
    expect(seen.has('InputMedia')).toBe(true);
    expect(seen.has('InputCheckPasswordSRP')).toBe(false);
  });
});
