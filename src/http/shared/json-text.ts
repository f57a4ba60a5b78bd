/** JSON of a response. It ends with a line feed, as a text does: a terminal's prompt begins on a line of its own. */
export const jsonText = (value: unknown): string => `${JSON.stringify(value)}\n`;
