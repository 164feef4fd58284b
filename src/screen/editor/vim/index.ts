export {leaveInsert, pressVim, readsClipboard, withClipboard} from './press.ts';
export {onCharacter} from './motion/words.ts';
