import {z} from 'zod';

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
	/**
	The identities of the real folder (its path is empty) and of folders in it that others cover, from before the
	command.
	*/
	readonly known: ReadonlyMap<string, string>;
	/** The path of a copy of `.git/index` from before the command. It does not exist if there was no index. */
	readonly index: string;
};

/** A difference that a command made. `path` is relative to the folder of the layer, without `.` and `..`. */
export type Effect =
	| {readonly type: 'file' | 'link' | 'folder'; readonly path: string; readonly isNew: boolean}
	/** A file, or a folder with everything in it. */
	| {readonly type: 'deleted'; readonly path: string}
	/** A socket, a FIFO or a device. It is never taken over. */
	| {readonly type: 'special'; readonly path: string};

/** `old` and `new` are object ids in hexadecimal. All zeros mean that the reference does not exist. */
const refUpdateSchema = z.object({ref: z.string(), old: z.string(), new: z.string()}).readonly();
export type RefUpdate = z.infer<typeof refUpdateSchema>;

/** Identifies a version of a file: device, inode, size and change time. It is empty for a name that does not exist. */
const stampSchema = z.string();
export type Stamp = z.infer<typeof stampSchema>;

const steps = {
	/**
	Renames a file or link to its place. It replaces what is there, if that is still `was`. Without `from` the step is
	done.
	*/
	move: {from: z.string(), to: z.string(), was: stampSchema.optional()},
	/** Renames a whole new folder to its place, which does not exist. */
	move_folder: {from: z.string(), to: z.string()},
	folder: {path: z.string(), mode: z.int()},
	mode: {path: z.string(), mode: z.int()},
	/** Removes a file or a folder with everything in it, if it is still `was`, and nothing of `unless` exists. */
	remove: {path: z.string(), was: stampSchema.optional(), unless: z.array(z.string()).readonly().optional()},
	/** Replaces a file of git under git's own lock (`<to>.lock`). */
	move_locked: {from: z.string(), to: z.string(), was: stampSchema.optional()},
	/** Changes references in one transaction. A reference that has neither `old` nor `new` is a conflict. */
	refs: {gitDir: z.string(), updates: z.array(refUpdateSchema).readonly()},
};

/**
One step of a take-over. All paths are absolute, in the notation of a layer. Each step can be repeated: what is done
already is skipped, so that a take-over that was interrupted ends the next time.
*/
export type Step = z.infer<typeof stepSchema>;
export const stepSchema = z.discriminatedUnion('type', [
	z.object({type: z.literal('move'), ...steps.move}).readonly(),
	z.object({type: z.literal('move_folder'), ...steps.move_folder}).readonly(),
	z.object({type: z.literal('folder'), ...steps.folder}).readonly(),
	z.object({type: z.literal('mode'), ...steps.mode}).readonly(),
	z.object({type: z.literal('remove'), ...steps.remove}).readonly(),
	z.object({type: z.literal('move_locked'), ...steps.move_locked}).readonly(),
	z.object({type: z.literal('refs'), ...steps.refs}).readonly(),
]);

/** A name that is not taken over, and why. `path` is relative to the folder of the layer. */
export type LeftOut = {readonly path: string; readonly why: LeftOutReason};

/**
`conflict`: it was changed from outside since the cell began. `protected`: other programs run it. `git`: git would obey
it. `special`: a socket, FIFO or device.
*/
export type LeftOutReason = 'conflict' | 'protected' | 'git' | 'special';
