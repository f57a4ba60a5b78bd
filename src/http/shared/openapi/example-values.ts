/** Values that the examples of several resources share: it is the same session in each of them. */
export const exampleId = '0197f3a2-7c1e-7d20-8b6f-10d35e4472aa';
export const exampleTime = '2026-01-05T08:15:00.000Z';
export const examplePicture = 'data:image/jpeg;base64,/9j/4AAQSkZJRgABAQ…';

/** An envelope of a webhook or a reader (WH2). */
export const exampleEnvelope = {
  id: '0197f3a2-9b4f-7c02-9d7e-2f4b8a6c1e35',
  seq: 17,
  previous: 15,
  type: 'message.read' as const,
  created: exampleTime,
  session: { id: exampleId, generatedId: '1001' },
  data: {
    chatId: '1002',
    upTo: '4711',
    fromMe: false,
    user: { id: '1002', name: 'Bob Stone', username: 'bobstone', phone: '', picture: '' },
  },
};
