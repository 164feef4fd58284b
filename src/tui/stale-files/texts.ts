export const noneChanged = 'No file on the screen has changed on disk.';
export const allAttached = 'All files that changed on disk are attached already.';
