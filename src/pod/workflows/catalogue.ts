import {stat} from 'node:fs/promises';
import {pathExists} from '../files/path-exists.ts';
import {errorCode} from '../files/fs-error.ts';
import {foreignPath, foreignSentence} from '../scope/owners.ts';
import {openDir} from '../scope/scoped-dir.ts';
import {readDocument, type BrokenDocument, type Found, type WholeDocument} from './document.ts';
import type {Meta} from './keys.ts';
import {fileOn, type Shelf, type Shelves} from './shelf.ts';
import {isSlug} from './slug.ts';

/**
Of a slug, the document that counts. `shadows`: the person's own ones whose place it takes, where it is the project's.
*/
export type Choice<Document> = {readonly document: Document; readonly shadows: readonly Found[]};

/** A document as far as a list wants to know it. */
export type Entry = {readonly found: Found; readonly shadows: readonly Found[]} & (
	| {readonly ok: true; readonly meta: Meta}
	| {readonly ok: false; readonly problem: string}
);

export type Listing = {
	/**
	The workflows and skills by slug, then what cannot be invoked at all: files with names that are no slugs, and broken
	skills.
	*/
	readonly entries: readonly Entry[];
	readonly unusable: ReadonlyArray<BrokenDocument>;
	/** The Knowledge that there is, whole or not, by slug. */
	readonly knowledge: ReadonlyMap<string, Choice<Found>>;
	/** What was not looked at, one sentence each. */
	readonly remarks: readonly string[];
};

/**
All documents of the shelves. The disk is asked at every call, so that a changed file is read again; what stayed as it
was is not.
*/
export type Catalogue = {
	list(): Promise<Listing>;
	/** The document that counts, read from disk at this moment; `undefined` when there is none of that slug. */
	workflow(slug: string, signal: AbortSignal): Promise<Choice<WholeDocument | BrokenDocument> | undefined>;
	knowledge(slug: string, signal: AbortSignal): Promise<Choice<WholeDocument | BrokenDocument> | undefined>;
};

export function createCatalogue(shelves: Shelves): Catalogue {
	let known: ReadonlyMap<string, Known> = new Map();

	async function list(): Promise<Listing> {
		const remarks: string[] = [];
		const [workflows, knowledge] = await Promise.all(
			[shelves.workflows, shelves.knowledge].map(async part =>
				bySlug(await Promise.all(part.map(async shelf => listShelf(shelf, remarks)))),
			),
		);
		const next = new Map<string, Known>();
		const entries: Entry[] = [];
		const unusable: BrokenDocument[] = [];
		for (const [slug, candidates] of workflows!) {
			if (!isSlug(slug)) {
				unusable.push(...candidates.map(found => ({ok: false as const, found, problem: noSlug})));
				continue;
			}
			const passOver = (broken: BrokenDocument) => {
				unusable.push(broken);
				remarks.push(...foreignRemarks(broken));
			};
			const choice = await choose(candidates, async found => readKnown(found, known, next), passOver);
			if (choice === undefined) continue;
			const {document, shadows} = choice;
			remarks.push(...foreignRemarks(document));
			entries.push(
				document.ok
					? {ok: true, found: document.found, shadows, meta: document.meta}
					: {ok: false, found: document.found, shadows, problem: document.problem},
			);
		}
		known = next;
		const chosen = [...knowledge!]
			.filter(([slug]) => isSlug(slug))
			.map(([slug, candidates]) => [slug, first(candidates)] as const);
		return {
			entries: entries.toSorted((a, b) => order(a.found.slug, b.found.slug)),
			unusable,
			knowledge: new Map(chosen),
			remarks,
		};
	}

	return {
		list,
		workflow: async (slug, signal) =>
			choose(await there(shelves.workflows, slug), async found => readDocument(found.shelf, found.slug, signal)),
		knowledge: async (slug, signal) =>
			choose(await there(shelves.knowledge, slug), async found => readDocument(found.shelf, found.slug, signal)),
	};
}

/** Entries of one folder that are looked at. */
export const maxOnShelf = 500;
const noSlug = 'its name is no slug: small letters, digits and single hyphens, 64 at most';

async function listShelf(shelf: Shelf, remarks: string[]): Promise<readonly Found[]> {
	const opened = await openDir(shelf.within, shelf.dir, {limit: maxOnShelf});
	if (!opened.ok) {
		if (opened.reason !== 'not_found')
			remarks.push(
				`No documents are read from ${shelf.shown(shelf.dir)}: ${unreadable[opened.reason] ?? 'it cannot be read'}.`,
			);
		return [];
	}
	const unused = foreignShelf(shelf);
	if (unused !== undefined) {
		remarks.push(unused);
		return [];
	}
	if (opened.total > opened.entries.length)
		remarks.push(`Of ${shelf.shown(shelf.dir)} only ${maxOnShelf} of ${opened.total} entries are looked at.`);
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

/**
Why a folder is not used as a whole. One that is gone meanwhile is looked at again when one of its documents is opened.
*/
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

const unreadable: Readonly<Record<string, string>> = {
	out_of_scope: 'it is a link that leads out of the project',
	not_a_directory: 'it is no directory',
};

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
The first of the candidates counts, whole or broken; but a broken skill is passed over, and so is a document of another
user's if there is a further one.
*/
async function choose<Document extends {readonly ok: boolean; readonly found: Found}>(
	candidates: readonly Found[],
	read: (found: Found) => Promise<Document>,
	passOver: (broken: Document & BrokenDocument) => void = () => {},
): Promise<Choice<Document> | undefined> {
	for (const [index, candidate] of candidates.entries()) {
		const document = await read(candidate);
		if (isForeign(document) && index + 1 < candidates.length) {
			passOver(document as Document & BrokenDocument);
			continue;
		}
		if (document.ok || candidate.shelf.holds !== 'skill')
			return {document, shadows: shadowed(candidates.slice(index))};
		passOver(document as Document & BrokenDocument);
	}
	return undefined;
}

function foreignRemarks(document: Short): readonly string[] {
	if (document.ok || document.foreign !== true) return [];
	const {
		found: {shelf, file},
		problem,
	} = document;
	return [`${shelf.shown(file)} is not used: ${problem}.`];
}

function isForeign(document: {readonly ok: boolean; readonly foreign?: boolean}): boolean {
	return !document.ok && document.foreign === true;
}

function first(candidates: readonly Found[]): Choice<Found> {
	return {document: candidates[0]!, shadows: shadowed(candidates)};
}

function shadowed([winner, ...rest]: readonly Found[]): readonly Found[] {
	return winner?.shelf.owner === 'project' ? rest.filter(({shelf}) => shelf.owner === 'user') : [];
}

type Short = {readonly ok: true; readonly found: Found; readonly meta: Meta} | BrokenDocument;
type Known = {readonly stamp: string; readonly document: Short};

/** A file that was written a moment ago may be written again without looking any different. */
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
