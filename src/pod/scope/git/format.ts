import type {GitConfigEntry} from '../git-config-text.ts';
import {onOneLine} from '../../ground/text/one-line.ts';
import {gitTexts} from './texts.ts';

type Format =
	| {
			readonly ok: true;
			readonly isSha256: boolean;
			/** Whether `config.worktree` counts. */ readonly hasWorktreeConfig: boolean;
	  }
	| {readonly ok: false; readonly sentence: string};

/**
Reads the format of a repository from its configuration. A format that inkpod does not know is refused with a sentence.
*/
export function readFormat(entries: readonly GitConfigEntry[]): Format {
	const isVersion = ({key, subsection}: GitConfigEntry) =>
		key === 'core.repositoryformatversion' && subsection === undefined;
	const version = entries.findLast(isVersion)?.value ?? '0';
	if (!/^[01]$/.test(version)) return unknown('core.repositoryformatversion', version);
	const extensions = entries.filter(({key}) => key.startsWith('extensions.'));
	const values = new Map<string, string>();
	for (const {key, subsection, value} of extensions) {
		const name = key.slice('extensions.'.length);
		const allowed = subsection === undefined ? known[name] : undefined;
		if (allowed?.test(value) === true) values.set(name, value.toLowerCase());
		// In the older format, git ignores what it does not know.
		else if (version === '1' || allowed !== undefined) return unknown(key, value);
	}
	return {
		ok: true,
		isSha256: values.get('objectformat') === 'sha256',
		hasWorktreeConfig: /^(?:true|yes|on|1)$/.test(values.get('worktreeconfig') ?? ''),
	};
}

function unknown(key: string, value: string): Format {
	return {ok: false, sentence: gitTexts.unknownFormat(onOneLine(`${key} = ${value}`.slice(0, 100)))};
}

/** The extensions with which inkpod can work, and their values. */
const known: Readonly<Record<string, RegExp>> = {
	objectformat: /^sha(?:1|256)$/i,
	refstorage: /^files$/i,
	worktreeconfig: /^(?:true|false|yes|no|on|off|[01]?)$/i,
	relativeworktrees: /^(?:true|false|yes|no|on|off|[01]?)$/i,
	preciousobjects: /^(?:true|false|yes|no|on|off|[01]?)$/i,
	// Objects that are missing stay missing, because inkpod fetches none.
	partialclone: /^/,
	noop: /^/,
	'noop-v1': /^/,
};
