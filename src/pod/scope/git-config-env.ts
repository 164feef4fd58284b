import type {Env} from '../ground/env/env.ts';
import type {GitConfigEntry} from './git-config-text.ts';

/** Returns the settings that git takes from the environment, also from variables that name programs. */
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

/** git itself has no limit. A list of this length has another purpose than settings. */
const maxCount = 1000;

/** The variables with programs and templates (git(1)), and the settings that they take the place of. */
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

/** Reads what `git -c` hands on: `'key=value'` in older versions, `'key'='value'` in newer ones. */
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
