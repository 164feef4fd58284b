/**
A configuration for a repository that a command made. `isWhole`: the command wrote nothing else into its configuration.
*/
export type NewConfig = {readonly text: string; readonly hashBytes: 20 | 32; readonly isWhole: boolean};

/**
Writes a configuration with the settings that `git init` and `git clone` write, from the one of a command. Returns
`undefined` for a repository whose format inkpod does not know. `worktree` is the place of a submodule.
*/
export function newConfig(written: string, worktree: string | undefined): NewConfig | undefined {
	const entries = entriesOf(written);
	const format = entries.filter(({name}) => name.startsWith('extensions.'));
	const isKnown = ({name, value}: Entry) => formats.some(([key, known]) => key === name && known.test(value));
	if (!format.every(isKnown)) return undefined;
	const isSha256 = format.some(({name, value}) => name === 'extensions.objectformat' && value === 'sha256');
	const kept = entries.filter(entry => isKept(entry) || isKnown(entry));
	const version = {name: 'core.repositoryformatversion', section: '[core]', key: 'repositoryformatversion'};
	const place = {name: 'core.worktree', section: '[core]', key: 'worktree'};
	const all: readonly Entry[] = [
		{...version, value: format.length === 0 ? '0' : '1'},
		...(worktree === undefined ? [] : [{...place, value: worktree}]),
		...kept.filter(({name}) => name !== version.name),
	];
	const isOurs = ({name}: Entry) => name === place.name && worktree !== undefined;
	const isWhole = entries.every(entry => entry.name === version.name || kept.includes(entry) || isOurs(entry));
	return {text: textOf(all), hashBytes: isSha256 ? 32 : 20, isWhole};
}

/** Returns the value of a setting of a configuration as git writes it. */
export function settingIn(text: string, name: string): string | undefined {
	return entriesOf(text).findLast(entry => entry.name === name)?.value;
}

/** `name` is without the middle part that a section may have. `section` is the line above the entry. */
type Entry = {readonly name: string; readonly section: string; readonly key: string; readonly value: string};

const bool = /^(?:true|false)$/;
const plainName = '[\\w][\\w.+@/-]*';
/** A URL that git fetches without another program than its own and ssh, or the path of another repository. */
const url =
	/^(?:(?:https?|git|ssh):\/\/[\w][\w.@:%/~+=-]*|[\w][\w.-]*@[\w][\w.-]*:[\w/~][\w.@%/~+=-]*|(?:file:\/\/)?\/[\w.@%/~+=, -]*|\.{1,2}\/[\w.@%/~+=-]*)$/;
const refspec = /^\+?refs\/[\w.*/+-]+:refs\/[\w.*/+-]+$/;

const kept: ReadonlyArray<readonly [name: string, value: RegExp]> = [
	['core.filemode', bool],
	['core.bare', bool],
	['core.logallrefupdates', bool],
	['core.ignorecase', bool],
	['core.precomposeunicode', bool],
	['core.symlinks', bool],
	['remote.url', url],
	['remote.fetch', refspec],
	['remote.tagopt', /^--(?:no-)?tags$/],
	['remote.mirror', bool],
	['remote.promisor', bool],
	['remote.partialclonefilter', /^(?:blob|tree):[\w=]+$/],
	['branch.remote', new RegExp(`^(?:\\.|${plainName})$`)],
	['branch.merge', new RegExp(`^refs/heads/${plainName}$`)],
	['branch.rebase', bool],
	['submodule.url', url],
	['submodule.active', /^(?:true|false|\.)$/],
	['user.name', /^[\p{L}\p{N}.@+' -]+$/u],
	['user.email', /^[\w.@+-]+$/],
];
const formats: ReadonlyArray<readonly [name: string, value: RegExp]> = [
	['extensions.objectformat', /^sha(?:1|256)$/],
	['extensions.partialclone', new RegExp(`^${plainName}$`)],
];

function isKept({name, value}: Entry): boolean {
	return kept.some(([key, plain]) => key === name && plain.test(value));
}

const header = new RegExp(`^\\[([a-z]+)(?: "(${plainName})")?\\]$`, 'i');

/**
Reads the lines that git itself writes. A section that git would write in another way has the name `?`, so that nothing
in it is kept.
*/
function entriesOf(text: string): readonly Entry[] {
	let [name, section] = ['?', ''];
	return text.split(/\r?\n/).flatMap(written => {
		const line = written.trim();
		if (line === '' || line.startsWith('#') || line.startsWith(';')) return [];
		if (line.startsWith('[')) {
			const [whole = '', found = '?'] = header.exec(line) ?? [];
			[name, section] = [found.toLowerCase(), whole];
			return whole === '' ? [{name: '?', section: '', key: '', value: ''}] : [];
		}
		const [, key = '?', value = ''] = /^([a-z][a-z\d-]*)\s*=\s*(.*)$/i.exec(line) ?? [];
		return [{name: `${name}.${key.toLowerCase()}`, section, key, value}];
	});
}

function textOf(entries: readonly Entry[]): string {
	const sections = Map.groupBy(entries, ({section}) => section);
	return [...sections]
		.map(([section, all]) => [section, ...all.map(({key, value}) => `\t${key} = ${value}`)])
		.flat()
		.map(line => `${line}\n`)
		.join('');
}
