import {randomBytes} from 'node:crypto';
import {writeFileSync} from 'node:fs';
import {readFormat} from '../../scope/git/format.ts';
import {parseGitConfig} from '../../scope/git-config-text.ts';
import {place} from './effects.ts';
import {listIn, readFileIn, readTextIn, statsIn} from './git-files.ts';
import {pathIn} from './git-folders.ts';
import {submoduleWorktree} from './git-links.ts';
import {newConfig} from './git-new-config.ts';
import type {GrowingPlan} from './git-steps.ts';
import type {Layer} from './layer.ts';

/** Returns the format of a repository that exists, or `undefined` if inkpod only reads such a repository. */
export function existingFormat(layer: Layer, folder: string): RepositoryFormat | undefined {
	const text = readTextIn(layer.path, pathIn(folder, 'config'), maxConfig);
	const {entries, brokenLine} = parseGitConfig(text ?? '');
	const format = readFormat(entries);
	const isTables = statsIn(layer.path, pathIn(folder, 'reftable')) !== undefined;
	if (!format.ok || isTables || text === undefined || brokenLine !== undefined) return undefined;
	return {
		hashBytes: format.isSha256 ? 32 : 20,
		keepsObjects: entries.some(({key}) => key === 'extensions.preciousobjects'),
	};
}

type RepositoryFormat = {readonly hashBytes: 20 | 32; readonly keepsObjects: boolean};

const maxConfig = 1024 * 1024;

/**
Adds the folders and the configuration of a repository that a command made. Returns its format, or
`undefined` if the repository is not taken over: it lies where there is something else, it needs the objects of
another one, or its format is unknown.
*/
export function addNewRepository(layer: Layer, folder: string, plan: GrowingPlan): RepositoryFormat | undefined {
	const borrows = statsIn(layer.merged, pathIn(folder, 'objects/info/alternates')) !== undefined;
	const isLinked = statsIn(layer.merged, pathIn(folder, 'commondir')) !== undefined;
	if (borrows || isLinked || listIn(layer.path, folder).length > 0 || folder === '') return undefined;
	const written = readFileIn(layer.merged, pathIn(folder, 'config'), maxConfig)?.toString();
	if (written === undefined) return undefined;
	const worktree = submoduleWorktree(layer, folder);
	// A working tree elsewhere is not taken over, so there is none.
	const config = newConfig(written, worktree);
	if (config === undefined || statsIn(layer.merged, pathIn(folder, 'reftable')) !== undefined) return undefined;
	const folders = ['', 'objects', 'objects/pack', 'objects/info', 'refs', 'refs/heads', 'refs/tags'];
	if (!folders.every(name => plan.addFolder(name === '' ? folder : pathIn(folder, name)))) return undefined;
	const from = pathIn(folder, `inkpod-${randomBytes(8).toString('hex')}`);
	writeFileSync(place(layer.upper, from), config.text, {flag: 'wx', mode: 0o644});
	plan.addMove(from, pathIn(folder, 'config'));
	if (!config.isWhole) plan.leave(pathIn(folder, 'config'), 'git');
	return {hashBytes: config.hashBytes, keepsObjects: true};
}
