import path from 'node:path';
import type {SourceFile} from './source-file.ts';

/** The rooms of src/screen, from top to bottom: each is a folder, and imports only rooms below it. */
export const screenRooms = [
	/** Opens a screen, holds the terminal, paces frames, and mounts the tree: in full, inline or spoken. */
	'mount',
	/** What keys, the mouse, the pod and timers do. */
	'control',
	/** Regions: their rows and their components. */
	'view',
	/** The state: values, actions and reducers. */
	'model',
	/** Blocks become rows: the transcript's store and its viewport. */
	'rows',
	'markdown',
	/** The text editor, with the keys of vim. */
	'editor',
	/** Input and output of the terminal. */
	'terminal',
	/** Rows, themes and painting. */
	'spans',
] as const;

/** Finds files of a layer outside its rooms, and imports of a room above. */
export function upwardImports(files: readonly SourceFile[], root: string, rooms: readonly string[]): string[] {
	const heightOf = (file: string): number => rooms.findIndex(room => file.startsWith(`${root}/${room}/`));
	return files
		.filter(file => file.path.startsWith(`${root}/`))
		.flatMap(file => {
			const from = heightOf(file.path);
			if (from === -1) return [`${file.path} is in no room`];
			return file.imports
				.map(({specifier, line}) => ({target: path.posix.join(path.posix.dirname(file.path), specifier), line}))
				.filter(({target}) => target.startsWith(`${root}/`) && heightOf(target) < from)
				.map(({target, line}) => `${file.path}:${line} (${rooms[from]}) imports ${target}`);
		});
}
