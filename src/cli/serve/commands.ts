/** The commands about sessions without a terminal, in one file, because they share most of their code. */
export {relay} from '../attach/remote.ts';
export {background} from './serve.ts';
export {serve} from './serve.ts';
export {serviceRemedy} from './service.ts';
