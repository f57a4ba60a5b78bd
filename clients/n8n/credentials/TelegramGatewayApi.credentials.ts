import type {
  IAuthenticateGeneric,
  ICredentialTestRequest,
  ICredentialType,
  Icon,
  INodeProperties,
} from 'n8n-workflow';

/** A key of the gateway, and the session that is used with it. */
export class TelegramGatewayApi implements ICredentialType {
  name = 'telegramGatewayApi';

  displayName = 'Telegram Gateway API';

  icon: Icon = {
    light: 'file:../nodes/TelegramGateway/telegramGateway.svg',
    dark: 'file:../nodes/TelegramGateway/telegramGateway.dark.svg',
  };

  properties: INodeProperties[] = [
    {
      displayName: 'URL',
      name: 'url',
      type: 'string',
      default: 'http://127.0.0.1:3000',
      placeholder: 'https://gateway.example',
      description: 'The address of the gateway',
      required: true,
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      description: 'A key with the scope "accounts", of POST /keys',
      required: true,
    },
    {
      displayName: 'Session ID',
      name: 'session',
      type: 'string',
      default: '',
      placeholder: '0197f3a2-7c1e-7d20-8b6f-10d35e4472aa',
      description: 'The ID of the session of the Telegram account, as the console and GET /sessions have it',
      required: true,
    },
  ];

  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: {
      headers: {
        'x-api-key': '={{$credentials.apiKey}}',
        id: '={{$credentials.session}}',
      },
    },
  };

  test: ICredentialTestRequest = {
    request: { baseURL: '={{$credentials.url}}', url: '/session' },
  };
}
