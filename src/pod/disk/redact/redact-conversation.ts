import {basename} from 'node:path';
import {stamp, type Clock, type Item, type ReadMedia} from '../../../worker/index.ts';
import {mediaIn} from '../../ground/history/media-of.ts';
import {isHash, mediaReader} from '../bodies/hashed-files.ts';
import {rebuildRequests} from '../check/rebuild-requests.ts';
import {itemsBefore} from '../conversations/side-questions.ts';
import type {Files} from '../files.ts';
import {historyFile} from '../paths.ts';
import {changeFile, wholeMark, type ChangedFile} from './change-file.ts';
import {changedBytes, changeItems, type ChangedHistory, type WholeHistory} from './change-history.ts';
import {ownFiles, readFileOnce, readWhole, sideFolders} from './conversation-files.ts';
import type {Remover} from './remover.ts';
import {sentTo, type SentTo} from './sent-to.ts';
import {redactTexts} from './texts.ts';

/** A file from which texts were removed. */
export type FoundIn = {readonly path: string; readonly count: number};

/** A removal of texts from the files of one or more sessions. */
export type Removal = {
	readonly remover: Remover;
	/** The id of an item whose texts are all removed. */
	readonly whole?: string | undefined;
	readonly clock: Clock;
	readonly files: Files;
	/** Gets the new contents of a file. `size`: the size of the file that was read, if other processes append to it. */
	readonly emit: (path: string, bytes: Buffer, size?: number) => Promise<void>;
	/** What was found so far. */
	readonly found: FoundIn[];
	readonly sent: SentTo[];
	/** Sentences about files that were not searched. */
	readonly skipped: string[];
};

/** Removes texts from the files of a conversation and of all conversations in its folder. The history comes last. */
export async function redactConversation(dir: string, removal: Removal, parent?: Parent): Promise<void> {
	const history = await readWhole(dir, removal.files);
	const items = history?.decoded.lines.flatMap(line => ('item' in line ? [line.item] : [])) ?? [];
	const changed = changeItems(items, removal.remover, removal.whole);
	const lost = await redactFiles(dir, items, removal);
	const {sessions, sideQuestions} = await sideFolders(dir);
	const readMedia = parent === undefined ? mediaReader(() => dir, undefined, removal.files) : parent.readMedia;
	for (const side of sessions) await redactConversation(side, removal, noParent);
	for (const side of sideQuestions) await redactConversation(side, removal, {history: changed, lost, readMedia});
	if (history !== undefined) await redactHistory(dir, {history, changed, lost, readMedia, parent}, removal);
}

/** Removes texts from a file, and reports it. */
export async function redactFile(path: string, removal: Removal, isGrowing = false): Promise<ChangedFile | undefined> {
	const bytes = await readFileOnce(path, removal.files);
	if (bytes === 'too_large') removal.skipped.push(redactTexts.tooLarge(path));
	if (bytes === undefined || bytes === 'too_large') return undefined;
	const changed = changeFile(basename(path), bytes, removal.remover);
	if (changed === undefined) return undefined;
	removal.found.push({path, count: changed.count});
	await removal.emit(path, changed.bytes, isGrowing ? bytes.length : undefined);
	return changed;
}

/** What a side question needs of the conversation that it belongs to. Children and compactions need nothing. */
type Parent = {
	readonly history: Pick<ChangedHistory, 'old' | 'next'>;
	readonly lost: ReadonlySet<string>;
	readonly readMedia: ReadMedia | undefined;
};

const noParent: Parent = {history: {old: [], next: []}, lost: new Set(), readMedia: undefined};

/** Removes texts from the files of a conversation. Returns the names of the files that are named by their hash. */
async function redactFiles(dir: string, items: readonly Item[], removal: Removal): Promise<ReadonlySet<string>> {
	const lost = new Set<string>();
	const whole = items.filter(({id}) => id === removal.whole).flatMap(item => mediaIn(item)?.sha256 ?? []);
	for (const path of await ownFiles(dir)) {
		const name = basename(path);
		const changed = whole.includes(name) ? await redactAll(path, removal) : await redactFile(path, removal);
		if (changed !== undefined && isHash(name)) lost.add(name);
	}
	return lost;
}

async function redactAll(path: string, {remover, files, found, emit}: Removal): Promise<ChangedFile | undefined> {
	const bytes = await readFileOnce(path, files);
	if (bytes === undefined || bytes === 'too_large') return undefined;
	found.push({path, count: 1});
	const changed = {bytes: wholeMark(remover.rule, bytes.length), count: 1};
	await emit(path, changed.bytes);
	return changed;
}

type ReadHistory = {
	readonly history: WholeHistory;
	readonly changed: ChangedHistory;
	readonly lost: ReadonlySet<string>;
	readonly readMedia: ReadMedia | undefined;
	readonly parent: Parent | undefined;
};

async function redactHistory(dir: string, read: ReadHistory, removal: Removal): Promise<void> {
	const {history, changed, lost} = read;
	const {old, next, from} = withParent(read);
	if (lost.size === 0 && (read.parent?.lost.size ?? 0) === 0 && old.every((item, index) => item === next[index]))
		return;
	const lostMedia = new Set([...lost, ...(read.parent?.lost ?? [])]);
	const readNextMedia: ReadMedia = async media => (lostMedia.has(media.sha256) ? undefined : read.readMedia?.(media));
	const {readMedia} = read;
	const rebuilt = await rebuildRequests(old, next, {readMedia, readNextMedia, lostMedia, from});
	const requests = rebuilt.flatMap(({id, hash}) => (hash === undefined ? [] : [{id, hash}]));
	if (changed.changes.size === 0 && requests.length === 0 && lost.size === 0) return;
	removal.sent.push(...sentTo(old, rebuilt));
	const path = historyFile(dir);
	if (changed.count > 0) removal.found.push({path, count: changed.count});
	const bytes = changedBytes(history, changed, removal.remover.rule, lines => {
		const count = lines.reduce((all, {marks}) => all + marks.length, 0);
		const more = {...(requests.length > 0 && {requests}), ...(lost.size > 0 && {files: [...lost]})};
		return [stamp(removal.clock, {type: 'redaction', count, lines: [...lines], ...more})];
	});
	await removal.emit(path, bytes);
}

/** Returns the items of a conversation, and for a side question also the items before it. */
function withParent({history: {decoded}, changed, parent}: ReadHistory): {
	readonly old: readonly Item[];
	readonly next: readonly Item[];
	readonly from: number;
} {
	const before = parent === undefined ? [] : (itemsBefore({decoded}, parent.history.old) ?? []);
	const from = before.length;
	const nextBefore = parent?.history.next.slice(0, from) ?? [];
	return {old: [...before, ...changed.old], next: [...nextBefore, ...changed.next], from};
}
