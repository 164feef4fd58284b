import {z} from 'zod';

/**
A folder that a command sees through an overlay. Names of files may contain bytes that are not UTF-8, so a path in a
layer is a string with one character for each byte (latin1).
*/
export type Layer = {
	/** The real path of the real folder. The command itself changes nothing in it. */
	readonly path: string;
	/**
	The upper folder of overlayfs with everything that the command wrote. A deleted name is a character device 0:0.
	*/
	readonly upper: string;
	/** The merged folder, as the command saw it. It can be read until the cell is closed. */
	readonly merged: string;
	/** A time in milliseconds. A real file with a later `ctimeMs` was changed from outside. */
	readonly since: number;
	/**
	The identities of the real folder (its path is empty) and of folders in it that others cover, from before the
	command.
	*/
	readonly known: ReadonlyMap<string, string>;
	/** The path of a copy of `.git/index` from before the command. The copy does not exist if there was no index. */
	readonly index: string;
};

/** A change that a command made. `path` is relative to the folder of the layer, without `.` and `..`. */
export type Effect =
	| {readonly type: 'file' | 'link' | 'folder'; readonly path: string; readonly isNew: boolean}
	/** A file, or a folder with everything in it. */
	| {readonly type: 'deleted'; readonly path: string}
	/** A socket, a FIFO or a device. It is never applied. */
	| {readonly type: 'special'; readonly path: string};

/** `old` and `new` are object ids in hexadecimal. All zeros mean that the reference does not exist. */
const refUpdateSchema = z.object({ref: z.string(), old: z.string(), new: z.string()}).readonly();
export type RefUpdate = z.infer<typeof refUpdateSchema>;

/** References of a git folder with their values. A reference that does not exist has an empty value. */
const refValuesSchema = z
	.object({gitDir: z.string(), values: z.array(z.object({ref: z.string(), value: z.string()}).readonly()).readonly()})
	.readonly();
export type RefValues = z.infer<typeof refValuesSchema>;

/**
Identifies a version of a file: device, inode, size and change time. The stamp is empty for a name that does not exist.
*/
const stampSchema = z.string();
export type Stamp = z.infer<typeof stampSchema>;

const steps = {
	/**
	Renames a file or link to its place. The step replaces the existing entry if its stamp is still `was`. If `from` no
	longer exists, the step is already done.
	*/
	move: {from: z.string(), to: z.string(), was: stampSchema.optional()},
	/** Renames a whole new folder to its place, if nothing exists there yet. */
	move_folder: {from: z.string(), to: z.string()},
	folder: {path: z.string(), mode: z.int()},
	mode: {path: z.string(), mode: z.int()},
	/**
	Removes a file, or a folder with everything in it, if its stamp is still `was` and no path of `unless` exists.
	*/
	remove: {path: z.string(), was: stampSchema.optional(), unless: z.array(z.string()).readonly().optional()},
	/** Replaces one of git's files under git's own lock (`<to>.lock`), if the references have the values of `only`. */
	move_locked: {
		from: z.string(),
		to: z.string(),
		was: stampSchema.optional(),
		only: refValuesSchema.optional(),
	},
	/** Changes references in one transaction. A reference whose value is neither `old` nor `new` is a conflict. */
	refs: {gitDir: z.string(), updates: z.array(refUpdateSchema).readonly()},
};

/**
One step of a take-over. All paths are absolute, in the form of `layerPath`. Each step can be repeated: a step that is
already done has no effect. So an interrupted take-over can be finished later.
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

/** A path that is not applied, and the reason. `path` is relative to the folder of the layer. */
export type LeftOut = {readonly path: string; readonly why: LeftOutReason};

/**
`conflict`: the path was changed from outside since the cell began. `protected`: other programs run the file. `git`: the
file could control git. `special`: a socket, FIFO or device.
*/
export type LeftOutReason = 'conflict' | 'protected' | 'git' | 'special';
