/** The commands about sessions without a terminal, in one file, because they share most of their code. */
export {relay} from '../attach/relay.ts';
export {background} from './background.ts';
export {serve} from './serve.ts';
