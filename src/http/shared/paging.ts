import { Type } from 'typebox';
import { keywords } from './keywords.ts';

/** A page's length if the query does not say. */
export const defaultPageLimit = 100;

/** Query parameter: the length of a page. */
export const pageLimit = limitUpTo(1000);

/** Query parameter: a place in a log. Nine digits are enough for every log. */
export const logPosition = Type.String(
  keywords({ pattern: String.raw`^\d{1,9}$`, is: 'a number', wholeNumber: { minimum: 0, maximum: 999_999_999 } }),
);

/** Query parameter: the length of a page, up to a maximum of at most four digits. */
export function limitUpTo(greatest: number) {
  const wholeNumber = { minimum: 1, maximum: greatest };
  const is = `between 1 and ${greatest}`;
  return Type.Optional(Type.String(keywords({ pattern: '^[1-9][0-9]{0,3}$', is, greatest, wholeNumber })));
}
