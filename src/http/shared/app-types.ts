import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { Clock, Randomness } from '../../../actors/ports/clock.ts';
import type { ReportUnreadable } from '../../../actors/ports/event-codec.ts';
import type { EventStore } from '../../../actors/ports/event-store.ts';
import type { Sealer } from '../../../actors/ports/sealer.ts';
import type { Sessions } from '../../../actors/runtime/sessions.ts';
import type { SessionActivity } from '../../../projections/activity/activity.ts';
import type { SessionView, SessionViews } from '../../../projections/session-view.ts';
import type { UsageDays } from '../../../projections/usage/usage-days.ts';
import type { ChatCache } from '../../chats/chat-cache.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import type { Hops } from '../../hop/hops.ts';
import type { KeyRegistry } from '../../keys/key-registry.ts';
import type { KeySendLimits } from '../../keys/limits/send-limits.ts';
import type { KeySessionLimits } from '../../keys/limits/session-limits.ts';
import type { LinkBook } from '../../links/link-book.ts';
import type { LinkSessions } from '../../links/link-sessions.ts';
import type { MediaFiles } from '../../media/links/media-files.ts';
import type { MediaLinks } from '../../media/links/media-link.ts';
import type { MediaPreparations } from '../../media/outgoing/prepare.ts';
import type { KeptFiles } from '../../media/uploads/kept-files.ts';
import type { IdempotentSends } from '../../messaging/idempotent-sends.ts';
import type { Paces } from '../../messaging/pace/paces.ts';
import type { TypingIndicators } from '../../messaging/typing.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import type { TelegramAccounts, TelegramConnections } from '../../telegram/port/account.ts';
import type { CountUsage } from '../../usage/usage-recorder.ts';
import type { Dispatcher } from '../../webhook/deliver/dispatcher.ts';
import type { OperatorWebhooks } from '../../webhook/operators/operator-webhooks.ts';
import type { ReaderBook } from '../../webhook/readers/reader-book.ts';
import type { WebhookRecording } from '../../webhook/record/record-updates.ts';

/** Fastify with the types of the schemas. */
export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** What an operator asks first. */
interface AboutGateway {
  /** Name of this process in what it records. */
  node: string;
  version: string;
  /** Milliseconds since 1970. */
  startedAt: number;
  /** Where the events are. */
  store: 'sqlite' | 'kurrentdb';
}

/** The services that the routes call. Each `routes.ts` picks those that it uses. */
export interface AppDeps {
  sessions: Sessions;
  store: Pick<EventStore, 'last' | 'read' | 'subscribeAll'>;
  views: SessionViews;
  /** The keys of callers (KY1). */
  keys: KeyRegistry;
  sealer: Pick<Sealer, 'open'>;
  accounts: TelegramAccounts;
  connections: TelegramConnections;
  mediaLinks: MediaLinks;
  mediaFiles: MediaFiles;
  /** Prepares callers' files for sending. */
  media: MediaPreparations;
  /** The files of `POST /file`. */
  uploads: KeptFiles;
  /** Customers' links (OS5). */
  linkBook: LinkBook;
  links: LinkSessions;
  /** The start of every URL of the gateway that it gives away. */
  publicUrl: () => string;
  keyedSends: IdempotentSends;
  /** How fast accounts may write. */
  paces: Pick<Paces, 'of' | 'changed'>;
  recording: Pick<WebhookRecording, 'webhookSet'>;
  deliveries: Pick<Dispatcher, 'backlogOf' | 'list' | 'parked' | 'replay' | 'status' | 'test'>;
  usage: CountUsage;
  /** What sessions have used, day by day. */
  usageDays: Pick<UsageDays, 'ofDay'>;
  /** How much keys may use (KY3). */
  sendLimits: KeySendLimits;
  sessionLimits: KeySessionLimits;
  /** What happened lately, from the log. */
  activity: Pick<SessionActivity, 'counted' | 'lastLosses' | 'series'>;
  about: AboutGateway;
  readers: ReaderBook;
  operatorWebhooks: OperatorWebhooks;
  typing: TypingIndicators;
  chatCache: ChatCache;
  /** The nodes that share the store; undefined: the gateway is alone (CL1). */
  cluster?: Cluster | undefined;
  /** The secret that signs requests from node to node (`CLUSTER_KEY`). There with {@link cluster}. */
  clusterKey?: string | undefined;
  /** Requests to the other nodes. There with {@link cluster}. */
  hops?: Hops | undefined;
  /** True while nothing can be recorded (FA2). */
  isStoreAway: () => boolean;
  metrics: Metrics;
  /** For `/metrics`. */
  readMetrics: () => Promise<string>;
  clock: Clock;
  randomness: Randomness;
  reportUnreadable: ReportUnreadable;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The session that the caller may use; set by the authentication of session-bound routes. */
    view: SessionView;
    /** The session's secret as the caller sent it, repeated in responses; empty if a key stands for it. */
    sessionId: string;
    /** Telegram's name for its error, if it refused: `CHAT_WRITE_FORBIDDEN`. */
    refusal: string | undefined;
    /** OpenTelemetry's, if the request is traced. */
    traceId: string | undefined;
  }
}
