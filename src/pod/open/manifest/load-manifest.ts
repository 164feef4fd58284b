import {stat} from 'node:fs/promises';
import {dirname, resolve} from 'node:path';
import type {Rule} from '../../permissions/approval/rule.ts';
import {fileBounds, timeoutsOf} from '../../config/limits.ts';
import {modelWish, type ModelWish} from '../../config/model-choice.ts';
import type {TomlResult} from '../../config/toml.ts';
import {realPath} from '../../ground/files/real-path.ts';
import type {WrittenLimits, WrittenManifest} from '../../config/config-schema.ts';
import {strictOwners, type Foreign} from '../../scope/owners.ts';
import {contains} from '../../ground/files/contains.ts';
import type {Owners} from '../../scope/scope.ts';
import {filesAbove, type FilesAbove} from '../../scope/files-above.ts';
import {t} from '../../../language/index.ts';
import {quoteUntrusted} from '../../ground/text/one-line.ts';

/** The settings of a project that inkpod uses. The model comes only from a trusted file. */
export type Manifest = ModelWish & {
	/**
	The file that contains the settings. Absent if there is no file. In this case, the start directory is the scope.
	*/
	readonly file?: string;
	/** The real path of the scope. */
	readonly pwd: string;
	readonly writable: boolean;
	/**
	The start directory, if the file sets another `pwd`. Rules also apply to paths relative to the start directory.
	*/
	readonly startedIn?: string;
	readonly limits: WrittenLimits;
	/** The active rules. Those of an untrusted file do not include allow rules. */
	readonly permissions?: readonly Rule[];
	/** The confinement of commands. A project may only make it stricter. */
	readonly confine?: NonNullable<WrittenManifest['confine']>;
	/** A sentence about settings that are ignored even in a trusted file. */
	readonly warning?: string;
	/** The settings that are ignored because the file is not trusted. */
	readonly untrusted?: UntrustedManifest;
	/** The files that inkpod skipped because another user could have written them: `inkpod.toml` files and `.git`. */
	readonly skipped?: readonly Foreign[];
};

/** A manifest with settings that need the user's trust. */
export type UntrustedManifest = {
	readonly file: string;
	/** The exact text of the file. */
	readonly text: string;
	/**
	The target of the manifest's `pwd`, if the path contains a symbolic link and leads outside of the start directory.
	*/
	readonly pwdTarget?: string;
	/** All rules of the file. */
	readonly rules: readonly Rule[];
	/**
	`grants`: the settings that need trust, in words. `startGrants`: those that take effect only at the next start.
	*/
	readonly grants: readonly string[];
	readonly startGrants: readonly string[];
	/** The alert for a user who does not trust the file. */
	readonly warning: string;
};

/** The contents that a trust decision covers. */
export type ManifestContents = Pick<UntrustedManifest, 'file' | 'text' | 'pwdTarget'>;

export type ManifestResult =
	| {readonly ok: true; readonly manifest: Manifest}
	| {readonly ok: false; readonly sentence: string; readonly skipped?: readonly Foreign[]};

export type ManifestOptions = {
	readonly start: string;
	/** The file that the user names. inkpod uses this file even if another user owns it. */
	readonly file?: string | undefined;
	/**
	Tells whether the user trusts the file with exactly these contents. If the function is absent, no file is trusted.
	*/
	readonly trusted?: (manifest: ManifestContents) => Promise<boolean>;
	readonly owners?: Owners;
};

/**
Loads the manifest of a start directory: `file` if the user names one, and otherwise the nearest `inkpod.toml` up to the
git root. Outside of a git repository, the function searches only the start directory, so that a file in a parent folder
is not used by accident. The function skips and lists files that another user could have written. An untrusted manifest
may only restrict: `writable = false`, a `pwd` at or below the start directory, stricter confinement, deny and ask
rules. Its other settings are ignored. Base URLs are ignored even in a trusted manifest.
*/
export async function loadManifest({
	start,
	file,
	trusted,
	owners = strictOwners,
}: ManifestOptions): Promise<ManifestResult> {
	const from = await realDirectory(start);
	if (from === undefined) return {ok: false, sentence: manifestTexts.noStartDirectory(start)};
	const above =
		file === undefined
			? await filesAbove(from, manifestName, owners)
			: {files: [resolve(start, file)], skipped: []};
	const {skipped, ...found} = await firstUsable(above, file === undefined, owners);
	const rest = skipped.length === 0 ? {} : {skipped};
	if (!('read' in found)) return {ok: true, manifest: {pwd: from, writable: true, limits: {}, ...rest}};
	const {named, read} = found;
	if (!read.ok) return {ok: false, sentence: read.sentence, ...rest};
	const pwd = await realDirectory(resolve(dirname(named), read.value.scope?.pwd ?? '.'));
	if (pwd === undefined) return {ok: false, sentence: await missingPwd(named, read), ...rest};
	const {text, value, warnings} = read;
	const written: ParsedManifest = {file: named, text, written: value, warnings, pwd, from};
	const manifest = untrustedManifest(written);
	const {untrusted} = manifest;
	const isTrusted = untrusted === undefined || ((await trusted?.(untrusted)) ?? false);
	return {ok: true, manifest: {...(isTrusted ? trustedManifest(written) : manifest), ...rest}};
}

/** The texts that a user reads about a manifest. */
export const manifestTexts = {
	noStartDirectory: (path: string) =>
		t`Start directory ${quoteUntrusted(path)} does not exist or is not a directory.`,
	/** The end of a sentence about the key `scope.pwd`. */
	noPwd: (path: string) =>
		t`names ${quoteUntrusted(path.slice(0, maxPathShown))}, which does not exist or is not a directory.`,
	trustTitle: (file: string, grants: readonly string[]) =>
		t`Trust ${quoteUntrusted(file)}? It sets ${listOf(grants)}.`,
	ignored: (file: string, grants: readonly string[]) =>
		t`Ignored in ${quoteUntrusted(file)}: ${grants.join(', ')} (project not trusted).`,
	baseUrlIgnored: (file: string, keys: readonly string[]) =>
		t`Ignored in ${quoteUntrusted(file)}: ${keys.join(', ')}
			(base URLs come from the environment or your own config.toml).`,
	restartToApply: (file: string, grants: readonly string[]) =>
		t`Restart inkpod to apply ${listOf(grants)} from ${quoteUntrusted(file)}.`,
	widerPwd: t`a pwd outside of the start directory`,
	allowRules: t`allow rules`,
};

const manifestName = 'inkpod.toml';

type Skipped = {readonly skipped: readonly Foreign[]};

type Usable = Skipped | (Skipped & {readonly named: string; readonly read: TomlResult<WrittenManifest>});

/** Reads the first usable file. Checks the owner of each file, unless the user named the file (`isJudged` is false). */
async function firstUsable({files, skipped: above}: FilesAbove, isJudged: boolean, owners: Owners): Promise<Usable> {
	const skipped = [...above];
	for (const named of files) {
		const [{readToml}, {manifestSchema}] = await Promise.all([
			import('../../config/toml.ts'),
			import('../../config/config-schema.ts'),
		]);
		const top = isJudged ? dirname(named) : undefined;
		const read = await readToml(named, manifestSchema, {maxBytes: fileBounds.manifest, top, owners});
		if (read.ok || read.reason !== 'foreign') return {skipped, named, read};
		skipped.push(read.foreign);
	}
	return {skipped};
}

async function missingPwd(
	named: string,
	{text, value}: {readonly text: string; readonly value: WrittenManifest},
): Promise<string> {
	const {describeKey} = await import('../../config/toml.ts');
	return describeKey(named, text, ['scope', 'pwd'], manifestTexts.noPwd(value.scope?.pwd ?? '.'));
}

async function realDirectory(path: string): Promise<string | undefined> {
	if (path.includes('\0')) return undefined;
	try {
		const real = await realPath(path);
		return (await stat(real)).isDirectory() ? real : undefined;
	} catch {
		return undefined;
	}
}

type ParsedManifest = {
	readonly file: string;
	readonly text: string;
	readonly written: WrittenManifest;
	/** Sentences about unknown keys in the file. */
	readonly warnings: readonly string[];
	readonly pwd: string;
	readonly from: string;
};

function trustedManifest({file, written, warnings, pwd, from}: ParsedManifest): Manifest {
	const {file_refs, tools, retry, compaction, max_turns, model, permission} = written;
	return {
		file,
		pwd,
		...startOf(from, pwd),
		writable: written.scope?.writable ?? true,
		...modelWish(model),
		limits: {
			file_refs,
			tools,
			retry,
			compaction,
			max_turns,
			model: timeoutsOf(model),
		},
		...permissionsOf(permission),
		...confineOf(written),
		...warningOf(file, baseUrlKeys(written), warnings),
	};
}

function untrustedManifest({file, text, written, warnings, pwd, from}: ParsedManifest): Manifest {
	const {scope, permission = []} = written;
	const wider = !contains(from, pwd);
	const isLink = wider && pwd !== resolve(dirname(file), scope?.pwd ?? '.');
	const startGrants = [
		...(wider ? [manifestTexts.widerPwd] : []),
		...startKeys.filter(key => written[key] !== undefined),
	];
	const grants = [
		...startGrants,
		...(permission.some(({action}) => action === 'allow') ? [manifestTexts.allowRules] : []),
	];
	const warning = manifestTexts.ignored(file, grants);
	return {
		file,
		pwd: wider ? from : pwd,
		...(!wider && startOf(from, pwd)),
		writable: scope?.writable ?? true,
		limits: {},
		...permissionsOf(permission.filter(({action}) => action !== 'allow')),
		...confineOf(written),
		...warningOf(file, baseUrlKeys(written), warnings),
		...(grants.length > 0 && {
			untrusted: {file, text, ...(isLink && {pwdTarget: pwd}), rules: permission, grants, startGrants, warning},
		}),
	};
}

function startOf(from: string, pwd: string): Pick<Manifest, 'startedIn'> {
	return pwd === from ? {} : {startedIn: from};
}

/** The settings that take effect when a session starts. */
const startKeys = ['model', 'file_refs', 'tools', 'retry', 'compaction', 'max_turns'] as const;

function permissionsOf(permission: readonly Rule[] = []): Pick<Manifest, 'permissions'> {
	return permission.length === 0 ? {} : {permissions: permission};
}

function confineOf({confine}: WrittenManifest): Pick<Manifest, 'confine'> {
	return confine === undefined ? {} : {confine};
}

function baseUrlKeys(written: WrittenManifest): readonly string[] {
	return [
		...(written.model?.base_url === undefined ? [] : ['model.base_url']),
		...(written.providers === undefined ? [] : ['providers']),
	];
}

function warningOf(file: string, left: readonly string[], unknown: readonly string[]): {readonly warning?: string} {
	const sentences = [...(left.length === 0 ? [] : [manifestTexts.baseUrlIgnored(file, left)]), ...unknown];
	return sentences.length === 0 ? {} : {warning: sentences.join(' ')};
}

/** The maximum number of characters of a path that a sentence shows. */
const maxPathShown = 256;

function listOf(words: readonly string[]): string {
	return words.length < 2 ? words.join('') : t`${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
