/** The selected account and the requests to the control API. */

let accounts = [];

export const byId = (id) => document.getElementById(id);

export async function request(method, path, body) {
  const response = await fetch(path, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const json = await response.json();
  if (!response.ok) throw new Error(json.message);
  return json;
}

export const currentAccount = () => accounts.find(({ userId }) => userId === byId('account').value);
export const accountPath = (path) => `/accounts/${currentAccount().userId}${path}`;

/** `kind` is `good`, `bad` or empty. */
export function showStatus(target, text, kind = '') {
  target.textContent = text;
  target.className = kind;
}

/** Fills the list of accounts and selects this one; at first, the one that the page's address names. */
export async function loadAccounts(wanted = new URLSearchParams(location.hash.slice(1)).get('account')) {
  accounts = await request('GET', '/accounts');
  const usable = accounts.filter(({ deleted }) => !deleted);
  byId('account').replaceChildren(
    ...usable.map(({ userId, name, username }) => new Option(`${name}${username ? ` (@${username})` : ''}`, userId)),
  );
  if (usable.some(({ userId }) => userId === wanted)) byId('account').value = wanted;
}
