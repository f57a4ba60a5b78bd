import { sessionHref } from './session-route.ts';

export function navigateToSession(id: string): void {
  location.hash = sessionHref(id);
}
