import type { ReportUnreadable } from '../../../actors/ports/event-codec.ts';

/** For a test in which every event is one that can be read. @throws always */
export const allReadable: ReportUnreadable = ({ stream, revision, reason }) => {
  throw new Error(`event ${revision} of ${stream} cannot be read: ${reason}`);
};
