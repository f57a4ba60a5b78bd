import { type Field, methodOf } from './schema.ts';

/** Whole namespaces: logins, the update loop, calls. */
const refusedNamespaces: ReadonlySet<string> = new Set(['auth', 'updates', 'phone']);

/**
 * Of `account.*`: its deletion and the time until then, phone, e-mail, password, secure values, authorizations, devices,
 * business bots.
 */
const refusedOfAccount =
  /DeleteAccount|AccountTTL|Phone|Email|Password|Secure|Authorization|Device|ConnectedBot|BusinessConnection/i;

/**
 * Whether the gateway does not pass a method on, though the layer has it: what could end the login or take it over, pay,
 * or get around the gateway's own connection.
 */
export function isRefused(method: string): boolean {
  const [namespace = '', name = ''] = method.includes('.') ? method.split('.') : ['', method];
  if (refusedNamespaces.has(namespace)) return true;
  if (namespace === '' && (name.startsWith('invoke') || name === 'initConnection')) return true;
  if (namespace === 'payments' && !name.startsWith('get')) return true;
  if (namespace === 'account' && refusedOfAccount.test(name)) return true;
  return name.endsWith('UrlAuth') || takesPassword(method);
}

/** Such a parameter is refused by its path, in whatever it stands; a method that cannot be called without it is refused. */
export const isPassword = ({ type }: Field): boolean => type === 'InputCheckPasswordSRP';

function takesPassword(method: string): boolean {
  return methodOf(method)?.fields.some((field) => isPassword(field) && field.bit === undefined) === true;
}
