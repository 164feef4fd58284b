/** The parts of inkpod's own connections that are needed to fetch web pages. They are loaded as a whole. */
export {trustCertificates} from './certificates.ts';
export {decoded} from './decode.ts';
export {proxyFor, type Proxy} from './proxy-choice.ts';
export {ProxyError} from './proxy-error.ts';
export {AnswerRefused} from './refusal.ts';
export {endOfSource, type Source} from './source.ts';
export {proxyHeaders, refusalOf, TunnelAgent, unreachableProxy} from './tunnel.ts';
