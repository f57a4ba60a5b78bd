/** The account's login codes and its two-step password. */

import { accountPath, byId, currentAccount, loadAccounts, request, showStatus } from './account.js';
import { element } from './media.js';

let shownCodes = '';

const ways = { app: 'in the app', sms: 'by text message', call: 'by a call', email: 'by e-mail', recovery: 'recovery' };

export const forgetCodes = () => {
  shownCodes = '';
};

export async function showCodes() {
  const codes = await request('GET', accountPath('/codes'));
  const json = JSON.stringify(codes);
  if (json === shownCodes) return;
  shownCodes = json;
  const rows = codes.map(({ type, code, sent }) => {
    const row = element('li');
    row.append(
      element('code', code),
      element('small', ` ${ways[type] ?? type}, ${new Date(sent).toLocaleTimeString()}`),
    );
    return row;
  });
  byId('codes').replaceChildren(...(rows.length ? rows : [element('li', 'No code was asked for.', 'quiet')]));
}

/** @param changed is called once the account has another password */
export function startSecurity(changed) {
  byId('password-form').addEventListener('submit', (event) => {
    event.preventDefault();
    void setPassword(changed);
  });
}

async function setPassword(changed) {
  const password = byId('password').value;
  const { userId } = currentAccount();
  try {
    await request('PUT', accountPath('/password'), { password, hint: byId('hint').value });
    byId('password-form').reset();
    await loadAccounts(userId);
    await changed();
    const done = password ? 'The password is set: new devices need it.' : 'The password was removed.';
    showStatus(byId('password-result'), done, 'good');
  } catch (error) {
    showStatus(byId('password-result'), `${error.message}.`, 'bad');
  }
}
