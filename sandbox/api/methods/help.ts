import type { TlObject } from '../../rpc.ts';
import { maxCaptionLength, maxTextLength } from '../../world/messages/rich-text.ts';
import type { Method, OpenMethod } from '../method.ts';

/** A port on which a data centre listens. */
interface DcPort {
  dc: number;
  port: number;
}

/**
 * `ports`: the ports of the data centres. The numbers that the sandbox does not apply itself are Telegram's defaults.
 */
export function helpOpenMethods(ports: () => readonly DcPort[]): Record<string, OpenMethod> {
  return {
    'help.getConfig': (_params, { world, call }) => ({
      _: 'config',
      date: world.now(),
      expires: world.now() + 3_600,
      test_mode: false,
      this_dc: call.dc,
      dc_options: [...ports()].map(tlDcOption),
      dc_txt_domain_name: 'localhost',
      chat_size_max: 200,
      megagroup_size_max: 200_000,
      forwarded_count_max: 100,
      online_update_period_ms: 210_000,
      offline_blur_timeout_ms: 5_000,
      offline_idle_timeout_ms: 30_000,
      online_cloud_timeout_ms: 300_000,
      notify_cloud_delay_ms: 30_000,
      notify_default_delay_ms: 1_500,
      push_chat_period_ms: 60_000,
      push_chat_limit: 2,
      edit_time_limit: 172_800,
      revoke_time_limit: 2_147_483_647,
      revoke_pm_time_limit: 2_147_483_647,
      rating_e_decay: 2_419_200,
      stickers_recent_limit: 200,
      channels_read_media_period: 604_800,
      call_receive_timeout_ms: 20_000,
      call_ring_timeout_ms: 90_000,
      call_connect_timeout_ms: 30_000,
      call_packet_timeout_ms: 10_000,
      me_url_prefix: 'https://t.me/',
      caption_length_max: maxCaptionLength,
      message_length_max: maxTextLength,
      webfile_dc_id: 4,
    }),
    'help.getNearestDc': (_params, { call }) => ({ _: 'nearestDc', country: 'NL', this_dc: call.dc, nearest_dc: 2 }),
    'help.getAppConfig': (params) =>
      params['hash'] === 1
        ? { _: 'help.appConfigNotModified' }
        : { _: 'help.appConfig', hash: 1, config: { _: 'jsonObject', value: [] } },
    // The sandbox has no CDN.
    'help.getCdnConfig': () => ({ _: 'cdnConfig', public_keys: [] }),
    'help.getCountriesList': () => ({ _: 'help.countriesList', countries: [], hash: 1 }),
    'help.getAppUpdate': () => ({ _: 'help.noAppUpdate' }),
    'langpack.getLanguages': () => [],
    'langpack.getLangPack': (params) => emptyLangPack(params['lang_code'] as string),
    'langpack.getDifference': (params) => emptyLangPack(params['lang_code'] as string),
    'langpack.getStrings': () => [],
  };
}

export const helpMethods: Record<string, Method> = {
  'help.getTermsOfServiceUpdate': (_params, { world }) => ({
    _: 'help.termsOfServiceUpdateEmpty',
    expires: world.now() + 86_400,
  }),
  'help.getPromoData': (_params, { world }) => ({ _: 'help.promoDataEmpty', expires: world.now() + 86_400 }),
  'help.getInviteText': () => ({ _: 'help.inviteText', message: '' }),
  'help.getPeerColors': () => ({ _: 'help.peerColors', hash: 0, colors: [] }),
};

const tlDcOption = ({ dc, port }: DcPort): TlObject => ({
  _: 'dcOption',
  id: dc,
  ip_address: '127.0.0.1',
  port,
  static: true,
  this_port_only: true,
});

function emptyLangPack(code: string): TlObject {
  return { _: 'langPackDifference', lang_code: code, from_version: 0, version: 0, strings: [] };
}
