import type {Exists} from '../../scope/disk-path.ts';
import {posix} from 'node:path';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {flatten, isWebRef, quoted, resourceOf, type FileRef, type Range, type Segment} from '../../protocol.ts';
import {codeRegions} from './token.ts';
import {createProbe, type Probe} from './attachment.ts';
import {leadingRange, splitRange} from './token.ts';
import {
	cjk,
	cutsOf,
	isStripped,
	mayPrecedeRef,
	mayPrecedeWorkflow,
	scanResource,
	scanToken,
	scanWebAddress,
	tokenEndsAt,
	type Token,
} from './token.ts';
import {elementAt} from '../../ground/values/is-record.ts';
import {required} from '../../ground/values/is-record.ts';

type ParseOptions = {
	/** Tells whether a workflow has this slug. Any other `/word` is text, except at the start of the draft. */
	readonly knows?: (slug: string) => boolean;
	/** The names of MCP servers: `@name:uri` names a resource, and `/name:prompt` a prompt. */
	readonly servers?: ReadonlySet<string>;
	/** The maximum number of paths to look up on disk. After that number, the remaining draft stays text. */
	readonly maxProbes?: number;
};

/** The segments of a draft. `complete: false`: the draft has too many paths, so the end of it remained text. */
type ParsedDraft = {readonly segments: Segment[]; readonly complete: boolean};

/** Finds the file refs and workflows in a message. */
export async function parse(text: string, exists: Exists, options: ParseOptions = {}): Promise<Segment[]> {
	return (await parseDraft([{type: 'text', text}], exists, options)).segments;
}

/**
Finds the file refs and workflows in the `text` segments of a draft, and leaves other segments unchanged. The function
is idempotent. Merges adjacent texts, and adds the range after a picked path to that path.
*/
export async function parseDraft(
	segments: readonly Segment[],
	exists: Exists,
	{knows = () => true, servers = new Set(), maxProbes = 512}: ParseOptions = {},
): Promise<ParsedDraft> {
	const draft = mergeTexts(withRanges(segments));
	const probe = createProbe(exists, maxProbes);
	// A paste neither opens nor closes code. A chip counts as its text.
	const parts = draft.map(segment => ({segment, flat: segment.type === 'paste' ? ' ' : flatten([segment])}));
	const inCode = codeRegions(parts.map(({flat}) => flat).join(''));
	const found: Segment[] = [];
	let offset = 0;
	let before = '';
	for (const {segment, flat} of parts) {
		if (segment.type === 'text') {
			const start = offset;
			found.push(
				...(await parseText(segment.text, {before, probe, knows, servers, inCode: at => inCode(start + at)})),
			);
		} else {
			found.push(segment);
		}
		offset += flat.length;
		before = lastCharacter(lastOf[segment.type] ?? flatten([segment])) || before;
	}
	return {segments: mergeTexts(found), complete: !probe.exhausted()};
}

/** Merges adjacent texts and drops empty ones. */
function mergeTexts(segments: readonly Segment[]): Segment[] {
	const merged: Segment[] = [];
	for (const segment of segments) {
		const last = merged.at(-1);
		if (segment.type !== 'text' || last?.type !== 'text') merged.push(segment);
		else merged[merged.length - 1] = {type: 'text', text: last.text + segment.text};
	}
	return merged.filter(segment => segment.type !== 'text' || segment.text !== '');
}

type Surroundings = {
	/** The character before the text. This is empty at the start of the draft. */
	readonly before: string;
	readonly probe: Probe;
	readonly knows: (slug: string) => boolean;
	readonly servers: ReadonlySet<string>;
	readonly inCode: (at: number) => boolean;
};
/** A segment and its end. If there is no segment, the text up to the end remains text. */
type Found = {readonly segment?: Segment; readonly end: number};

/**
After a ref, this character counts as the preceding character, so that the closing quote of a ref does not open another
ref.
*/
const inWord = 'x';
const lastOf: {readonly [Type in Segment['type']]?: string} = {file_ref: inWord, workflow: inWord};

async function parseText(text: string, around: Surroundings): Promise<Segment[]> {
	const segments: Segment[] = [];
	const mark = /[@＠/]/g;
	let taken = 0;
	let passed = -1;
	let marks = 0;
	for (let next = mark.exec(text); next !== null && !around.probe.exhausted(); next = mark.exec(text)) {
		const at = next.index;
		marks += 1;
		if (marks % marksAtOnce === 0) await nextTurn();
		const before =
			at === passed ? inWord : lastCharacter(text.slice(Math.max(0, at - maxCharacter), at)) || around.before;
		const found = next[0] === '/' ? workflowAt(text, at, before, around) : await refAt(text, at, before, around);
		if (found === undefined) continue;
		passed = found.end;
		mark.lastIndex = passed;
		if (found.segment === undefined) continue;
		segments.push({type: 'text', text: text.slice(taken, at)}, found.segment);
		taken = passed;
	}
	return [...segments, {type: 'text', text: text.slice(taken)}];
}

/**
The number of `@` and `/` marks that are checked without a pause. This takes a few milliseconds, in which inkpod handles
no key.
*/
const marksAtOnce = 200;

const slugAt = /[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?(?![a-z0-9-])/y;

const promptAt = /([^\s:/]{1,64}):[^\s:/]{1,128}/uy;

function workflowAt(
	text: string,
	at: number,
	before: string,
	{knows, servers, inCode}: Surroundings,
): Found | undefined {
	if (!mayPrecedeWorkflow(before) || inCode(at)) return undefined;
	promptAt.lastIndex = at + 1;
	const prompt = servers.size === 0 ? null : promptAt.exec(text);
	if (prompt !== null && servers.has(prompt[1] ?? '')) {
		const slug = prompt[0].replace(/[.,;!?]+$/, '');
		return {segment: {type: 'workflow', slug}, end: at + 1 + slug.length};
	}
	slugAt.lastIndex = at + 1;
	const slug = slugAt.exec(text)?.[0];
	if (slug === undefined || slug.includes('--') || !(before === '' || knows(slug))) return undefined;
	const end = at + 1 + slug.length;
	return tokenEndsAt(text, end) ? {segment: {type: 'workflow', slug}, end} : undefined;
}

async function refAt(
	text: string,
	at: number,
	before: string,
	{probe, servers, inCode}: Surroundings,
): Promise<Found | undefined> {
	if (!mayPrecedeRef(before)) return undefined;
	const page = scanWebAddress(text, at + 1);
	if (page !== undefined) return inCode(at) ? {end: page.end} : {segment: refOf(page.url, undefined), end: page.end};
	const resource = servers.size === 0 ? undefined : scanResource(text, at + 1);
	if (resource !== undefined && servers.has(resourceOf({path: resource.name})?.server ?? ''))
		return inCode(at) ? {end: resource.end} : {segment: refOf(resource.name, undefined), end: resource.end};
	const token = scanToken(text, at + 1);
	if (token === 'too_long') probe.spend();
	if (token === undefined || token === 'too_long') return undefined;
	if (token.quoted) return quotedRef(text, token, probe, inCode(at));
	const cuts = cutsOf(token.name).filter(cut => leadingRange(token.name.slice(cut)) === undefined);
	for (const cut of cuts) {
		const named = await namedBy(token.name.slice(0, cut), probe);
		if (named !== undefined) return {segment: named, end: elementAt(token.ends, cut)};
	}
	if (inCode(at) || probe.exhausted()) return undefined;
	const cut = meantCut(token.name, cuts);
	if (cut === undefined) return undefined;
	return {segment: withoutRange(token.name.slice(0, cut)), end: elementAt(token.ends, cut)};
}

async function quotedRef(text: string, {name, ends}: Token, probe: Probe, inCode: boolean): Promise<Found | undefined> {
	const close = required(ends.at(-1), 'the end of a token');
	if (isWebRef({path: name})) return inCode ? undefined : {segment: refOf(name, undefined), end: close};
	const ranged = leadingRange(text.slice(close, close + 64));
	const end = close + (ranged?.length ?? 0);
	// The path itself needs no quotes. But without quotes it would merge with the following word.
	if (quoted(name) === name && gluedAfter.test(text.slice(end, end + 2))) return {end};
	const suffix = text.slice(close, end);
	const withSuffix = (): FileRef =>
		ranged?.range === undefined ? refOf(name + suffix, undefined) : refOf(name, ranged.range);
	if (ranged === undefined) {
		const named = await namedBy(name, probe);
		if (named !== undefined) return {segment: named, end};
	} else if (await probe.exists(name)) {
		return {segment: withSuffix(), end};
	}
	const meant =
		!inCode &&
		!probe.exhausted() &&
		!/[\r\n]/.test(name) &&
		(isPathLike(name) || (hasKnownExtension(name) && !hasAt(name)));
	return meant ? {segment: ranged === undefined ? withoutRange(name) : withSuffix(), end} : undefined;
}

const gluedAfter = new RegExp(`^(?!${cjk.source})[\\p{L}\\p{N}_@/\\\\-]`, 'u');

/** Tries a name as a path first, and then without its range. */
async function namedBy(name: string, probe: Probe): Promise<FileRef | undefined> {
	if (await probe.exists(name)) return refOf(name, undefined);
	const split = splitRange(name);
	return split !== undefined && (await probe.exists(split.path)) ? withoutRange(name) : undefined;
}

/** Splits a name into path and range. A range with line 0 remains part of the path, and the ref will fail. */
function withoutRange(name: string): FileRef {
	const split = splitRange(name);
	return split?.range === undefined ? refOf(name, undefined) : refOf(split.path, split.range);
}

/** Returns the position at which to cut a missing name that looks like a file. */
function meantCut(name: string, cuts: readonly number[]): number | undefined {
	const stripped = cuts.filter(cut => isStripped(name, cut));
	const byExtension = stripped.find(cut => hasKnownExtension(name.slice(0, cut)) && !hasAt(name.slice(0, cut)));
	return byExtension ?? (isPathLike(name) ? (stripped[0] ?? name.length) : undefined);
}

/**
Tells whether a name looks like a path. Names like `..` and `a/../../b` look like paths, because they leave their
folder.
*/
function isPathLike(name: string): boolean {
	return /^(?:\.{1,2}|~)?\//.test(name) || /^\.\.(?:\/|$)/.test(posix.normalize(name));
}

function hasAt(name: string): boolean {
	return /[@＠]/.test(name);
}

function refOf(path: string, range: Range | undefined): FileRef {
	return {type: 'file_ref', path, range};
}

/** Adds a range like `:10-20` to the picked path before it. */
function withRanges(segments: readonly Segment[]): Segment[] {
	const joined: Segment[] = [];
	for (const segment of segments) {
		const last = joined.at(-1);
		const found =
			segment.type === 'text' && last?.type === 'file_ref' && last.range === undefined && !isWebRef(last)
				? leadingRange(segment.text)
				: undefined;
		if (segment.type !== 'text' || last?.type !== 'file_ref' || found === undefined) {
			joined.push(segment);
			continue;
		}
		joined[joined.length - 1] =
			found.range === undefined
				? {...last, path: last.path + segment.text.slice(0, found.length)}
				: {...last, range: found.range};
		joined.push({type: 'text', text: segment.text.slice(found.length)});
	}
	return joined;
}

/** Returns the last character of `text` without its combining marks. */
function lastCharacter(text: string): string {
	const end = text.slice(-maxCharacter);
	return /(?:[\uD800-\uDBFF][\uDC00-\uDFFF]|\P{M})(?=\p{M}*$)/u.exec(end)?.[0] ?? end.slice(-1);
}

const maxCharacter = 8;

/**
The extensions with which a missing `@name` becomes a failed file ref. With an unknown ending the name stays text, which
avoids false alarms. The list omits endings of domains, packages and properties (`com`, `io`, `org`, `name`, `test`,
numbers).
*/
const extensions: ReadonlySet<string> = new Set(
	[
		'ts tsx mts cts js jsx mjs cjs vue svelte astro html htm css scss sass less svg wasm',
		'c h cc cpp cxx hh hpp hxx m mm rs go zig nim java kt kts scala groovy gradle clj cljs cs fs fsx vb swift dart',
		'py pyi pyx ipynb rb erb php pl pm lua r jl ex exs erl hrl elm hs ml mli lisp el scm rkt sol',
		'proto graphql gql sql prisma',
		'sh bash zsh fish ps1 bat cmd nix tf tfvars hcl cmake mk dockerfile',
		'md mdx markdown rst adoc txt text tex bib log diff patch csv tsv',
		'json jsonc json5 jsonl ndjson yaml yml toml ini cfg conf properties env xml xsd plist lock',
		'png jpg jpeg gif webp bmp ico pdf doc docx xls xlsx ppt pptx odt',
		'zip tar gz tgz bz2 xz 7z mp3 mp4 wav mov sqlite db',
	].flatMap(line => line.split(' ')),
);

/**
Tells whether a path ends in a known file extension. Line numbers after the extension, in any notation, are ignored.
*/
export function hasKnownExtension(path: string): boolean {
	const ending = /[^/\\]\.([A-Za-z0-9]{1,12})(?:[:#]L?\d[-\dL:,]*)?$/.exec(path)?.[1];
	return ending !== undefined && extensions.has(ending.toLowerCase());
}
