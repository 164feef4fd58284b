export {keepRows} from './kept-output.ts';
export {keepTextOfNode} from './kept-text.ts';
export type {Clip, OutputClass, OutputLike, Transformer} from './stock-output.ts';
