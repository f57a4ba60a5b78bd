/** What Prometheus has scraped of each series, in its own notation: `0+1x60` is a value a minute, 60 times one more. */
type Scraped = Record<string, string>;

interface AlertCase {
  /** The alert stands after an hour of this. */
  fires: Scraped;
  /** As near as it may come without an alert. */
  calm: Scraped;
}

const at = 'instance="a"';
const histogram = (name: string, growing: Record<string, number>): Scraped =>
  Object.fromEntries(Object.entries(growing).map(([le, each]) => [`${name}_bucket{${at},le="${le}"}`, `0+${each}x60`]));

/** For each alert of `docs/grafana/alerts.yaml` an hour with it and one without. */
export const alertCases: Record<string, AlertCase> = {
  GatewayAway: { fires: { 'up{instance="b"}': '1x60' }, calm: { [`gateway_ready{${at}}`]: '0x60' } },
  GatewayNotReady: {
    fires: { [`gateway_ready{${at}}`]: '1x30 0x30' },
    calm: { [`gateway_ready{${at}}`]: '0 1 '.repeat(31) },
  },
  EventStoreAway: {
    fires: { [`gateway_store_away{${at}}`]: '0x50 1x10' },
    calm: { [`gateway_store_away{${at}}`]: '1x50 0x10' },
  },
  EventsUnreadable: {
    fires: { [`gateway_unreadable_events_total{${at},stream="session"}`]: '0x50 1x10' },
    calm: { [`gateway_unreadable_events_total{${at},stream="session"}`]: '0x60' },
  },
  SessionsDisconnected: {
    fires: sessions(20, 3),
    calm: sessions(20, 2),
  },
  SessionDisconnectedForLong: {
    fires: { [`gateway_sessions{${at},state="disconnected"}`]: '0x40 1x20' },
    calm: { [`gateway_sessions{${at},state="disconnected"}`]: '0x47 1x13' },
  },
  SessionsDeletedDisconnected: {
    fires: facts('DisconnectedTimedOut', '0x50 1x10'),
    calm: facts('DisconnectedTimedOut', '0x30 1x30'),
  },
  LoginsLost: {
    fires: { [`gateway_logins_lost_total{${at},reason="SESSION_REVOKED"}`]: '0x30 6x30' },
    calm: { [`gateway_logins_lost_total{${at},reason="SESSION_REVOKED"}`]: '0x30 5x30' },
  },
  LoginUsedTwice: {
    fires: { [`gateway_logins_lost_total{${at},reason="AUTH_KEY_DUPLICATED"}`]: '0x50 1x10' },
    calm: { [`gateway_logins_lost_total{${at},reason="SESSION_REVOKED"}`]: '0x50 1x10' },
  },
  QrCodesNotScanned: {
    fires: { ...facts('QrTimedOut', '0x30 11x30'), [`gateway_logins_total{${at},by="qr"}`]: '0x60' },
    calm: { ...facts('QrTimedOut', '0x30 11x30'), [`gateway_logins_total{${at},by="qr"}`]: '0x40 1x20' },
  },
  SendsFail: {
    fires: sends(80, 20),
    calm: sends(95, 5),
  },
  TelegramAsksToWait: {
    fires: { [`gateway_telegram_waits_total{${at},request="messages.SendMessage",waited="false"}`]: '0x50 12x10' },
    calm: { [`gateway_telegram_waits_total{${at},request="messages.SendMessage",waited="true"}`]: '0x50 12x10' },
  },
  WebhooksBehind: {
    fires: { [`gateway_webhook_oldest_seconds{${at}}`]: '601x60' },
    calm: { [`gateway_webhook_oldest_seconds{${at}}`]: '600x60' },
  },
  WebhooksParked: {
    fires: { [`gateway_webhook_deliveries_total{${at},outcome="parked"}`]: '0x30 1x30' },
    calm: { [`gateway_webhook_deliveries_total{${at},outcome="failed"}`]: '0x30 9x30' },
  },
  OperatorWebhooksBehind: {
    fires: { [`gateway_operator_webhook_oldest_seconds{${at}}`]: '601x60' },
    calm: { [`gateway_operator_webhook_oldest_seconds{${at}}`]: '600x60' },
  },
  OperatorWebhooksParked: {
    fires: { [`gateway_operator_webhook_deliveries_total{${at},outcome="parked"}`]: '0x30 1x30' },
    calm: { [`gateway_operator_webhook_deliveries_total{${at},outcome="failed"}`]: '0x30 9x30' },
  },
  AppendsSlow: {
    fires: histogram('gateway_store_append_seconds', { '0.5': 90, '1': 100, '+Inf': 100 }),
    calm: histogram('gateway_store_append_seconds', { '0.5': 100, '1': 100, '+Inf': 100 }),
  },
  AppendsFenced: {
    fires: { [`gateway_store_append_seconds_count{${at},outcome="wrong-revision"}`]: '0x50 1x10' },
    calm: { [`gateway_store_append_seconds_count{${at},outcome="recorded"}`]: '0+9x60' },
  },
  ViewsBehind: {
    fires: { [`gateway_view_lag_seconds{${at}}`]: '11x60' },
    calm: { [`gateway_view_lag_seconds{${at}}`]: '10x60' },
  },
  ServerErrors: {
    fires: requests(90, 10),
    calm: requests(98, 2),
  },
  Faults: {
    fires: { [`gateway_faults_total{${at},where="webhook"}`]: '0x50 1x10' },
    calm: { [`gateway_faults_total{${at},where="webhook"}`]: '0x30 1x30' },
  },
  EventLoopLags: {
    fires: { [`nodejs_eventloop_lag_p99_seconds{${at}}`]: '0.6x60' },
    calm: { [`nodejs_eventloop_lag_p99_seconds{${at}}`]: '0.5x60' },
  },
};

function sessions(connected: number, disconnected: number): Scraped {
  return {
    [`gateway_sessions{${at},state="connected"}`]: `${connected}x60`,
    [`gateway_sessions{${at},state="disconnected"}`]: `${disconnected}x60`,
  };
}

function facts(fact: string, values: string): Scraped {
  return { [`gateway_session_facts_total{${at},fact="${fact}"}`]: values };
}

function sends(sent: number, failed: number): Scraped {
  return {
    [`gateway_sends_total{${at},type="text",outcome="sent"}`]: `0+${sent}x60`,
    [`gateway_sends_total{${at},type="text",outcome="FLOOD_WAIT"}`]: `0+${failed}x60`,
  };
}

function requests(answered: number, turnedAway: number): Scraped {
  const name = 'gateway_http_request_seconds_count';
  return {
    [`${name}{${at},method="GET",route="/session",status="200"}`]: `0+${answered}x60`,
    [`${name}{${at},method="GET",route="/session",status="503"}`]: `0+${turnedAway}x60`,
  };
}
