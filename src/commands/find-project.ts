import {resolve} from 'node:path';
import {loadConfig} from '../pod/config/config.ts';
import type {Env} from '../pod/env/env.ts';
import {errorCode} from '../pod/files/fs-error.ts';
import {loadManifest, type ManifestOptions, type ManifestResult} from '../pod/manifest/load-manifest.ts';
import {foreignSentences, ownersOf, type Foreign} from '../pod/scope/owners.ts';

/**
What the person said of where to work: `--cwd` and `--manifest`, and whether they trust what is there (`--trust`).
*/
export type ProjectOptions = {
	readonly cwd?: string | undefined;
	readonly manifest?: string | undefined;
	readonly trust?: boolean | undefined;
};

/**
The project that a command is about. Its sessions are those of `manifest.pwd`. Changes nothing and asks nobody: a
manifest is trusted when the person trusted that very text before.
*/
export async function findProject(
	{cwd = '.', manifest, trust = false}: ProjectOptions,
	env: Env,
): Promise<ManifestResult> {
	const start = absolute(cwd);
	if ('failure' in start)
		return {
			ok: false,
			sentence: `The current directory cannot be found (${start.failure}): go to another one, or name one with --cwd.`,
		};
	const options: ManifestOptions = {
		start: start.path,
		file: manifest,
		async trusted(contents) {
			if (trust) return true;
			const {isTrustedManifest} = await import('../pod/trust/manifest.ts');
			return isTrustedManifest(env, contents);
		},
	};
	const found = await loadManifest({...options, owners: ownersOf(env)});
	// Which folders are safe is read where it matters: hardly ever.
	const safe = skippedIn(found).length === 0 ? [] : await safeDirectories(env);
	return safe.length === 0 ? found : loadManifest({...options, owners: ownersOf(env, safe)});
}

/** What was passed over on the way to a project, in sentences. */
export function skippedSentences(found: ManifestResult, env: Env): readonly string[] {
	return foreignSentences(skippedIn(found), ownersOf(env));
}

function skippedIn(found: ManifestResult): readonly Foreign[] {
	return (found.ok ? found.manifest.skipped : found.skipped) ?? [];
}

/** Of a configuration that is broken nothing counts; the start ends with its sentence. */
async function safeDirectories(env: Env): Promise<readonly string[]> {
	const read = await loadConfig(env);
	return read.ok ? read.config.safeDirectories : [];
}

/** A directory that was removed while a shell stands in it has no path. */
function absolute(path: string): {readonly path: string} | {readonly failure: string} {
	try {
		return {path: resolve(path)};
	} catch (error) {
		const failure = errorCode(error);
		if (failure === '') throw error;
		return {failure};
	}
}
