export {keepRows} from './cached-output.ts';
export {countLayout, fillsColumn, isLine, keepPlaces} from './kept-layout.ts';
export {keepTextOfNode} from './stock-output.ts';
export type {Clip, OutputClass, OutputLike, Transformer} from './stock-output.ts';
