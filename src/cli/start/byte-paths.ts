/** Loaded only in a folder whose path may not be UTF-8. */
export {notUtf8, useBytePaths} from '../../pod/index.ts';
