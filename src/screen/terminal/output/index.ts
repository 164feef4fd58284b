export {keepRows} from './cached-output.ts';
export {keepTextOfNode} from './cached-text.ts';
export type {Clip, OutputClass, OutputLike, Transformer} from './stock-output.ts';
