import {realpath, stat} from 'node:fs/promises';
import {dirname, join, resolve} from 'node:path';
import type {Rule} from '../approval/rule.ts';
import {quoteUntrusted} from '../text/quote-untrusted.ts';
import {pathExists} from '../files/path-exists.ts';
import {fileBounds} from '../config/limits.ts';
import {modelWish, type ModelOptions} from '../config/model-choice.ts';
import type {TomlResult} from '../config/toml.ts';
import type {WrittenLimits, WrittenManifest} from '../config/config-schema.ts';
import {errorCode} from '../files/fs-error.ts';
import {foreignEntry, strictOwners, type Foreign} from '../scope/owners.ts';
import {contains, type Owners} from '../scope/scope.ts';

/** What a project says of itself, after everything that it may not say was left out. */
export type Manifest = {
	/** The file it comes from. Absent: there is none, and the start directory is the scope. */
	readonly file?: string;
	/** A real path. */
	readonly pwd: string;
	readonly writable: boolean;
	/** The start directory, where the file moves `pwd` below it: rules are about paths from there, too. */
	readonly narrowedFrom?: string;
	/** `provider/model`, of a trusted file only. */
	readonly model?: string;
	readonly modelOptions?: ModelOptions;
	readonly limits: WrittenLimits;
	/** The rules that count: of an untrusted file those that do not allow. */
	readonly permissions?: readonly Rule[];
	/** What was left out and why, in one sentence, where trust would not change it. */
	readonly warning?: string;
	/** What was left out because the file is not trusted. */
	readonly untrusted?: UntrustedManifest;
	/** What was passed over because another user could have written it: `inkpod.toml` files and `.git`. */
	readonly skipped?: readonly Foreign[];
};

/** A file that would widen something if it were trusted. */
export type UntrustedManifest = {
	readonly file: string;
	/** The very text that was read. */
	readonly text: string;
	/** Where its wider `pwd` is, where a link leads there. */
	readonly leads?: string;
	/** All its rules. */
	readonly rules: readonly Rule[];
	/** What it would gain, in words; and what of that only a new start can give it. */
	readonly gains: readonly string[];
	readonly later: readonly string[];
	/** What to say when it is not trusted. */
	readonly warning: string;
};

/** What trust in a manifest is bound to. */
export type ManifestContents = Pick<UntrustedManifest, 'file' | 'text' | 'leads'>;

export type ManifestResult =
	| {readonly ok: true; readonly manifest: Manifest}
	| {readonly ok: false; readonly sentence: string; readonly skipped?: readonly Foreign[]};

export type ManifestOptions = {
	readonly start: string;
	/** The file that the user named. It is used whoever owns it. */
	readonly file?: string | undefined;
	/** Whether a file is trusted as it is. Absent: none is. */
	readonly trusted?: (manifest: ManifestContents) => Promise<boolean>;
	readonly owners?: Owners;
};

/**
The manifest of a start directory: `file` where the person names one, else the nearest `inkpod.toml` from there up to
the git root.
Without a git root only the start directory itself is looked at: a file that lies in some parent by chance says nothing.
What another user could have written is passed over as if it were not there, and listed.
An untrusted one may narrow (`writable = false`, a `pwd` at or below the start directory, rules that deny or ask); the
rest of it is left out.
Base URLs are left out even of a trusted one.
*/
export async function loadManifest({
	start,
	file,
	trusted,
	owners = strictOwners,
}: ManifestOptions): Promise<ManifestResult> {
	const from = await directory(start);
	if (from === undefined)
		return {ok: false, sentence: `The start directory ${quoteUntrusted(start)} does not exist or is no directory.`};
	const above =
		file === undefined
			? await filesAbove(from, manifestName, owners)
			: {files: [resolve(start, file)], skipped: []};
	const {skipped, ...found} = await firstUsable(above, file === undefined, owners);
	const rest = skipped.length === 0 ? {} : {skipped};
	if (!('read' in found)) return {ok: true, manifest: {pwd: from, writable: true, limits: {}, ...rest}};
	const {named, read} = found;
	if (!read.ok) return {ok: false, sentence: read.sentence, ...rest};
	const pwd = await directory(resolve(dirname(named), read.value.scope?.pwd ?? '.'));
	if (pwd === undefined) return {ok: false, sentence: await missingPwd(named, read), ...rest};
	const written: Written = {file: named, text: read.text, written: read.value, pwd, from};
	const manifest = withoutTrust(written);
	const {untrusted} = manifest;
	const isTrusted = untrusted === undefined || ((await trusted?.(untrusted)) ?? false);
	return {ok: true, manifest: {...(isTrusted ? withTrust(written) : manifest), ...rest}};
}

const manifestName = 'inkpod.toml';

type Above = {readonly files: readonly string[]; readonly skipped: readonly Foreign[]};
type Skipped = {readonly skipped: readonly Foreign[]};
type Usable = Skipped | (Skipped & {readonly named: string; readonly read: TomlResult<WrittenManifest>});

/** Reads the first file that may be used. Each is judged by what was opened, unless the user named it. */
async function firstUsable({files, skipped: above}: Above, isJudged: boolean, owners: Owners): Promise<Usable> {
	const skipped = [...above];
	for (const named of files) {
		const [{readToml}, {manifestSchema}] = await Promise.all([
			import('../config/toml.ts'),
			import('../config/config-schema.ts'),
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
	const {describeKey} = await import('../config/toml.ts');
	const written = quoteUntrusted((value.scope?.pwd ?? '.').slice(0, maxPathShown));
	return describeKey(named, text, ['scope', 'pwd'], `names ${written}, which does not exist or is no directory.`);
}

/** Characters of a written path that a sentence repeats. */
const maxPathShown = 256;

/**
The files of a name, nearest first, from a folder up to the git root; without a git root only in the folder itself. A
`.git` that another user could have made marks no root.
*/
export async function filesAbove(from: string, name: string, owners: Owners = strictOwners): Promise<Above> {
	let tried: string[] = [];
	const skipped: Foreign[] = [];
	for (let folder = from; ; folder = dirname(folder)) {
		tried.push(join(folder, name));
		if (await pathExists(join(folder, '.git'))) {
			const foreign = foreignRoot(folder, owners);
			if (foreign === undefined) break;
			skipped.push(foreign);
		}
		if (dirname(folder) === folder) {
			tried = tried.slice(0, 1);
			break;
		}
	}
	const files: string[] = [];
	for (const file of tried) if (await pathExists(file)) files.push(file);
	return {files, skipped};
}

/** A `.git` that cannot be looked at ends the search, as one of yours does: nothing above it is used. */
function foreignRoot(folder: string, owners: Owners): Foreign | undefined {
	try {
		return foreignEntry(folder, '.git', owners);
	} catch (error) {
		if (errorCode(error) === '') throw error;
		return undefined;
	}
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

type Written = {
	readonly file: string;
	readonly text: string;
	readonly written: WrittenManifest;
	readonly pwd: string;
	readonly from: string;
};

function withTrust({file, written, pwd, from}: Written): Manifest {
	const {file_refs, tools, retry, max_turns, model, permission} = written;
	return {
		file,
		pwd,
		...narrowing(from, pwd),
		writable: written.scope?.writable ?? true,
		...modelWish(model),
		limits: {
			file_refs,
			tools,
			retry,
			max_turns,
			model: model === undefined ? undefined : {stall_timeout: model.stall_timeout},
		},
		...permissionsOf(permission),
		...warningOf(file, baseUrlKeys(written)),
	};
}

function withoutTrust({file, text, written, pwd, from}: Written): Manifest {
	const {scope, permission = []} = written;
	const wider = !contains(from, pwd);
	const isLink = wider && pwd !== resolve(dirname(file), scope?.pwd ?? '.');
	const later = [
		...(wider ? ['a pwd that is not below the start directory'] : []),
		...startKeys.filter(key => written[key] !== undefined),
	];
	const gains = [...later, ...(permission.some(({action}) => action === 'allow') ? ['rules that allow'] : [])];
	const warning = `Of ${quoteUntrusted(file)} this was left out: ${gains.join(', ')} (a file of the project may only narrow, unless you trust it).`;
	return {
		file,
		pwd: wider ? from : pwd,
		...narrowing(from, pwd),
		writable: scope?.writable ?? true,
		limits: {},
		...permissionsOf(permission.filter(({action}) => action !== 'allow')),
		...warningOf(file, baseUrlKeys(written)),
		...(gains.length > 0 && {
			untrusted: {file, text, ...(isLink && {leads: pwd}), rules: permission, gains, later, warning},
		}),
	};
}

function narrowing(from: string, pwd: string): Pick<Manifest, 'narrowedFrom'> {
	return pwd !== from && contains(from, pwd) ? {narrowedFrom: from} : {};
}

/** What a session begins with. */
const startKeys = ['model', 'file_refs', 'tools', 'retry', 'max_turns'] as const;

function permissionsOf(permission: readonly Rule[] = []): Pick<Manifest, 'permissions'> {
	return permission.length === 0 ? {} : {permissions: permission};
}

function baseUrlKeys(written: WrittenManifest): readonly string[] {
	return [
		...(written.model?.base_url === undefined ? [] : ['model.base_url']),
		...(written.providers === undefined ? [] : ['providers']),
	];
}

function warningOf(file: string, left: readonly string[]): {readonly warning?: string} {
	return left.length === 0
		? {}
		: {
				warning: `Of ${quoteUntrusted(file)} this was left out: ${left.join(', ')} (base URLs come from the environment or your own config.toml).`,
			};
}
