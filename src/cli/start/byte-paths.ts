/** The code for paths that are not UTF-8. This module is loaded only if the folder's path may be such a path. */
export {notUtf8, useBytePaths} from '../../pod/index.ts';
