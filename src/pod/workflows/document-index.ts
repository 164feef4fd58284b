import {stat} from 'node:fs/promises';
import {pathExists} from '../files/path-exists.ts';
import {errorCode} from '../files/fs-error.ts';
import {foreignPath, foreignSentence} from '../scope/owners.ts';
import {openDir, type DirFailure} from '../scope/scoped-dir.ts';
import {readDocument, type BrokenDocument, type Found, type WholeDocument} from './document.ts';
import type {Meta} from './frontmatter-schema.ts';
import {fileOn, type Shelf, type Shelves} from './sources.ts';
import {isSlug} from './slug.ts';
import {workflowTexts, type FolderProblem} from './texts.ts';

/** The document that a slug means. `shadows`: the user's own documents that a project's document replaces. */
export type Choice<Document> = {readonly document: Document; readonly shadows: readonly Found[]};

/** A document in a list. */
export type Entry = {readonly found: Found; readonly shadows: readonly Found[]} & (
	| {readonly ok: true; readonly meta: Meta}
	| {readonly ok: false; readonly problem: string}
);

export type Listing = {
	/** The workflows and skills by slug. `unusable`: files with invalid names, and broken skills. */
	readonly entries: readonly Entry[];
	readonly unusable: ReadonlyArray<BrokenDocument>;
	/** All Knowledge, valid or not, by slug. */
	readonly knowledge: ReadonlyMap<string, Choice<Found>>;
	/** Sentences about skipped files and folders. */
	readonly remarks: readonly string[];
};

/**
All documents of the sources. Each call checks the disk, so that a changed file is read again and an unchanged one is
not.
*/
export type Catalogue = {
	list(): Promise<Listing>;
	/** The document that the slug means, read from disk now. `undefined`: there is none. */
	workflow(slug: string, signal: AbortSignal): Promise<Choice<WholeDocument | BrokenDocument> | undefined>;
	knowledge(slug: string, signal: AbortSignal): Promise<Choice<WholeDocument | BrokenDocument> | undefined>;
};

export function createCatalogue(shelves: Shelves): Catalogue {
	let known: ReadonlyMap<string, Known> = new Map();
	const read = async (found: Found, signal: AbortSignal) => readDocument(found.shelf, found.slug, signal);
	return {
		async list() {
			const next = new Map<string, Known>();
			const listing = await listDocuments(shelves, async found => readKnown(found, known, next));
			known = next;
			return listing;
		},
		workflow: async (slug, signal) =>
			choose(await there(shelves.workflows, slug), async found => read(found, signal)),
		knowledge: async (slug, signal) =>
			choose(await there(shelves.knowledge, slug), async found => read(found, signal)),
	};
}

type ReadShort = (found: Found) => Promise<Short>;

async function listDocuments(shelves: Shelves, read: ReadShort): Promise<Listing> {
	const remarks: string[] = [];
	const candidatesOf = async (part: readonly Shelf[]) =>
		bySlug(await Promise.all(part.map(async shelf => listShelf(shelf, remarks))));
	const [workflows, knowledge] = await Promise.all([
		candidatesOf(shelves.workflows),
		candidatesOf(shelves.knowledge),
	]);
	const {entries, unusable} = await listWorkflows(workflows, read, remarks);
	return {entries, unusable, knowledge: firstOfEach(knowledge), remarks};
}

type Candidates = ReadonlyMap<string, readonly Found[]>;

async function listWorkflows(
	workflows: Candidates,
	read: ReadShort,
	remarks: string[],
): Promise<Pick<Listing, 'entries' | 'unusable'>> {
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
	return {entries: entries.toSorted((a, b) => order(a.found.slug, b.found.slug)), unusable};
}

function entryOf({document, shadows}: Choice<Short>): Entry {
	const {found} = document;
	return document.ok
		? {ok: true, found, shadows, meta: document.meta}
		: {ok: false, found, shadows, problem: document.problem};
}

function firstOfEach(knowledge: Candidates): Listing['knowledge'] {
	const valid = [...knowledge].filter(([slug]) => isSlug(slug));
	return new Map(
		valid.flatMap(([slug, candidates]) => chosenFirst(candidates).map(choice => [slug, choice] as const)),
	);
}

/** The number of entries that are checked in one folder. */
export const maxOnShelf = 500;

async function listShelf(shelf: Shelf, remarks: string[]): Promise<readonly Found[]> {
	const opened = await openDir(shelf.within, shelf.dir, {limit: maxOnShelf});
	if (!opened.ok) {
		if (opened.reason !== 'not_found')
			remarks.push(workflowTexts.folderUnreadable(shelf.shown(shelf.dir), folderProblem(opened.reason)));
		return [];
	}
	const unused = foreignShelf(shelf);
	if (unused !== undefined) {
		remarks.push(unused);
		return [];
	}
	if (opened.total > opened.entries.length)
		remarks.push(workflowTexts.entriesIgnored(shelf.shown(shelf.dir), maxOnShelf, opened.total));
	const names = opened.entries.filter(({name}) => !name.startsWith('.'));
	if (shelf.holds !== 'skill')
		return names
			.filter(({name}) => name.endsWith('.md'))
			.map(({name}) => foundOn(shelf, name.slice(0, -'.md'.length)));
	const folders = names
		.filter(({kind}) => kind === 'directory' || kind === 'symlink')
		.map(({name}) => foundOn(shelf, name));
	const are = await Promise.all(folders.map(async ({file}) => pathExists(file)));
	return folders.filter((_, index) => are[index]);
}

/** Why a whole folder is skipped. If the folder has disappeared, opening its documents checks again. */
function foreignShelf({owners, within, dir}: Shelf): string | undefined {
	if (owners === undefined) return undefined;
	try {
		const foreign = foreignPath({top: within.pwd, named: dir}, owners);
		return foreign && foreignSentence(foreign, owners);
	} catch (error) {
		if (errorCode(error) === '') throw error;
		return undefined;
	}
}

function folderProblem(reason: DirFailure): FolderProblem {
	return reason === 'out_of_scope' || reason === 'not_a_directory' ? reason : 'io';
}

function foundOn(shelf: Shelf, slug: string): Found {
	return {shelf, slug, file: fileOn(shelf, slug)};
}

function bySlug(lists: ReadonlyArray<readonly Found[]>): ReadonlyMap<string, readonly Found[]> {
	return Map.groupBy(lists.flat(), ({slug}) => slug);
}

async function there(shelves: readonly Shelf[], slug: string): Promise<readonly Found[]> {
	if (!isSlug(slug)) return [];
	const found = shelves.map(shelf => foundOn(shelf, slug));
	const are = await Promise.all(found.map(async ({file}) => pathExists(file)));
	return found.filter((_, index) => are[index]);
}

/**
The first candidate wins, valid or broken. A broken skill is skipped, and so is a document of another user if another
candidate follows.
*/
async function choose<Whole extends {readonly ok: true; readonly found: Found}>(
	candidates: readonly Found[],
	read: (found: Found) => Promise<Whole | BrokenDocument>,
	passOver: (broken: BrokenDocument) => void = () => {},
): Promise<Choice<Whole | BrokenDocument> | undefined> {
	for (const [index, candidate] of candidates.entries()) {
		const document = await read(candidate);
		const isLast = index + 1 === candidates.length;
		if (!document.ok && ((document.foreign === true && !isLast) || candidate.shelf.holds === 'skill')) {
			passOver(document);
			continue;
		}
		return {document, shadows: shadowed(candidates.slice(index))};
	}
	return undefined;
}

function foreignRemarks(document: Short): readonly string[] {
	if (document.ok || document.foreign !== true) return [];
	const {shelf, file} = document.found;
	return [workflowTexts.documentNotUsed(shelf.shown(file), document.problem)];
}

function chosenFirst(candidates: readonly Found[]): ReadonlyArray<Choice<Found>> {
	const [document] = candidates;
	return document === undefined ? [] : [{document, shadows: shadowed(candidates)}];
}

function shadowed([winner, ...rest]: readonly Found[]): readonly Found[] {
	return winner?.shelf.owner === 'project' ? rest.filter(({shelf}) => shelf.owner === 'user') : [];
}

type Short = {readonly ok: true; readonly found: Found; readonly meta: Meta} | BrokenDocument;
type Known = {readonly stamp: string; readonly document: Short};

/** A file written a moment ago may change again without a new time stamp. */
const settledMs = 1000;

async function readKnown(found: Found, known: ReadonlyMap<string, Known>, next: Map<string, Known>): Promise<Short> {
	const before = await stampOf(found.file);
	const earlier = known.get(found.file);
	if (before !== undefined && earlier?.stamp === before.stamp) {
		next.set(found.file, earlier);
		return earlier.document;
	}
	const read = await readDocument(found.shelf, found.slug);
	const document: Short = read.ok ? {ok: true, found, meta: read.meta} : read;
	if (before?.settled === true) next.set(found.file, {stamp: before.stamp, document});
	return document;
}

async function stampOf(file: string): Promise<{readonly stamp: string; readonly settled: boolean} | undefined> {
	try {
		const {dev, ino, mode, size, mtimeMs, ctimeMs} = await stat(file);
		return {stamp: [dev, ino, mode, size, mtimeMs, ctimeMs].join(' '), settled: Date.now() - ctimeMs > settledMs};
	} catch {
		return undefined;
	}
}

function order(a: string, b: string): number {
	return Number(a > b) - Number(a < b);
}
