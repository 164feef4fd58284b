/** This file exports the code for inkpod's own connections, so that all of it is loaded with one import. */
export {trustCertificates} from './certificates.ts';
export {proxyOf} from './proxy-choice.ts';
export {connect} from './route.ts';
export {send} from './send.ts';
