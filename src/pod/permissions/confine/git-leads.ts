import {listIn, readTextIn, statsIn} from './git-files.ts';
import {nameIn, pathIn} from './git-folders.ts';
import {operations, type Operation} from './git-operations.ts';
import type {Effect, Layer} from './layer.ts';

/**
The objects and operations that the state files of git in a working tree name. Objects are names of 40 or 64 hexadecimal
digits, unless stated otherwise.
*/
export type Leads = {
	/** All objects in state files that a command wrote, including the list of stashes. */
	readonly all: readonly string[];
	/** The unfinished operations. `operations`: those that the command has begun or changed. */
	readonly unfinished: readonly Operation[];
	readonly operations: readonly Operation[];
	/** Whether the command has changed an unfinished operation, or the index from which such an operation continues. */
	readonly needsIndex: boolean;
	/** The other files that the command wrote and that make git check something out later. */
	readonly files: readonly string[];
	/** The commits whose changes the unfinished operations will apply. Names may be abbreviated. */
	readonly pending: readonly string[];
	/** The commits that the operations check out when they end or are aborted. */
	readonly targets: readonly string[];
	/** The stash that git applies when a merge is committed. */
	readonly stash: readonly string[];
	/** The commits whose parents git ignores because of the command. */
	readonly shallow: readonly string[];
};

/** Reads the state files of git in a working tree as a command left them. `folder`: the folder that contains `HEAD`. */
export function leadsTo(layer: Layer, folder: string, effects: readonly Effect[]): Leads {
	const read = (name: string) => readTextIn(layer.merged, pathIn(folder, name), maxBytes) ?? '';
	const written = effects.filter(({type}) => type === 'file').map(({path}) => nameIn(folder, path));
	const unfinished = unfinishedIn(layer, folder);
	const before = new Set(objectsIn(readTextIn(layer.path, pathIn(folder, 'shallow'), maxBytes) ?? ''));
	const begun = unfinished.filter(name => effects.some(({path}) => path.startsWith(`${pathIn(folder, name)}/`)));
	const filesOf = (some: readonly Operation[], pattern: RegExp) =>
		some
			.flatMap(name => listIn(layer.merged, pathIn(folder, name)).map(file => `${name}/${file}`))
			.filter(name => pattern.test(name))
			.map(read);
	const files = written.filter(name => /^(?:MERGE_AUTOSTASH|MERGE_HEAD|CHERRY_PICK_HEAD|REVERT_HEAD)$/.test(name));
	return {
		all: written.filter(name => !notTelling.test(name)).flatMap(name => objectsIn(read(name))),
		unfinished,
		operations: begun,
		needsIndex:
			begun.length > 0 ||
			(unfinished.length > 0 && written.includes('index')) ||
			files.includes('MERGE_AUTOSTASH'),
		files,
		pending: [
			...filesOf(unfinished, /^(?:rebase-merge\/git-rebase-todo|sequencer\/todo)$/).flatMap(stepsIn),
			...filesOf(unfinished, /\/autostash$/).flatMap(objectsIn),
		],
		targets: filesOf(begun, /\/(?:onto|orig-head|head|abort-safety)$/).flatMap(objectsIn),
		stash: objectsIn(files.includes('MERGE_AUTOSTASH') ? read('MERGE_AUTOSTASH') : ''),
		shallow: written.includes('shallow') ? objectsIn(read('shallow')).filter(name => !before.has(name)) : [],
	};
}

/** Returns the operations that are unfinished after a command, even if they began before it. */
export function unfinishedIn(layer: Layer, folder: string): readonly Operation[] {
	return operations.filter(name => statsIn(layer.merged, pathIn(folder, name)) !== undefined);
}

const maxBytes = 16 * 1024 * 1024;

/**
Files that are not searched for objects: indexes are not text, and git does not check out commits from other logs unless
the user names them.
*/
const notTelling = /^(?:index|sharedindex\..+|logs\/(?!refs\/stash$).*|.*_MSG|COMMIT_EDITMSG|AUTO_MERGE)$/;

function objectsIn(text: string): readonly string[] {
	return (text.match(/\b(?:[\da-f]{64}|[\da-f]{40})\b/g) ?? []).filter(name => !/^0+$/.test(name));
}

/** Returns the commits of a todo list (git-rebase(1)). */
function stepsIn(todo: string): readonly string[] {
	return todo.split('\n').flatMap(line => /^[a-z]+(?: -[cC])? ([\da-f]{7,64})(?: |$)/.exec(line)?.[1] ?? []);
}
