/** Nothing answers an attempt: the line is dead, or nothing is there. */
export const noAnswerReason = 'no-answer';
/** The same, but a later attempt was answered: the line was dead when this one began. */
export const overtaken = 'overtaken';
/** The session goes another way from now on: the next connection is opened at once. */
export const rerouted = 'proxy-changed';
