import {lstatSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {StringDecoder} from 'node:string_decoder';
import {contains} from '../../ground/files/contains.ts';
import type {Scope} from '../../scope/scope.ts';
import type {Search} from './grep-search.ts';
import {gitRoot} from '../../scope/git-root.ts';
import {ignoreRules} from './ignore-rules.ts';
import {shownPath} from './search-root.ts';

/** Runs ripgrep for a search. `take` gets the output piece by piece, and returns whether to continue. */
export async function runRipgrep(
	rg: string,
	args: readonly string[],
	{scope, start, signal}: Search,
	take: (text: string) => Promise<boolean>,
): Promise<{readonly exitCode: number | undefined; readonly stderr: string}> {
	const {execa} = await import('execa');
	const path = shownPath(scope, start.real);
	const child = execa(
		rg,
		['--no-config', '--color=never', '--hidden', '--glob=!.git', ...ignoreFlags(scope, start), ...args, '--', path],
		{
			cwd: scope.pwd,
			env: {},
			extendEnv: false,
			stdin: 'ignore',
			buffer: false,
			encoding: 'buffer',
			reject: false,
			cancelSignal: signal,
			forceKillAfterDelay: 500,
		},
	);
	let stderr = '';
	child.stderr.on('data', (bytes: Uint8Array) => {
		if (stderr.length < 4000) stderr += Buffer.from(bytes).toString().slice(0, 4000);
	});
	const decoder = new StringDecoder('utf8');
	try {
		for await (const bytes of child.stdout) {
			if (!(await take(decoder.write(bytes as Buffer)))) break;
		}
	} catch (error) {
		if (!signal.aborted) throw error;
	} finally {
		child.kill('SIGKILL');
	}
	const {exitCode} = await child;
	return {exitCode, stderr};
}

/**
Returns the flags that select the same files as the built-in walk.
Only .gitignore files count, up to the git root, or up to `pwd` without a git root.
*/
function ignoreFlags(scope: Scope, start: Search['start']): readonly string[] {
	const only = ['--no-ignore-dot', '--no-ignore-exclude', '--no-ignore-global'];
	const directory = folderOf(start);
	const skipped = start.kind === 'directory' && ignoreRules(start.real, scope.pwd, scope.owners).startIgnored;
	if (gitRoot(directory, scope.owners) !== undefined) return [...only, ...(skipped ? ['--no-ignore-parent'] : [])];
	const own = join(scope.pwd, '.gitignore');
	const outer =
		!skipped &&
		directory !== scope.pwd &&
		contains(scope.pwd, directory) &&
		lstatSync(own, {throwIfNoEntry: false})?.isFile() === true;
	return [...only, '--no-require-git', '--no-ignore-parent', ...(outer ? [`--ignore-file=${own}`] : [])];
}

/** Returns the folder in which a search starts. The start itself may be a file. */
export function folderOf(start: Search['start']): string {
	return start.kind === 'directory' ? start.real : dirname(start.real);
}
