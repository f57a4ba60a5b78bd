import { ChatCache } from '../chats/chat-cache.ts';
import type { AppDeps } from '../http/shared/app-types.ts';
import { MediaCache } from '../media/links/media-cache.ts';
import { MediaFiles } from '../media/links/media-files.ts';
import { programSearch } from '../media/outgoing/ffmpeg-programs.ts';
import { createMediaPreparations } from '../media/outgoing/prepare.ts';
import { IdempotentSends } from '../messaging/idempotent-sends.ts';
import { Paces } from '../messaging/pace/paces.ts';
import { TypingIndicators } from '../messaging/typing.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { countMedia } from '../usage/count-media.ts';
import type { Accounts } from './accounts.ts';
import type { ComposeContext } from './context.ts';
import type { Readiness } from './readiness.ts';
import type { Storage } from './storage.ts';
import type { TemporaryFiles } from './temporary-files.ts';

interface FeatureDeps
  extends Accounts,
    TemporaryFiles,
    Pick<Storage, 'store' | 'vault' | 'views' | 'usage' | 'ownership'> {
  outbound: Outbound;
  counts: Metrics;
  readiness: Readiness;
}

/** The services that requests use. */
export function createFeatures(
  { config, clock, randomness, log, unreadable, onEnd }: ComposeContext,
  {
    sessions,
    accounts,
    mediaCache,
    store,
    ownership,
    vault,
    views,
    usage,
    outbound,
    counts,
    readiness,
    folder,
    space,
    uploads,
  }: FeatureDeps,
): Pick<AppDeps, 'media' | 'uploads' | 'mediaFiles' | 'keyedSends' | 'typing' | 'chatCache'> & { paces: Paces } {
  const typing = new TypingIndicators(accounts, clock);
  onEnd(() => (readiness.isClosing ? typing.end() : undefined));
  const prepared = createMediaPreparations({
    outbound,
    clock,
    folder,
    space,
    uploads,
    maxBytes: config.mediaMaxBytes,
    programs: programSearch(config, (missing) =>
      log.warn({ missing }, 'videos and music are sent as they were described: programs are missing'),
    ),
    onUnreadable: (err, what) => log.info({ err, what }, 'a file that is to be sent could not be read'),
  });
  const media = countMedia(prepared, usage);
  const mediaFiles = new MediaFiles({
    filesOf: (id, accountId) => {
      const account = sessions.state(id) === 'connected' ? accounts.get(id) : undefined;
      return account?.id === accountId ? account.files : undefined;
    },
    cache: new MediaCache(mediaCache),
    clock,
    metrics: counts,
  });
  const keyedSends = new IdempotentSends({
    store,
    ownership,
    clock,
    randomness,
    fingerprint: (sessionId, text) => vault.fingerprint(sessionId, text),
    log,
    reportUnreadable: unreadable.report,
  });
  const paces = new Paces({
    store,
    ownership,
    clock,
    randomness,
    fingerprint: (sessionId, text) => vault.fingerprint(sessionId, text),
    paceOf: (sessionId) => views.get(sessionId)?.pace,
    reportUnreadable: unreadable.report,
  });
  return { media, uploads, mediaFiles, keyedSends, paces, typing, chatCache: new ChatCache(clock) };
}
