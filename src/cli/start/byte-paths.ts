/** This module is loaded only if the path of the folder may not be UTF-8. */
export {notUtf8, useBytePaths} from '../../pod/index.ts';
