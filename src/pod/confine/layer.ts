/**
A folder that a command sees through an overlay. Names of files may not be UTF-8, so a path in a layer is a string with
one character for each byte (latin1).
*/
export type Layer = {
	/** The real folder, as a real path. Nothing in it changes while the command runs. */
	readonly path: string;
	/** What the command wrote, in the format of overlayfs: a deleted name is a character device 0:0. */
	readonly upper: string;
	/** What the command saw. It can be read until the cell is closed. */
	readonly merged: string;
	/** The change time in milliseconds after which a real file was changed from outside (`ctimeMs`). */
	readonly since: number;
};

/** A difference that a command made. `path` is relative to the folder of the layer, without `.` and `..`. */
export type Effect =
	| {readonly type: 'file' | 'link' | 'folder'; readonly path: string; readonly isNew: boolean}
	/** A file, or a folder with everything in it. */
	| {readonly type: 'deleted'; readonly path: string}
	/** A socket, a FIFO or a device. It is never taken over. */
	| {readonly type: 'special'; readonly path: string};

/**
One step of a take-over. All paths are absolute, in the notation of a layer. Each step can be repeated: what is done
already is skipped, so that a take-over that was interrupted ends the next time.
*/
export type Step =
	/** Renames a file or link to its place. It replaces what is there. Without `from` the step is done. */
	| {readonly type: 'move'; readonly from: string; readonly to: string}
	/** Renames a whole new folder to its place, which does not exist. */
	| {readonly type: 'move_folder'; readonly from: string; readonly to: string}
	| {readonly type: 'folder'; readonly path: string; readonly mode: number}
	| {readonly type: 'mode'; readonly path: string; readonly mode: number}
	| {readonly type: 'remove'; readonly path: string}
	/** Replaces a file of git under git's own lock (`<to>.lock`). */
	| {readonly type: 'move_locked'; readonly from: string; readonly to: string}
	/** Changes references in one transaction. A reference that has neither `old` nor `new` is a conflict. */
	| {readonly type: 'refs'; readonly gitDir: string; readonly updates: readonly RefUpdate[]};

/** `old` and `new` are object ids in hexadecimal. All zeros mean that the reference does not exist. */
export type RefUpdate = {readonly ref: string; readonly old: string; readonly new: string};

/** A name that is not taken over, and why. `path` is relative to the folder of the layer. */
export type LeftOut = {readonly path: string; readonly why: LeftOutReason};

/**
`conflict`: it was changed from outside since the cell began. `protected`: other programs run it. `git`: git would obey
it. `special`: a socket, FIFO or device.
*/
export type LeftOutReason = 'conflict' | 'protected' | 'git' | 'special';
