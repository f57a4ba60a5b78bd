/** Values that the examples of several resources share: it is the same session in each of them. */
export const exampleId = '0197f3a2-7c1e-7d20-8b6f-10d35e4472aa';
export const exampleTime = '2026-01-05T08:15:00.000Z';
export const examplePicture = 'data:image/jpeg;base64,/9j/4AAQSkZJRgABAQ…';
