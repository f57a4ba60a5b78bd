/** The version in package.json. */
export const gatewayVersion = '1.0.0-rc.1';
