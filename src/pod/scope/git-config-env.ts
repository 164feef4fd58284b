import type {Env} from '../ground/env/env.ts';
import type {GitConfigEntry} from './git-config-text.ts';

/** Returns the settings that git takes from the environment, including variables that name programs. */
export function entriesOfEnvironment(env: Env): readonly GitConfigEntry[] {
	const count = Math.min(Number(env['GIT_CONFIG_COUNT'] ?? 0) || 0, maxCount);
	const counted = Array.from({length: Math.max(0, count)}, (_, n) =>
		entryOf(env[`GIT_CONFIG_KEY_${n}`] ?? '', env[`GIT_CONFIG_VALUE_${n}`] ?? ''),
	);
	const named = Object.entries(variables).flatMap(([name, key]) => {
		const value = env[name] ?? '';
		return value === '' ? [] : [{key, value}];
	});
	return [...counted, ...parameters(env['GIT_CONFIG_PARAMETERS'] ?? ''), ...named];
}

/** The maximum number of settings. git itself has no limit, but no real list of settings is this long. */
const maxCount = 1000;

/** Maps the variables that name programs and templates (git(1)) to the settings that they override. */
const variables: Readonly<Record<string, string>> = {
	GIT_EDITOR: 'core.editor',
	GIT_SEQUENCE_EDITOR: 'sequence.editor',
	VISUAL: 'core.editor',
	EDITOR: 'core.editor',
	GIT_PAGER: 'core.pager',
	PAGER: 'core.pager',
	GIT_SSH: 'core.sshcommand',
	GIT_SSH_COMMAND: 'core.sshcommand',
	GIT_ASKPASS: 'core.askpass',
	SSH_ASKPASS: 'core.askpass',
	GIT_EXTERNAL_DIFF: 'diff.external',
	GIT_PROXY_COMMAND: 'core.gitproxy',
	GIT_TEMPLATE_DIR: 'init.templatedir',
};

/**
Parses the settings that `git -c` passes to other git processes: `'key=value'` in older versions of git, `'key'='value'`
in newer versions.
*/
function parameters(written: string): readonly GitConfigEntry[] {
	const words = written.match(/(?:'[^']*'|\\.|[^\s'\\])+/gs) ?? [];
	return words.map(word => {
		const plain = word.replaceAll(/'([^']*)'|\\(.)/gs, '$1$2');
		const at = plain.indexOf('=');
		return at === -1 ? entryOf(plain, 'true') : entryOf(plain.slice(0, at), plain.slice(at + 1));
	});
}

function entryOf(written: string, value: string): GitConfigEntry {
	const section = written.slice(0, Math.max(0, written.indexOf('.')));
	return {key: `${section}${written.slice(Math.max(0, written.lastIndexOf('.')))}`.toLowerCase(), value};
}
