import {realpath, stat} from 'node:fs/promises';
import {dirname, join, resolve} from 'node:path';
import {inert} from '../inert.ts';
import {isThere} from '../is-there.ts';
import {modelWish, type ModelOptions} from '../model-choice.ts';
import type {WrittenLimits, WrittenManifest} from '../written.ts';
import {contains} from './scope.ts';

/** What a project says of itself, after everything that it may not say was left out. */
export type Manifest = {
	/** The file it comes from. Absent: there is none, and the start directory is the scope. */
	readonly file?: string;
	/** A real path. */
	readonly pwd: string;
	readonly writable: boolean;
	/** `provider/model`, of a trusted file only. */
	readonly model?: string;
	readonly modelOptions?: ModelOptions;
	readonly limits: WrittenLimits;
	/** What was left out and why, in one sentence. */
	readonly warning?: string;
};

export type ManifestResult = {readonly ok: true; readonly manifest: Manifest} | {readonly ok: false; readonly sentence: string};

/**
The manifest of a start directory: `file` where the person names one, else the nearest `inkpod.toml` from there up to the git root.
Without a git root only the start directory itself is looked at: a file that lies in some parent by chance says nothing.
An untrusted one may narrow (`writable = false`, a `pwd` at or below the start directory); the rest of it is left out with one warning.
Base URLs are left out even of a trusted one.
*/
export async function loadManifest({start, file, trusted = false}: {readonly start: string; readonly file?: string | undefined; readonly trusted?: boolean}): Promise<ManifestResult> {
	const from = await directory(start);
	if (from === undefined) return {ok: false, sentence: `The start directory ${inert(start)} does not exist or is no directory.`};
	const named = file === undefined ? await nearestFile(from) : resolve(start, file);
	if (named === undefined) return {ok: true, manifest: {pwd: from, writable: true, limits: {}}};
	const [{describeKey, readToml}, {manifestSchema}] = await Promise.all([import('../toml.ts'), import('../written.ts')]);
	const read = await readToml(named, manifestSchema);
	if (!read.ok) return {ok: false, sentence: read.sentence};
	const pwd = await directory(resolve(dirname(named), read.value.scope?.pwd ?? '.'));
	if (pwd === undefined) return {ok: false, sentence: await describeKey(named, ['scope', 'pwd'], `names ${inert(read.value.scope?.pwd ?? '.')}, which does not exist or is no directory.`)};
	return {ok: true, manifest: allowed({file: named, written: read.value, pwd, from, trusted})};
}

/** The nearest file of a name, from a folder up to the git root; without a git root only in the folder itself. */
export async function nearestFile(from: string, name = 'inkpod.toml'): Promise<string | undefined> {
	const tried: string[] = [];
	for (let folder = from; ; folder = dirname(folder)) {
		tried.push(join(folder, name));
		if (await isThere(join(folder, '.git'))) break;
		if (dirname(folder) === folder) {
			tried.length = 1;
			break;
		}
	}
	for (const file of tried) {
		if (await isThere(file)) return file;
	}
	return undefined;
}

async function directory(path: string): Promise<string | undefined> {
	if (path.includes('\0')) return undefined;
	try {
		const real = await realpath(path);
		return (await stat(real)).isDirectory() ? real : undefined;
	} catch {
		return undefined;
	}
}

function allowed({file, written, pwd, from, trusted}: {readonly file: string; readonly written: WrittenManifest; readonly pwd: string; readonly from: string; readonly trusted: boolean}): Manifest {
	const writable = written.scope?.writable ?? true;
	const {file_refs, tools, retry, max_turns, model} = written;
	const urls = baseUrlKeys(written);
	if (trusted) {
		return {
			file,
			pwd,
			writable,
			...modelWish(model),
			limits: {file_refs, tools, retry, max_turns, model: model === undefined ? undefined : {stall_timeout: model.stall_timeout}},
			...warning(file, urls, 'base URLs come from the environment or your own config.toml'),
		};
	}
	const wider = !contains(from, pwd);
	const left = [
		...(wider ? ['a pwd that is not below the start directory'] : []),
		...['model', 'providers', 'file_refs', 'tools', 'retry', 'max_turns'].filter(key => written[key as keyof WrittenManifest] !== undefined),
	];
	return {file, pwd: wider ? from : pwd, writable, limits: {}, ...warning(file, left, 'a file of the project may only narrow')};
}

function baseUrlKeys(written: WrittenManifest): readonly string[] {
	return [...(written.model?.base_url === undefined ? [] : ['model.base_url']), ...(written.providers === undefined ? [] : ['providers'])];
}

function warning(file: string, left: readonly string[], why: string): {readonly warning?: string} {
	return left.length === 0 ? {} : {warning: `Of ${inert(file)} this was left out: ${left.join(', ')} (${why}).`};
}
