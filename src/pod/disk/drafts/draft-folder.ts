import {closeSync, constants, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync} from 'node:fs';
import {open, readdir, rename, rm, unlink} from 'node:fs/promises';
import {join} from 'node:path';
import {ulid} from 'ulid';
import {z} from 'zod';
import {errorCode} from '../../ground/files/fs-error.ts';
import {segmentSchema, type Segment, type SegmentOf} from '../../protocol/segment.ts';
import {dirMode, fileMode, makeDir, quietly, realFiles, syncDir} from '../files.ts';
import type {SentMessage, Unsent} from './unsent.ts';

type DraftRead =
	| {
			readonly ok: true;
			readonly kept: Unsent;
			/** The time at which the draft was saved (ISO). */
			readonly at: string;
			/** The number of pastes whose files are missing. */
			readonly lost: number;
	  }
	| {readonly ok: false; readonly reason: 'none' | 'damaged'};

/**
Reads the draft of a folder. Whatever the folder contains, this function does not throw or block, and the number of
bytes that it reads is limited. `draft.json` is `{"format": "inkpod.draft/1", "at": ISO time, "sent": [segments…],
"ids": [id or null…], "draft": segments, "draftId"?, "aside"?: [segments…]}`. `ids` are the ids of the messages in
`sent`. Early versions wrote no ids. A long paste is in a separate file beside the draft. Its segment contains the name
of this file.
*/
export async function readDraft(dir: string): Promise<DraftRead> {
	const text = await readSmall(join(dir, draftName));
	if (!text.ok) return text;
	const parsed = draftSchema.safeParse(parseJson(text.text)).data;
	if (parsed === undefined) return {ok: false, reason: 'damaged'};
	let lost = 0;
	const whole = async (segments: readonly Stored[]): Promise<Segment[]> => {
		const found: Segment[] = [];
		for (const segment of segments) {
			const read = 'file' in segment ? await withContent(dir, segment) : segment;
			if (read === undefined) lost++;
			else found.push(read);
		}
		return found;
	};
	const sent: SentMessage[] = [];
	for (const [index, segments] of parsed.sent.entries()) {
		const id = parsed.ids[index] ?? undefined;
		sent.push({segments: await whole(segments), id});
	}
	const {draftId, at} = parsed;
	const draft = await whole(parsed.draft);
	const aside: Segment[][] = [];
	for (const segments of parsed.aside ?? []) aside.push(await whole(segments));
	const more = {draftId, ...(aside.length > 0 && {aside})};
	return {ok: true, kept: {sent, draft, ...more}, at, lost};
}

/** Renames an unreadable draft, so that nothing reads or overwrites it. Returns its new path. */
export async function setAside(dir: string): Promise<string> {
	const aside = join(dir, `${asidePrefix}${ulid()}.json`);
	await rename(join(dir, draftName), aside);
	return aside;
}

/**
Removes the draft of a folder if possible. Returns false if there is no draft. If several processes call this at the
same time, only one call returns true.
*/
export async function removeDraft(dir: string): Promise<boolean> {
	return unlink(join(dir, draftName)).then(
		() => true,
		(error: unknown) => errorCode(error) !== 'ENOENT',
	);
}

/** Tells whether a folder contains no text of the user, but only leftover files of an ended process. */
export async function isSpent(dir: string): Promise<boolean> {
	return !(await readdir(dir)).some(name => name === draftName || name.startsWith(asidePrefix));
}

type DraftWriter = {
	/**
	Replaces the draft durably and atomically, unless a later call has already replaced it. Writes each long paste only
	once. Rejects with the system's error.
	*/
	save(unsent: Unsent): Promise<void>;
	/**
	Replaces the draft synchronously. `isLast`: the process ends, so the draft is made durable, and later saves have no
	effect.
	*/
	saveNow(unsent: Unsent, isLast: boolean): void;
	clear(): Promise<void>;
	clearNow(): void;
};

/** Creates the writer for a folder's draft. The first save creates the folder. */
export function createDraftWriter(dir: string): DraftWriter {
	const file = join(dir, draftName);
	const pastes = new Map<SegmentOf<'paste'>, string>();
	/** The number of the last call. An older state must never replace a newer one. */
	let last = 0;
	let ended = false;
	const isLast = (call: number) => !ended && call === last;

	/** Removes the files of pastes that the draft no longer needs, and leftover files of unfinished saves. */
	async function sweep(used: ReadonlySet<SegmentOf<'paste'>>, call: number): Promise<void> {
		for (const paste of pastes.keys()) if (!used.has(paste)) pastes.delete(paste);
		const needed = new Set(pastes.values());
		const names = await readdir(dir);
		for (const name of names.filter(name => swept.test(name) && !needed.has(name))) {
			if (isLast(call)) await quietly(rm(join(dir, name), {force: true}));
		}
	}

	return {
		async save(unsent) {
			const call = ++last;
			if (!isLast(call)) return;
			await makeDir(realFiles, dir);
			const used = longPastes(unsent);
			for (const paste of used) {
				if (pastes.has(paste) || !isLast(call)) continue;
				const name = `paste-${ulid()}.txt`;
				await writeWhole(join(dir, name), paste.content);
				pastes.set(paste, name);
			}
			const temporary = join(dir, `${draftName}.${ulid()}`);
			await writeWhole(temporary, encode(unsent, pastes));
			// The check and the rename are synchronous, so that no other call can run between them.
			if (!isLast(call)) return quietly(rm(temporary, {force: true}));
			renameSync(temporary, file);
			await syncDir(realFiles, dir);
			if (isLast(call)) await quietly(sweep(used, call));
		},
		saveNow(unsent, isLast) {
			last++;
			ended ||= isLast;
			mkdirSync(dir, {recursive: true, mode: dirMode});
			for (const paste of longPastes(unsent)) {
				if (pastes.has(paste)) continue;
				const name = `paste-${ulid()}.txt`;
				writeWholeNow(join(dir, name), paste.content, isLast);
				pastes.set(paste, name);
			}
			const temporary = join(dir, `${draftName}.${ulid()}`);
			writeWholeNow(temporary, encode(unsent, pastes), isLast);
			renameSync(temporary, file);
		},
		async clear() {
			const call = ++last;
			if (!isLast(call)) return;
			rmSync(file, {force: true});
			await quietly(sweep(new Set(), call));
		},
		clearNow() {
			ended = true;
			rmSync(dir, {recursive: true, force: true});
		},
	};
}

const draftName = 'draft.json';
const asidePrefix = 'damaged-';
const swept = /^(?:paste-|draft\.json\.)/;
const format = 'inkpod.draft/1';
/** The minimum length of a paste in a separate file, in UTF-16 code units. */
const minPasteFileLength = 32_768;
/**
The maximum number of bytes of a draft's file. A paste has at most 10 MB of text, and JSON escapes need at most six
bytes for each byte.
*/
const maxBytes = 64 * 1024 * 1024;

const pasteFile = z.object({
	type: z.literal('paste'),
	id: z.string(),
	chars: z.number(),
	lines: z.number(),
	file: z.string().regex(/^paste-[0-9A-Z]{26}\.txt$/),
});
const storedSchema = z.union([segmentSchema, pasteFile]);
type Stored = z.infer<typeof storedSchema>;
const draftSchema = z.object({
	format: z.literal(format),
	at: z.iso.datetime(),
	sent: z.array(z.array(storedSchema)),
	ids: z.array(z.string().nullable()).default([]),
	draft: z.array(storedSchema),
	draftId: z.string().optional(),
	aside: z.array(z.array(storedSchema)).optional(),
});

function encode({sent, draft, draftId, aside}: Unsent, names: ReadonlyMap<SegmentOf<'paste'>, string>): string {
	const stored = (segments: readonly Segment[]) =>
		segments.map(segment => {
			const file = segment.type === 'paste' ? names.get(segment) : undefined;
			if (segment.type !== 'paste' || file === undefined) return segment;
			const {type, id, chars, lines} = segment;
			return {type, id, chars, lines, file};
		});
	return JSON.stringify({
		format,
		at: new Date().toISOString(),
		sent: sent.map(({segments}) => stored(segments)),
		ids: sent.map(({id = null}) => id),
		draft: stored(draft),
		draftId,
		aside: aside?.map(stored),
	});
}

function longPastes({sent, draft, aside = []}: Unsent): ReadonlySet<SegmentOf<'paste'>> {
	const pastes = [...sent.map(({segments}) => segments), draft, ...aside]
		.flat()
		.filter(segment => segment.type === 'paste');
	return new Set(pastes.filter(({content}) => content.length >= minPasteFileLength));
}

async function writeWhole(path: string, text: string): Promise<void> {
	const handle = await open(path, 'wx', fileMode);
	try {
		await handle.writeFile(text);
		await handle.sync();
	} catch (error) {
		await quietly(rm(path, {force: true}));
		throw error;
	} finally {
		await handle.close();
	}
}

function writeWholeNow(path: string, text: string, isDurable: boolean): void {
	const fd = openSync(path, 'wx', fileMode);
	try {
		const bytes = Buffer.from(text);
		for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at);
		if (isDurable) fsyncSync(fd);
	} finally {
		closeSync(fd);
	}
}

type SmallRead = {readonly ok: true; readonly text: string} | {readonly ok: false; readonly reason: 'none' | 'damaged'};

async function readSmall(path: string): Promise<SmallRead> {
	try {
		const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
		try {
			const stats = await handle.stat();
			if (!stats.isFile() || stats.size > maxBytes) return {ok: false, reason: 'damaged'};
			return {
				ok: true,
				text: new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(await handle.readFile()),
			};
		} finally {
			await handle.close();
		}
	} catch (error) {
		const isNone = ['ENOENT', 'ENOTDIR'].includes(errorCode(error));
		return {ok: false, reason: isNone ? 'none' : 'damaged'};
	}
}

async function withContent(
	dir: string,
	{type, id, chars, lines, file}: z.infer<typeof pasteFile>,
): Promise<Segment | undefined> {
	const read = await readSmall(join(dir, file));
	return read.ok ? {type, id, chars, lines, content: read.text} : undefined;
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
