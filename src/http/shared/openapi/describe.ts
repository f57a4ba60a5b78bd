import { type TUnsafe, Type } from 'typebox';

/** Building blocks of response schemas. */

export const text = (description: string) => Type.String({ description });
export const time = (description: string) => Type.String({ description: `${description} ISO 8601.` });
export const maybeTime = (description: string) => Type.String({ description: `${description} ISO 8601, or empty.` });
export const mediaLink = (description: string) => Type.String({ description: `Media link: ${description}` });

/** A reference to a shared schema of the API document; `document.ts` lists them. */
export const component = <T>(name: string): TUnsafe<T> => Type.Unsafe<T>({ 'x-component': name });
