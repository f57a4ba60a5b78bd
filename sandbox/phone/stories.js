/** The account's stories. */

import { accountPath, byId, request } from './account.js';
import { element } from './media.js';

const audiences = {
  everyone: 'everyone',
  contacts: 'contacts',
  close_friends: 'close friends',
  selected: 'selected people',
};

let shownStories = '';

export const forgetStories = () => {
  shownStories = '';
};

export async function showStories() {
  const stories = await request('GET', accountPath('/stories'));
  const json = JSON.stringify(stories);
  if (json === shownStories) return;
  shownStories = json;
  byId('stories').replaceChildren(
    ...(stories.length ? stories.map(storyRow) : [element('li', 'No stories were posted.', 'quiet')]),
  );
}

function storyRow({ id, date, expired, caption, privacy, media }) {
  const row = element('li', '', expired ? 'expired' : '');
  const file = accountPath(`/stories/${id}/file`);
  const open = element('a');
  Object.assign(open, { href: file, target: '_blank', rel: 'noopener' });
  const picture = element('img');
  const hasPreview = media.kind === 'photo' || media.thumbnail;
  if (hasPreview) Object.assign(picture, { src: `${file}?size=thumbnail`, alt: `Story ${id}, ${media.kind}` });
  open.append(hasPreview ? picture : `Story ${id}`);
  const details = [new Date(date).toLocaleTimeString(), audiences[privacy], expired && 'expired'];
  row.append(open, element('span', caption), element('small', details.filter(Boolean).join(' · ')));
  return row;
}
