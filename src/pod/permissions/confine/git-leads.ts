import {listIn, readTextIn, statsIn} from './git-files.ts';
import {nameIn, pathIn} from './git-folders.ts';
import {operations, type Operation} from './git-operations.ts';
import type {Effect, Layer} from './layer.ts';

/** What the files of git in a working tree lead to. Objects are names of 40 or 64 digits, if nothing else is said. */
export type Leads = {
	/** All objects in files that a command wrote, and in the list of stashes. */
	readonly all: readonly string[];
	/** What the command has begun or changed, and is not finished. */
	readonly operations: readonly Operation[];
	/** The other files that the command wrote and that make git check something out later. */
	readonly files: readonly string[];
	/** The commits whose changes the operations apply. Names may be abbreviated. */
	readonly picks: readonly string[];
	/** The commits that the operations check out when they end or are aborted. */
	readonly targets: readonly string[];
	/** What is applied when a merge is committed. */
	readonly stash: readonly string[];
	/** The files in patches that the operations apply, or `undefined` if a patch may contain others. */
	readonly patched: readonly string[] | undefined;
};

/** Reads the files of git in a working tree as a command left them. `folder`: the folder that contains its `HEAD`. */
export function leadsTo(layer: Layer, folder: string, effects: readonly Effect[]): Leads {
	const read = (name: string) => readTextIn(layer.merged, pathIn(folder, name), maxBytes) ?? '';
	const written = effects.filter(({type}) => type === 'file').map(({path}) => nameIn(folder, path));
	const begun = operations.filter(
		name =>
			statsIn(layer.merged, pathIn(folder, name)) !== undefined &&
			effects.some(({path}) => path.startsWith(`${pathIn(folder, name)}/`)),
	);
	const inside = begun.flatMap(name => listIn(layer.merged, pathIn(folder, name)).map(file => `${name}/${file}`));
	const objectsOf = (pattern: RegExp) =>
		inside.filter(name => pattern.test(name)).flatMap(name => objectsIn(read(name)));
	const patches = inside.filter(name => /^rebase-apply\/(?:\d+|patch)$/.test(name)).map(read);
	const todos = inside.filter(name => /^(?:rebase-merge\/git-rebase-todo|sequencer\/todo)$/.test(name)).map(read);
	const files = written.filter(name => /^(?:MERGE_AUTOSTASH|MERGE_HEAD|CHERRY_PICK_HEAD|REVERT_HEAD)$/.test(name));
	const paths = patches.map(pathsOfPatch);
	return {
		all: written.filter(name => !notTelling.test(name)).flatMap(name => objectsIn(read(name))),
		operations: begun,
		files,
		picks: [
			...todos.flatMap(stepsIn),
			...objectsOf(/\/autostash$/),
			...patches.flatMap(text => /^From ([\da-f]{40,64}) /.exec(text)?.[1] ?? []),
		],
		targets: [
			...objectsOf(/^(?:rebase-merge|rebase-apply|sequencer)\/(?:onto|orig-head|head|abort-safety)$/),
			// `git am --abort` goes there.
			...(begun.includes('rebase-apply') ? objectsIn(read('ORIG_HEAD')) : []),
		],
		stash: objectsIn(files.includes('MERGE_AUTOSTASH') ? read('MERGE_AUTOSTASH') : ''),
		patched: paths.includes(undefined) ? undefined : paths.flatMap(list => list ?? []),
	};
}

const maxBytes = 16 * 1024 * 1024;

/** An index is not a text, and nobody goes to the commits of other logs without naming them. */
const notTelling = /^(?:index|sharedindex\..+|logs\/(?!refs\/stash$).*|.*_MSG|COMMIT_EDITMSG|AUTO_MERGE)$/;

function objectsIn(text: string): readonly string[] {
	return (text.match(/\b(?:[\da-f]{64}|[\da-f]{40})\b/g) ?? []).filter(name => !/^0+$/.test(name));
}

/** Returns the commits of a todo list (git-rebase(1)). */
function stepsIn(todo: string): readonly string[] {
	return todo.split('\n').flatMap(line => /^[a-z]+(?: -[cC])? ([\da-f]{4,64})(?: |$)/.exec(line)?.[1] ?? []);
}

/**
Returns the paths in a mail with a patch, or `undefined` if they are encoded or quoted. A line that only looks like a
header counts, too.
*/
function pathsOfPatch(text: string): readonly string[] | undefined {
	if (/^content-(?:transfer-encoding:\s*(?!7bit|8bit)|type:\s*(?!text\/plain))/im.test(text)) return undefined;
	const lines = text
		.split(/\r?\n/)
		.filter(line => /^\s*(?:diff --git|---|\+\+\+|(?:rename|copy) (?:from|to)|Index:) /.test(line));
	if (lines.some(line => line.includes('"'))) return undefined;
	return lines.flatMap(line => {
		const [, rest = ''] = /^\s*(?:diff --git|---|\+\+\+|\w+ (?:from|to)|Index:) (.*)$/.exec(line) ?? [];
		// Both names are the same, so the second one is a half, whatever blanks are in it.
		const halves = [rest.slice(0, (rest.length - 1) / 2), rest.slice((rest.length + 1) / 2)];
		const names = line.includes('diff --git') ? halves : [rest.split('\t', 1)[0] ?? ''];
		return names.flatMap(name => [name, name.replace(/^[^/]*\//, '')]);
	});
}
