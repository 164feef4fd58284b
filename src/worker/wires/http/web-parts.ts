/** This file exports the code that fetches of web pages need, so that all of it is loaded with one import. */
export {trustCertificates} from './certificates.ts';
export {decoded} from './decode.ts';
export {proxyFor, type Proxy} from './proxy-choice.ts';
export {ProxyError} from './proxy-error.ts';
export {AnswerRefused} from './refusal.ts';
export {endOfSource, type Source} from './source.ts';
export {proxyHeaders, refusalOf, TunnelAgent, unreachableProxy} from './tunnel.ts';
