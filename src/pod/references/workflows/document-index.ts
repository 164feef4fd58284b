import {t} from '../../../language/index.ts';
import {stat} from 'node:fs/promises';
import {pathExists} from '../../ground/files/path-exists.ts';
import {errorCode} from '../../ground/files/fs-error.ts';
import {foreignPath, foreignSentence} from '../../scope/owners.ts';
import {openDir, type DirFailure} from '../../scope/disk-path.ts';
import {readDocument, type BrokenDocument, type DocumentFile, type ParsedDocument} from './document.ts';
import type {DocumentMeta} from './frontmatter-schema.ts';
import {documentFile, type DocumentSource, type DocumentSources} from './sources.ts';
import {shippedWorkflows} from './sources.ts';
import {isSlug} from './slug.ts';
import {workflowTexts, type FolderProblem} from './texts.ts';

/**
The document of a slug. For a project's document, `shadows` are the user's documents and the shipped document that it
replaces. Otherwise the list is empty.
*/
export type ChosenDocument<Document> = {readonly document: Document; readonly shadows: readonly DocumentFile[]};

/** A document in a list. */
export type Entry = {readonly found: DocumentFile; readonly shadows: readonly DocumentFile[]} & (
	| {readonly ok: true; readonly meta: DocumentMeta}
	| {readonly ok: false; readonly problem: string}
);

export type DocumentList = {
	/** The workflows and skills by slug. `unusable`: files with invalid names, and broken skills. */
	readonly entries: readonly Entry[];
	readonly unusable: ReadonlyArray<BrokenDocument>;
	/** All Knowledge documents by slug, whether valid or not. */
	readonly knowledge: ReadonlyMap<string, ChosenDocument<DocumentFile>>;
	/** Sentences about skipped files and folders. */
	readonly remarks: readonly string[];
};

/** The index of all documents. Each call checks the disk, and reads only changed files again. */
export type DocumentIndex = {
	list(): Promise<DocumentList>;
	/** Reads the document of a slug from disk. Returns `undefined` if there is none. */
	workflow(slug: string, signal: AbortSignal): Promise<ChosenDocument<ParsedDocument | BrokenDocument> | undefined>;
	knowledge(slug: string, signal: AbortSignal): Promise<ChosenDocument<ParsedDocument | BrokenDocument> | undefined>;
};

export function createDocumentIndex(sources: DocumentSources): DocumentIndex {
	let known: ReadonlyMap<string, CachedSummary> = new Map();
	const read = async (found: DocumentFile, signal: AbortSignal) => readDocument(found.source, found.slug, signal);
	return {
		async list() {
			const next = new Map<string, CachedSummary>();
			const listing = await listDocuments(sources, async found => readCached(found, known, next));
			known = next;
			return listing;
		},
		workflow: async (slug, signal) =>
			choose(await existing(sources.workflows, slug), async found => read(found, signal)),
		knowledge: async (slug, signal) =>
			choose(await existing(sources.knowledge, slug), async found => read(found, signal)),
	};
}

type ReadShort = (found: DocumentFile) => Promise<DocumentSummary>;

async function listDocuments(sources: DocumentSources, read: ReadShort): Promise<DocumentList> {
	const remarks: string[] = [];
	const candidatesOf = async (part: readonly DocumentSource[]) =>
		bySlug(await Promise.all(part.map(async source => listSource(source, remarks))));
	const [workflows, knowledge] = await Promise.all([
		candidatesOf(sources.workflows),
		candidatesOf(sources.knowledge),
	]);
	const {entries, unusable} = await listWorkflows(workflows, read, remarks);
	return {entries, unusable, knowledge: firstOfEach(knowledge), remarks};
}

type Candidates = ReadonlyMap<string, readonly DocumentFile[]>;

async function listWorkflows(
	workflows: Candidates,
	read: ReadShort,
	remarks: string[],
): Promise<Pick<DocumentList, 'entries' | 'unusable'>> {
	const entries: Entry[] = [];
	const unusable: BrokenDocument[] = [];
	const passOver = (broken: BrokenDocument) => {
		unusable.push(broken);
		remarks.push(...foreignRemarks(broken));
	};
	for (const [slug, candidates] of workflows) {
		if (!isSlug(slug)) {
			unusable.push(
				...candidates.map(found => ({ok: false as const, found, problem: workflowTexts.invalidSlug})),
			);
			continue;
		}
		const choice = await choose(candidates, read, passOver);
		if (choice === undefined) continue;
		remarks.push(...foreignRemarks(choice.document));
		entries.push(entryOf(choice));
	}
	return {entries: entries.toSorted((a, b) => compareText(a.found.slug, b.found.slug)), unusable};
}

function entryOf({document, shadows}: ChosenDocument<DocumentSummary>): Entry {
	const {found} = document;
	return document.ok
		? {ok: true, found, shadows, meta: document.meta}
		: {ok: false, found, shadows, problem: document.problem};
}

function firstOfEach(knowledge: Candidates): DocumentList['knowledge'] {
	const valid = [...knowledge].filter(([slug]) => isSlug(slug));
	return new Map(
		valid.flatMap(([slug, candidates]) => chosenFirst(candidates).map(choice => [slug, choice] as const)),
	);
}

/** The maximum number of entries that are checked in one folder. */
export const maxEntriesPerFolder = 500;

async function listSource(source: DocumentSource, remarks: string[]): Promise<readonly DocumentFile[]> {
	if (source.owner === 'shipped') return [...shippedWorkflows.keys()].map(slug => documentAt(source, slug));
	// Most of the folders are missing, and this check is fast. The check of the scope looks at all parents of a missing
	// folder.
	if (!(await pathExists(source.dir))) return [];
	const opened = await openDir(source.scope, source.dir, {limit: maxEntriesPerFolder});
	if (!opened.ok) {
		if (opened.reason !== 'not_found')
			remarks.push(workflowTexts.folderUnreadable(source.displayPath(source.dir), folderProblem(opened.reason)));
		return [];
	}
	const unused = foreignFolderProblem(source);
	if (unused !== undefined) {
		remarks.push(unused);
		return [];
	}
	if (opened.total > opened.entries.length)
		remarks.push(workflowTexts.entriesIgnored(source.displayPath(source.dir), maxEntriesPerFolder, opened.total));
	const names = opened.entries.filter(({name}) => !name.startsWith('.'));
	if (source.kind !== 'skill')
		return names
			.filter(({name}) => name.endsWith('.md'))
			.map(({name}) => documentAt(source, name.slice(0, -'.md'.length)));
	const folders = names
		.filter(({kind}) => kind === 'directory' || kind === 'symlink')
		.map(({name}) => documentAt(source, name));
	const are = await Promise.all(folders.map(async ({file}) => pathExists(file)));
	return folders.filter((_, index) => are[index]);
}

/**
Returns the reason why a whole folder is skipped. If the folder has disappeared, this is checked again when its
documents are opened.
*/
function foreignFolderProblem({owners, scope, dir}: DocumentSource): string | undefined {
	if (owners === undefined) return undefined;
	try {
		const foreign = foreignPath({top: scope.pwd, named: dir}, owners);
		return foreign && foreignSentence(t, foreign, owners);
	} catch (error) {
		if (errorCode(error) === '') throw error;
		return undefined;
	}
}

function folderProblem(reason: DirFailure): FolderProblem {
	return reason === 'out_of_scope' || reason === 'not_a_directory' ? reason : 'io';
}

function documentAt(source: DocumentSource, slug: string): DocumentFile {
	return {source, slug, file: documentFile(source, slug)};
}

function bySlug(lists: ReadonlyArray<readonly DocumentFile[]>): ReadonlyMap<string, readonly DocumentFile[]> {
	return Map.groupBy(lists.flat(), ({slug}) => slug);
}

async function existing(sources: readonly DocumentSource[], slug: string): Promise<readonly DocumentFile[]> {
	if (!isSlug(slug)) return [];
	const found = sources.map(source => documentAt(source, slug));
	const exists = async ({source, file}: DocumentFile) =>
		source.owner === 'shipped' ? shippedWorkflows.has(slug) : pathExists(file);
	const are = await Promise.all(found.map(exists));
	return found.filter((_, index) => are[index]);
}

/**
Chooses the first candidate, even if it is broken. But it skips a broken skill, and it skips a document of another user
if another candidate follows.
*/
async function choose<Whole extends {readonly ok: true; readonly found: DocumentFile}>(
	candidates: readonly DocumentFile[],
	read: (found: DocumentFile) => Promise<Whole | BrokenDocument>,
	passOver: (broken: BrokenDocument) => void = () => {},
): Promise<ChosenDocument<Whole | BrokenDocument> | undefined> {
	for (const [index, candidate] of candidates.entries()) {
		const document = await read(candidate);
		const isLast = index + 1 === candidates.length;
		if (!document.ok && ((document.foreign === true && !isLast) || candidate.source.kind === 'skill')) {
			passOver(document);
			continue;
		}
		return {document, shadows: shadowed(candidates.slice(index))};
	}
	return undefined;
}

function foreignRemarks(document: DocumentSummary): readonly string[] {
	if (document.ok || document.foreign !== true) return [];
	const {source, file} = document.found;
	return [workflowTexts.documentNotUsed(source.displayPath(file), document.problem)];
}

function chosenFirst(candidates: readonly DocumentFile[]): ReadonlyArray<ChosenDocument<DocumentFile>> {
	const [document] = candidates;
	return document === undefined ? [] : [{document, shadows: shadowed(candidates)}];
}

function shadowed([winner, ...rest]: readonly DocumentFile[]): readonly DocumentFile[] {
	return winner?.source.owner === 'project' ? rest.filter(({source}) => source.owner !== 'project') : [];
}

type DocumentSummary = {readonly ok: true; readonly found: DocumentFile; readonly meta: DocumentMeta} | BrokenDocument;
type CachedSummary = {readonly stamp: string; readonly document: DocumentSummary};

/** The number of milliseconds after a write in which a file may change again without a new modification time. */
const settledMs = 1000;

async function readCached(
	found: DocumentFile,
	known: ReadonlyMap<string, CachedSummary>,
	next: Map<string, CachedSummary>,
): Promise<DocumentSummary> {
	if (found.source.owner === 'shipped') return summaryOf(await readDocument(found.source, found.slug));
	const before = await fileStamp(found.file);
	const earlier = known.get(found.file);
	if (before !== undefined && earlier?.stamp === before.stamp) {
		next.set(found.file, earlier);
		return earlier.document;
	}
	const document = summaryOf(await readDocument(found.source, found.slug));
	if (before?.settled === true) next.set(found.file, {stamp: before.stamp, document});
	return document;
}

function summaryOf(read: ParsedDocument | BrokenDocument): DocumentSummary {
	return read.ok ? {ok: true, found: read.found, meta: read.meta} : read;
}

async function fileStamp(file: string): Promise<{readonly stamp: string; readonly settled: boolean} | undefined> {
	try {
		const {dev, ino, mode, size, mtimeMs, ctimeMs} = await stat(file);
		return {stamp: [dev, ino, mode, size, mtimeMs, ctimeMs].join(' '), settled: Date.now() - ctimeMs > settledMs};
	} catch {
		return undefined;
	}
}

function compareText(a: string, b: string): number {
	return Number(a > b) - Number(a < b);
}
