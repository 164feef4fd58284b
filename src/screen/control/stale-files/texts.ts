import {t} from '../../../language/index.ts';

export const noneChanged = t`No file on the screen has changed on disk.`;
export const allAttached = t`All files that changed on disk are attached already.`;
