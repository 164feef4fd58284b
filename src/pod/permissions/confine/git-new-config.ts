import {readFormat} from '../../scope/git/run-git.ts';
import {parseGitConfig, type GitConfigEntry} from '../../scope/git-config-text.ts';

/**
inkpod's configuration for a repository that a command created. `isWhole`: the new configuration contains all settings
that the command wrote. `isPartial`: the command's configuration named a remote from which git fetches missing objects.
*/
type NewConfig = {
	readonly text: string;
	readonly hashBytes: 20 | 32;
	readonly isWhole: boolean;
	readonly isPartial: boolean;
};

/**
Returns a configuration with those settings of the command's configuration that `git init` and `git clone` also write.
Returns `undefined` for a repository whose format inkpod does not know. `worktree` is the working tree of a submodule.
*/
export function newConfig(written: string, worktree: string | undefined): NewConfig | undefined {
	const {entries, brokenLine} = parseGitConfig(written);
	const format = readFormat(entries);
	if (!format.ok || brokenLine !== undefined) return undefined;
	const taken = entries.filter(isTaken);
	const isOurs = ({key, subsection, value}: GitConfigEntry) =>
		subsection === undefined &&
		(key === 'core.repositoryformatversion' || (key === 'core.worktree' && value === worktree));
	const hasExtensions = taken.some(({key}) => key.startsWith('extensions.'));
	const all: readonly GitConfigEntry[] = [
		{key: 'core.repositoryformatversion', value: hasExtensions ? '1' : '0'},
		...(worktree === undefined ? [] : [{key: 'core.worktree', value: worktree}]),
		...taken,
	];
	const isWhole = entries.every(entry => isOurs(entry) || taken.includes(entry));
	const isPartial = entries.some(({key}) => /^(?:remote\.promisor|extensions\.partialclone)$/.test(key));
	return {text: textOf(all), hashBytes: format.isSha256 ? 32 : 20, isWhole, isPartial};
}

/** Returns the value of a setting without a subsection. */
export function settingIn(text: string, key: string): string | undefined {
	return parseGitConfig(text).entries.findLast(entry => entry.key === key && entry.subsection === undefined)?.value;
}

const bool = /^(?:true|false)$/;
const plainName = '[\\w][\\w.+@/-]*';
/** A URL that git can fetch with only its own programs and ssh, or the path of another repository. */
const url = new RegExp(
	String.raw`^(?:(?:https?|git|ssh):\/\/[\w][\w.@:%/~+=-]*|` +
		String.raw`[\w][\w.-]*@[\w][\w.-]*:[\w/~][\w.@%/~+=-]*|(?:file:\/\/)?\/[\w.@%/~+=, -]*|` +
		String.raw`\.{1,2}\/[\w.@%/~+=-]*)$`,
);
const refspec = /^\+?refs\/[\w.*/+-]+:refs\/[\w.*/+-]+$/;

/**
The allowed settings, and patterns for their values. The patterns allow only characters that need no quotes. With these
settings, no git command connects, deletes or overwrites more than the user expects. Counterexamples: a push to a mirror
deletes all other branches, and with a promisor even `git status` fetches missing objects.
*/
const settings: Readonly<Record<string, RegExp>> = {
	'core.filemode': bool,
	'core.bare': bool,
	'core.logallrefupdates': /^true$/,
	'core.ignorecase': bool,
	'core.precomposeunicode': bool,
	'core.symlinks': bool,
	'extensions.objectformat': /^sha(?:1|256)$/,
	'remote.url': url,
	'remote.fetch': refspec,
	'remote.tagopt': /^--(?:no-)?tags$/,
	'branch.remote': new RegExp(`^(?:\\.|${plainName})$`),
	'branch.merge': new RegExp(`^refs/heads/${plainName}$`),
	'submodule.url': url,
	'submodule.active': /^(?:true|false|\.)$/,
	'user.name': /^[\p{L}\p{N}.@+'-]+(?: [\p{L}\p{N}.@+'-]+)*$/u,
	'user.email': /^[\w.@+-]+$/,
};

/**
The sections that may have subsections. In other sections git ignores settings with a subsection, or refuses the
repository because of them.
*/
const divided = /^(?:remote|branch|submodule)\./;

function isTaken({key, subsection, value}: GitConfigEntry): boolean {
	const isPlain = subsection === undefined || (divided.test(key) && new RegExp(`^${plainName}$`).test(subsection));
	// A fetch into other references would overwrite the branches of the user.
	const isOwn = key !== 'remote.fetch' || value.includes(`:refs/remotes/${subsection}/`);
	return isPlain && isOwn && settings[key]?.test(value) === true;
}

function textOf(entries: readonly GitConfigEntry[]): string {
	const header = ({key, subsection}: GitConfigEntry) =>
		`[${key.split('.', 1)[0]}${subsection === undefined ? '' : ` "${subsection}"`}]`;
	return [...Map.groupBy(entries, header)]
		.flatMap(([line, all]) => [
			line,
			...all.map(({key, value}) => `\t${key.slice(key.indexOf('.') + 1)} = ${value}`),
		])
		.map(line => `${line}\n`)
		.join('');
}
