import {constants} from 'node:fs';
import {open, stat} from 'node:fs/promises';
import type {Item} from '../../worker/index.ts';
import {requestsOf} from '../context/meter.ts';
import {errorCode} from '../files/fs-error.ts';
import {itemSchema} from '../protocol/event.ts';
import {fileMode} from '../session/files.ts';
import {asidesFile, historyFile} from '../session/paths.ts';
import type {Session} from '../session/session.ts';

/**
Keeps what the side questions of a session cost, because they leave nothing else. Each line is an item of a request or
of its end. A missing or damaged line only makes the cost of the session too low.
*/
export type AsideCosts = {
	/** Saves the requests among these items. Resolves with whether that worked, or is still to come. */
	add(items: readonly Item[]): Promise<boolean>;
	/** Saves what could not be saved before the session had a history. */
	close(): Promise<void>;
};

export function createAsideCosts({dir, isMine}: Pick<Session, 'dir' | 'isMine'>): AsideCosts {
	let waiting = '';
	let writing = Promise.resolve(true);

	async function write(): Promise<boolean> {
		// The folder must not come back without its history.
		if (waiting === '' || !(await isFile(historyFile(dir)))) return true;
		if (!(await isMine())) return false;
		const text = waiting;
		const isSaved = await append(asidesFile(dir), text);
		if (isSaved) waiting = waiting.slice(text.length);
		return isSaved;
	}

	async function save(): Promise<boolean> {
		writing = writing.then(write);
		return writing;
	}

	return {
		async add(items) {
			// A line begins with a newline, too, so that it never continues a line that is incomplete.
			for (const item of requestsOf(items)) waiting += `\n${JSON.stringify(item)}\n`;
			return save();
		},
		async close() {
			await save();
		},
	};
}

/** Returns the requests of a session's earlier side questions. It never rejects because of a disk. */
export async function readAsideCosts(dir: string): Promise<readonly Item[]> {
	try {
		const file = await open(asidesFile(dir), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
		try {
			const bytes = Buffer.alloc(Math.min((await file.stat()).size, maxBytes));
			const {bytesRead} = await file.read(bytes, 0, bytes.length, 0);
			return requestsOf(bytes.toString('utf8', 0, bytesRead).split('\n').flatMap(itemIn));
		} finally {
			await file.close();
		}
	} catch (error) {
		if (errorCode(error) === '') throw error;
		return [];
	}
}

const {O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY} = constants;
/** A request has about 500 bytes, so this is enough for thousands. */
const maxBytes = 4 * 1024 * 1024;

function itemIn(line: string): readonly Item[] {
	try {
		const {success, data} = itemSchema.safeParse(JSON.parse(line));
		return success ? [data] : [];
	} catch {
		return [];
	}
}

async function append(path: string, text: string): Promise<boolean> {
	try {
		const file = await open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, fileMode);
		try {
			await file.appendFile(text);
		} finally {
			await file.close();
		}
		return true;
	} catch (error) {
		if (errorCode(error) === '') throw error;
		return false;
	}
}

async function isFile(path: string): Promise<boolean> {
	return stat(path).then(
		found => found.isFile(),
		() => false,
	);
}
