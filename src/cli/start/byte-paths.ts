/** This module is loaded only if the path of the folder possibly is not UTF-8. */
export {notUtf8, useBytePaths} from '../../pod/index.ts';
