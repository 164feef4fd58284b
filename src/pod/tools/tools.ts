import type {Tool} from '../../worker/index.ts';
import type {Env} from '../home.ts';
import type {Limits} from '../limits.ts';
import type {Scope} from '../scope/scope.ts';
import {globTool} from './glob.ts';
import {grepTool} from './grep.ts';
import {readFileTool, type AskPerson} from './read-file.ts';
import {findRipgrep, ripgrepEngine} from './ripgrep.ts';

export type ToolOptions = {
	readonly scope: Scope;
	readonly limits: Pick<Limits, 'tools' | 'fileRefs'>;
	/** Only PATH is read, to find ripgrep; no child process inherits it. */
	readonly env: Env;
	/** Asks the person before a file that looks like a secret is read. Without it such a file is refused. */
	readonly ask?: AskPerson;
};

/** The tools of a pod, each bound to its scope. */
export function createTools({scope, limits, env, ask}: ToolOptions): readonly Tool[] {
	const {maxOutputBytes} = limits.tools;
	const rg = findRipgrep(env['PATH'], scope);
	return [
		readFileTool({scope, maxOutputBytes, maxScanBytes: limits.fileRefs.maxScanBytes, ask}),
		globTool({scope, maxOutputBytes}),
		grepTool({scope, maxOutputBytes, engine: rg === undefined ? undefined : ripgrepEngine(rg)}),
	];
}
