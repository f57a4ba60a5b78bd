import { config } from '@n8n/node-cli/eslint';

/** n8n's own rules. Off are those that ask who publishes the package and where its pages are: who does, fills that in. */
export default [
  ...config,
  {
    rules: {
      '@n8n/community-nodes/require-homepage': 'off',
      '@n8n/community-nodes/valid-author': 'off',
      'n8n-nodes-base/community-package-json-author-missing': 'off',
      'n8n-nodes-base/cred-class-field-documentation-url-missing': 'off',
    },
  },
];
