/** One session, one group, one channel: the same in every example. */

const id = '0197f3a2-7c1e-7d20-8b6f-10d35e4472aa';
const sessionId = 'pKx0mZr6cWm0N8kq3lq9yV1x5o0oQ2zq7tB3r1c9u4E';
const picture = 'data:image/jpeg;base64,/9j/4AAQSkZJRgABAQ…';
const webhook = { url: '', token: '' };
const mediaLink = (variant: string, ext: string): string =>
  `https://gateway.example/media/${id}/-1004001/210/${variant}/Jb0…43 letters….${ext}`;

const pending = {
  id,
  generatedId: '',
  name: 'Support desk',
  username: '',
  phone: '',
  sessionId,
  isConnected: false,
  qrcode: 'iVBORw0KGgoAAAANSUhEUgAA…',
  isPasswordRequired: false,
  passwordHint: '',
  picture: '',
  webhook,
};
const connected = {
  ...pending,
  generatedId: '1001',
  name: 'Ann Lee',
  username: 'ann',
  phone: '15550000001',
  isConnected: true,
  qrcode: '',
  picture,
};
const { sessionId: _secret, ...past } = connected;
const created = '2026-01-05T08:15:00.000Z';
const deadlines = [{ type: 'DisconnectedTimedOut', due: '2026-01-05T08:45:00.000Z' }];

export const examples = {
  id: { id },
  created: { ...pending, created, expires: '2026-01-05T08:18:00.000Z' },
  session: connected,
  webhook: { id, webhook: { url: 'https://crm.example/telegram', token: 'whsec-of-mine' } },
  webhookStatus: {
    id,
    webhook: { url: 'https://crm.example/telegram', token: 'whsec-of-mine' },
    pending: 3,
    lastDelivered: created,
    lastError: 'it answered with status 503',
    parked: 0,
  },
  parked: {
    seq: 17,
    id: '0197f3a2-9b4f-7c02-9d7e-2f4b8a6c1e35',
    type: 'message',
    created,
    error: 'it answered with status 503',
  },
  sent: { messageId: '4711' },
  status: { statusId: '12', created, expires: '2026-01-06T08:15:00.000Z' },
  group: {
    id: '-1003001',
    name: 'Makers',
    username: 'makers',
    description: 'People who make things',
    picture,
    created,
  },
  member: { id: '1002', name: 'Bob Stone', username: 'bob', phone: '' },
  channel: { id: '-1004001', name: 'Daily', username: 'daily', picture, isOwner: true, created },
  message: {
    id: '210',
    serverId: 210,
    url: 'https://t.me/daily/210',
    type: 'video',
    text: 'How it is made',
    video: { url: mediaLink('file', 'mp4'), thumbnail: mediaLink('thumb', 'jpg'), duration: 30, mimetype: 'video/mp4' },
    created,
  },
  summary: {
    id,
    state: 'disconnected',
    since: created,
    reason: 'unreachable',
    deadline: '2026-01-05T08:45:00.000Z',
    created,
    hasWebhook: true,
    held: false,
  },
  entry: {
    seq: 4,
    type: 'ConnectionLost',
    created,
    state: 'disconnected',
    reason: 'unreachable',
    data: { from: 'connected', since: created, deadlines, login: 1, reason: 'unreachable' },
  },
  past: {
    seq: 4,
    created,
    state: 'disconnected',
    since: created,
    reason: 'unreachable',
    deadlines,
    session: { ...past, isConnected: false },
  },
};
