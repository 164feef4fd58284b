/** The code that only users with proxies or certificates need in order to connect. It is loaded as a whole. */
export {trustCertificates} from './certificates.ts';
export {proxiedFetch} from './proxied-fetch.ts';
export {proxyOf} from './proxy-choice.ts';
