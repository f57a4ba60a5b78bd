import { Type } from 'typebox';
import { keywords } from './keywords.ts';

/** A page's length if the query does not say. */
export const defaultPageLimit = 100;

/** Query parameter: the length of a page. */
export const pageLimit = Type.Optional(
  Type.String(keywords({ pattern: '^[1-9][0-9]{0,3}$', is: 'between 1 and 1000', greatest: 1000 })),
);

/** Query parameter: a place in a log. Nine digits are enough for every log. */
export const logPosition = Type.String(keywords({ pattern: String.raw`^\d{1,9}$`, is: 'a number' }));
