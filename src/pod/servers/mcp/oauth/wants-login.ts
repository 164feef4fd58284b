import {en} from '../../../../language/index.ts';

/** The end of the connection to a server that accepts no request without a login. */
export const wantsLogin = en`it wants a login`;
