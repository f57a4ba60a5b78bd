import { methodOf } from './schema.ts';

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

/** No constructor has such a field, so none can be nested. A test looks at the schema. */
function takesPassword(method: string): boolean {
  return methodOf(method)?.fields.some(({ type }) => type === 'InputCheckPasswordSRP') === true;
}
