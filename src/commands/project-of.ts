import {resolve} from 'node:path';
import type {Env} from '../pod/home.ts';
import {errorCode} from '../pod/scope/fs-error.ts';
import {loadManifest, type ManifestResult} from '../pod/scope/manifest.ts';

/** What the person said of where to work: `--cwd` and `--manifest`, and whether they trust what is there (`--trust`). */
export type Where = {readonly cwd?: string | undefined; readonly manifest?: string | undefined; readonly trust?: boolean | undefined};

/** The project that a command is about. Its sessions are those of `manifest.pwd`. Changes nothing and asks nobody: a manifest is trusted when the person trusted that very text before. */
export async function projectOf({cwd = '.', manifest, trust = false}: Where, env: Env): Promise<ManifestResult> {
	const start = absolute(cwd);
	if ('failure' in start) return {ok: false, sentence: `The current directory cannot be found (${start.failure}): go to another one, or name one with --cwd.`};
	return loadManifest({
		start: start.path,
		file: manifest,
		async trusted(contents) {
			if (trust) return true;
			const {isTrustedManifest} = await import('../pod/trust/manifest.ts');
			return isTrustedManifest(env, contents);
		},
	});
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
