import {join} from 'node:path';
import type {Item, Tool} from '../../worker/index.ts';
import {homeOf, xdgFolder, type Env} from '../ground/env/env.ts';
import type {Limits} from '../config/limits.ts';
import {linkedTargets} from '../permissions/confine/own-places.ts';
import {isRunByGit} from '../scope/git-programs.ts';
import type {Scope} from '../scope/scope.ts';
import {stateHome} from '../disk/paths.ts';
import {createChanges} from './files/changes.ts';
import {editFileTool} from './files/edit-file.ts';
import {globTool} from './search/glob.ts';
import {grepTool} from './search/grep.ts';
import {readFileTool} from './files/read-file.ts';
import {findRipgrep} from './search/find-ripgrep.ts';
import {ripgrepEngine} from './search/find-ripgrep.ts';
import {writeFileTool} from './files/write-file.ts';

type ToolOptions = {
	readonly scope: Scope;
	readonly limits: Pick<Limits, 'tools' | 'fileRefs'>;
	/**
	The environment of the program. PATH is used to find ripgrep, and other variables determine inkpod's own folders.
	Child processes do not inherit it.
	*/
	readonly env: Env;
	/** The session's folder. */
	readonly sessionDir: string;
	readonly items: () => readonly Item[];
};

/** Creates the pod's file tools for its scope. */
export function createTools({scope, limits, env, sessionDir, items}: ToolOptions): readonly Tool[] {
	const {maxOutputBytes} = limits.tools;
	const rg = findRipgrep(env['PATH'], scope);
	const isRunLater = async (real: string) => isRunByGit(real, env);
	const changes = createChanges({scope, items, sessionDir, apart: ownFolders(env), isRunLater});
	return [
		readFileTool({scope, maxOutputBytes, maxScanBytes: limits.fileRefs.maxScanBytes}),
		globTool({scope, maxOutputBytes}),
		grepTool({scope, maxOutputBytes, engine: rg === undefined ? undefined : ripgrepEngine(rg)}),
		writeFileTool(changes),
		editFileTool(changes),
	];
}

/**
Returns the folders of sessions, trust and the user's configuration, and the targets of links in the configuration.
Tools never write there, even inside the scope.
*/
export function ownFolders(env: Env): readonly string[] {
	const folders = [stateHome(env), xdgFolder(env, 'XDG_CONFIG_HOME', join(homeOf(env), '.config'))];
	return [...folders, ...linkedTargets(env).map(({path}) => path)];
}
