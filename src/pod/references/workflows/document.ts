import {en} from '../../../language/index.ts';
import {foreignOpened, foreignReason} from '../../scope/owners.ts';
import {readTextChecked, type Opened, type ReadFailure} from '../../scope/read.ts';
import {splitFrontmatter, cutFrontmatter} from './frontmatter-schema.ts';
import {knowledgeMeta, skillMeta, workflowMeta, type DocumentMeta, type MetaResult} from './frontmatter-schema.ts';
import {shippedWorkflows} from './sources.ts';
import {documentFile, type DocumentSource} from './sources.ts';
import {short} from './short.ts';
import {workflowTexts} from './texts.ts';

/** A document of a source. `file` is absolute. */
export type DocumentFile = {readonly source: DocumentSource; readonly slug: string; readonly file: string};

export type ParsedDocument = {
	readonly ok: true;
	readonly found: DocumentFile;
	readonly meta: DocumentMeta;
	/** The whole text of the document, without BOM and with LF line endings. */
	readonly text: string;
	/** The text of the document without its frontmatter, trimmed at the end. */
	readonly body: string;
};

/** A broken document. `problem` is the end of a sentence about the file. */
export type BrokenDocument = {
	readonly ok: false;
	readonly found: DocumentFile;
	readonly problem: string;
	/** Whether another user could have written the document. */
	readonly foreign?: boolean;
};

/** The maximum size of a document. */
export const maxDocumentBytes = 262_144;

/** Reads a document and parses its frontmatter. Never throws because of a file. */
export async function readDocument(
	source: DocumentSource,
	slug: string,
	signal?: AbortSignal,
): Promise<ParsedDocument | BrokenDocument> {
	const found: DocumentFile = {source, slug, file: documentFile(source, slug)};
	if (source.owner === 'shipped') return shippedDocument(found);
	const limits = {maxBytes: maxDocumentBytes, maxScanBytes: maxDocumentBytes, signal};
	const read = await readTextChecked(source.scope, found.file, limits, async opened => refusalOf(found, opened));
	if (!read.ok && read.reason === 'not_admitted') return {ok: false, found, ...read.why};
	if (!read.ok) return {ok: false, found, problem: problems[read.reason]};
	// UTF-16 may become longer as UTF-8.
	if (read.truncated) return {ok: false, found, problem: problems.too_large};
	return parseDocument(found, read.body);
}

/**
Reads a command or a skill that was written for Claude Code or opencode. Only its text and `$ARGUMENTS` are used. The
frontmatter of such files is often not valid YAML, so this function reads it line by line, and only the keys that it
needs. A remark names everything that has no effect here.
*/
export function readImported(text: string, kind: 'command' | 'skill'): Imported {
	const cut = cutFrontmatter(text);
	if (!cut.ok) return cut;
	const {yaml = '', body} = cut;
	const entries = entriesOf(yaml);
	const valueOf = (name: string) => entries.find(({key}) => key === name)?.value ?? '';
	const description = valueOf('description') || firstLine(body);
	if (description === '') return {ok: false, problem: en`it has neither a description nor text`};
	return {
		ok: true,
		body,
		meta: {
			description: short(description),
			requires: [],
			userInvocable: valueOf('user-invocable') !== 'false',
			modelInvocation: kind === 'skill' && valueOf('disable-model-invocation') !== 'true',
			remarks: remarksOf(
				entries.map(({key}) => key),
				body,
			),
		},
	};
}

async function parseDocument(found: DocumentFile, text: string): Promise<ParsedDocument | BrokenDocument> {
	const {slug, source} = found;
	const {kind} = source;
	if (kind === 'command' || (kind === 'skill' && source.isImported === true)) {
		const imported = readImported(text, kind);
		return imported.ok
			? {ok: true, found, meta: imported.meta, text, body: imported.body.trimEnd()}
			: {ok: false, found, problem: imported.problem};
	}
	const split = await splitFrontmatter(text);
	if (!split.ok) return {ok: false, found, problem: split.problem};
	const parsed = metaOf[kind](split.keys, slug);
	if (!parsed.ok) return {ok: false, found, problem: parsed.problem};
	return {ok: true, found, meta: parsed.meta, text, body: split.body.trimEnd()};
}

function shippedDocument(found: DocumentFile): ParsedDocument | BrokenDocument {
	const shipped = shippedWorkflows.get(found.slug);
	if (shipped === undefined) return {ok: false, found, problem: problems.not_found};
	const {description, body} = shipped;
	const meta = {description, requires: [], userInvocable: true, modelInvocation: false, remarks: []};
	return {ok: true, found, meta, text: body, body};
}

/** Returns the reason why an opened document is not used: another user could have written it, or a rule forbids it. */
async function refusalOf(
	{source: {owners, scope, refuses}, file}: DocumentFile,
	{fd, real}: Opened,
): Promise<NotUsed | undefined> {
	if (owners !== undefined) {
		const foreign = foreignOpened(fd, {top: scope.pwd, named: file}, owners);
		if (foreign !== undefined) return {problem: foreignReason(en, foreign, owners), foreign: true};
	}
	const why = await refuses?.(file, real);
	return why === undefined ? undefined : {problem: why.replace(/\.$/, '')};
}

type NotUsed = Pick<BrokenDocument, 'problem' | 'foreign'>;

const metaOf: {
	readonly [Holds in Exclude<DocumentSource['kind'], 'command'>]: (
		keys: Readonly<Record<string, unknown>>,
		slug: string,
	) => MetaResult;
} = {
	workflow: workflowMeta,
	knowledge: knowledgeMeta,
	skill: skillMeta,
};

const problems: Readonly<Record<ReadFailure, string>> = {
	out_of_scope: en`its path contains a link that leads out of the project`,
	not_found: en`there is no such file`,
	not_a_file: en`it is a FIFO, a device or a socket, not a file`,
	is_directory: en`it is a directory, not a file`,
	binary: en`it is not valid UTF-8 text`,
	too_large: en`it is larger than ${maxDocumentBytes} bytes`,
	bad_range: en`it cannot be read`,
	denied: en`it leads to a file that looks like a secret`,
	aborted: en`reading it was cancelled`,
	io: en`it cannot be read`,
};

/** A command or skill of another agent: its metadata and its text, or the end of a sentence about the file. */
type Imported =
	| {readonly ok: true; readonly meta: DocumentMeta; readonly body: string}
	| {readonly ok: false; readonly problem: string};

type Entry = {readonly key: string; readonly value: string};

/** Returns the keys in the first column with their values on one line. */
function entriesOf(yaml: string): readonly Entry[] {
	const entries: Array<{readonly key: string; readonly lines: string[]}> = [];
	for (const line of yaml.split('\n')) {
		const [, key, rest = ''] = keyLine.exec(line) ?? [];
		if (key !== undefined) entries.push({key, lines: [rest]});
		else if (!line.startsWith('#')) entries.at(-1)?.lines.push(line);
	}
	return entries.map(({key, lines}) => ({key, value: plainValue(lines)}));
}

const keyLine = /^["']?([A-Za-z][\w-]{0,63})["']?[ \t]*:(?:[ \t]+(.*))?$/;

/** Returns a value without its quotes, its block mark (`|`, `>`) or a comment at its end. */
function plainValue([first = '', ...rest]: readonly string[]): string {
	const begin = /^[|>][+-]?\d?[ \t]*$/.test(first) ? '' : first;
	const value = [begin, ...rest.map(line => line.trim())].join(' ').trim();
	const quoted = /^(["'])(.*)\1(?:\s+#.*)?$/.exec(value)?.[2];
	return (quoted ?? value.replace(/(?:^|\s)#.*$/, '')).trim();
}

/** Returns the first line with text. Heading marks and HTML comments are left out. */
function firstLine(body: string): string {
	const lines = body.slice(0, maxLookedAt).replaceAll(/<!--[^]*?(?:-->|$)/g, '');
	return (
		lines
			.split('\n')
			.map(line => line.replace(/^#+(?:\s|$)/, '').trim())
			.find(line => line !== '') ?? ''
	);
}

const maxLookedAt = 8192;

/** The keys that need no remark: inkpod uses them, or they only describe the file. */
const quietKeys: ReadonlySet<string> = new Set([
	'description',
	'name',
	'user-invocable',
	'disable-model-invocation',
	'argument-hint',
	'arguments',
	'license',
	'metadata',
	'version',
	'author',
	'compatibility',
]);

/** The patterns that find parts of a body which another program interprets. In inkpod these parts are plain text. */
const plainParts: ReadonlyArray<readonly [name: string, pattern: RegExp]> = [
	['!command', /^[ \t]*!\S|(?:^|\s)!`/m],
	['@file', /(?:^|[\s(])@[\w$~./]/m],
	['$1', /\$[1-9]/],
];

const maxNamedKeys = 5;

function remarksOf(keys: readonly string[], body: string): readonly string[] {
	const named = [...new Set(keys.filter(key => !quietKeys.has(key)))].slice(0, maxNamedKeys);
	const parts = plainParts.flatMap(([name, pattern]) => (pattern.test(body) ? [name] : []));
	const all = [...named, ...parts];
	return all.length === 0 ? [] : [workflowTexts.notTakenOver(all)];
}
