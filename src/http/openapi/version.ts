/** The version in package.json. */
export const gatewayVersion = '0.1.0';
