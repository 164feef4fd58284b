import {readFileIn} from './git-files.ts';
import {readIndex} from './git-index.ts';
import {isObjectName, isRefName} from './git-refs.ts';

/**
Tells whether a file is a state file of git, such as `HEAD`, the index or `MERGE_HEAD`, and whether git itself could
have written its contents. The file may belong to a repository or to a linked worktree. Old versions of git run parts of
some state files as scripts.
*/
export function isStateFile(top: string, path: string, name: string, hashBytes: 20 | 32): boolean {
	const check = checks.find(([names]) => names.test(name))?.[1];
	const bytes = check === undefined ? undefined : readFileIn(top, path, maxBytes);
	return bytes !== undefined && check?.(bytes, hashBytes) === true;
}

/** Tells whether a name is the name of a state file. */
export function isStateName(name: string): boolean {
	return checks.some(([names]) => names.test(name));
}

/** Returns the branch that a `HEAD` names, as a reference. */
export function branchOf(head: string | undefined): string | undefined {
	const [, ref = ''] = /^ref: (refs\/heads\/[^\n]+)\n?$/.exec(head ?? '') ?? [];
	return isRefName(ref) ? ref : undefined;
}

/** Tells whether every line of a text matches, and the last line ends with a line feed. */
export function linesMatch(text: string, line: RegExp): boolean {
	return (
		text === '' ||
		(text.endsWith('\n') &&
			text
				.slice(0, -1)
				.split('\n')
				.every(one => line.test(one)))
	);
}

const maxBytes = 256 * 1024 * 1024;

type Check = (bytes: Buffer, hashBytes: 20 | 32) => boolean;

const object = '(?:[\\da-f]{40}|[\\da-f]{64})';

function lines(line: RegExp): Check {
	return bytes => linesMatch(bytes.toString('latin1'), line);
}

function isOneObject(bytes: Buffer): boolean {
	return isObjectName(bytes.toString('latin1').replace(/\n$/, ''));
}

function isHead(bytes: Buffer): boolean {
	return isOneObject(bytes) || branchOf(bytes.toString('latin1')) !== undefined;
}

function isText(bytes: Buffer): boolean {
	return !bytes.includes(0);
}

function isIndex(bytes: Buffer, hashBytes: 20 | 32): boolean {
	return readIndex(bytes, hashBytes) !== undefined;
}

/** A word without characters that are special in a shell. */
const word = '[\\w./@+=:,~^-]+';
const checks: ReadonlyArray<readonly [names: RegExp, check: Check]> = [
	[/^HEAD$/, isHead],
	[/^(?:index|sharedindex\.(?:[\da-f]{40}|[\da-f]{64}))$/, isIndex],
	[/^(?:ORIG_HEAD|CHERRY_PICK_HEAD|REVERT_HEAD|REBASE_HEAD|AUTO_MERGE|MERGE_AUTOSTASH)$/, isOneObject],
	[/^BISECT_(?:EXPECTED_REV|HEAD)$/, isOneObject],
	[/^(?:MERGE_HEAD|shallow)$/, lines(new RegExp(`^${object}$`))],
	[/^FETCH_HEAD$/, lines(new RegExp(`^${object}\\t(?:not-for-merge)?\\t[^\\0]*$`))],
	[/^(?:COMMIT_EDITMSG|MERGE_MSG|SQUASH_MSG|info\/sparse-checkout)$/, isText],
	[/^MERGE_MODE$/, bytes => ['', 'no-ff', 'no-ff\n'].includes(bytes.toString('latin1'))],
	[/^BISECT_(?:ANCESTORS_OK|FIRST_PARENT)$/, bytes => bytes.toString('latin1').trim() === ''],
	[/^BISECT_START$/, lines(new RegExp(`^(?:${object}|(?![\\da-f]{7,64}$)[\\w.][\\w./@+-]*)$`))],
	[/^BISECT_TERMS$/, lines(/^[a-z][a-z-]*$/)],
	[/^BISECT_NAMES$/, lines(/^(?: '[^'\0]*')*$/)],
	[
		/^BISECT_LOG$/,
		lines(
			new RegExp(`^(?:#[^\\0]*|git bisect [a-z]+(?: (?:${word}|'[^'\\0]*'))*|git-bisect [a-z]+(?: ${word})*)$`),
		),
	],
	[/^logs\/(?:HEAD|refs\/(?!inkpod\/).+)$/, lines(new RegExp(`^${object} ${object} [^\\0]*$`))],
	[/^refs\/(?:bisect|worktree)\/[^/].*$/, isOneObject],
];
