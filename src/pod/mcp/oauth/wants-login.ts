/** The end of the connection to a server that accepts no request without a login. */
export const wantsLogin = 'it wants a login';
