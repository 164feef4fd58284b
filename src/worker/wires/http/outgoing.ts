/** The code for inkpod's own connections. It is loaded as a whole. */
export {trustCertificates} from './certificates.ts';
export {proxyOf} from './proxy-choice.ts';
export {connect} from './route.ts';
export {send} from './send.ts';
