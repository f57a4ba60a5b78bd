/** The account that the phone plays, and the control API that it talks to. */

let accounts = [];

export const $ = (id) => document.getElementById(id);

export async function call(method, path, body) {
  const answer = await fetch(path, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const json = await answer.json();
  if (!answer.ok) throw new Error(json.message);
  return json;
}

export const account = () => accounts.find(({ userId }) => userId === $('account').value);
export const own = (path) => `/accounts/${account().userId}${path}`;

export function say(place, text, mood = '') {
  place.textContent = text;
  place.className = mood;
}

/** Fills the list of accounts; the one in the page's address is chosen. */
export async function loadAccounts() {
  accounts = await call('GET', '/accounts');
  const usable = accounts.filter(({ deleted }) => !deleted);
  $('account').replaceChildren(
    ...usable.map(({ userId, name, username }) => new Option(`${name}${username ? ` (@${username})` : ''}`, userId)),
  );
  const wanted = new URLSearchParams(location.hash.slice(1)).get('account');
  if (usable.some(({ userId }) => userId === wanted)) $('account').value = wanted;
}
