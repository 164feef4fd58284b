import {resolve} from 'node:path';
import {loadConfig} from '../../config/config.ts';
import type {Env} from '../../ground/env/env.ts';
import {errorCode} from '../../ground/files/fs-error.ts';
import {loadManifest, type ManifestOptions, type ManifestResult} from '../manifest/load-manifest.ts';
import {foreignSentences, ownersOf, type Foreign} from '../../scope/owners.ts';
import type {ProjectOptions} from './options.ts';
import {startTexts} from './texts.ts';

/**
Finds the project of a command. The project's sessions are the sessions of `manifest.pwd`. The function changes nothing
and never asks the user. Trusts a manifest only if the user passed `--trust` or has already trusted exactly this text.
*/
export async function findProject(
	{cwd = '.', manifest, trust = false, trustOwner = false}: ProjectOptions,
	env: Env,
): Promise<ManifestResult> {
	const start = absolute(cwd);
	if ('failure' in start) return {ok: false, sentence: startTexts.noDirectory(start.failure)};
	const options: ManifestOptions = {
		start: start.path,
		file: manifest,
		async trusted(contents) {
			if (trust) return true;
			const {isTrustedManifest} = await import('../manifest/trust-manifest.ts');
			return isTrustedManifest(env, contents);
		},
	};
	const how = {place: {cwd: start.path, trustOwner}};
	const found = await loadManifest({...options, owners: ownersOf(env, [], how)});
	// Few starts skip files, so the safe folders are read only if a file was skipped.
	const safe = skippedIn(found).length === 0 ? [] : await safeDirectories(env);
	return safe.length === 0 ? found : loadManifest({...options, owners: ownersOf(env, safe, how)});
}

/** Returns a sentence for each file that was skipped on the way to a project. */
export function skippedSentences(found: ManifestResult, env: Env): readonly string[] {
	return foreignSentences(skippedIn(found), ownersOf(env));
}

function skippedIn(found: ManifestResult): readonly Foreign[] {
	return (found.ok ? found.manifest.skipped : found.skipped) ?? [];
}

/**
Returns the safe folders. Returns no folders if the configuration is invalid. The start then fails with the error about
the configuration.
*/
async function safeDirectories(env: Env): Promise<readonly string[]> {
	const read = await loadConfig(env);
	return read.ok ? read.config.safeDirectories : [];
}

/** Returns an absolute path. This fails if the path is relative and the working directory has been removed. */
function absolute(path: string): {readonly path: string} | {readonly failure: string} {
	try {
		return {path: resolve(path)};
	} catch (error) {
		const failure = errorCode(error);
		if (failure === '') throw error;
		return {failure};
	}
}
