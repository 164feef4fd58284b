import {constants} from 'node:fs';
import {mkdir, open} from 'node:fs/promises';
import {join} from 'node:path';
import {z} from 'zod';
import {dirMode, fileMode} from '../../disk/files.ts';
import {noSpending, type Spending} from '../../config/budget-limits.ts';

/**
What all sessions of this home have spent today. Each process adds a line in a single write after a request, so that
several processes can write at once and none of them rewrites what another has written. A day has a file of its own.
*/
type DayFile = {
	add(spending: Spending, session: string, at: Date): Promise<void>;
	/** Returns the sum of a day. Rejects with the system's error. */
	read(at: Date): Promise<Spending>;
};

export function createDayFile(folder: string): DayFile {
	let known: {readonly path: string; readonly end: number; readonly sum: Spending} | undefined;
	return {
		async add(spending, session, at) {
			await mkdir(folder, {recursive: true, mode: dirMode});
			const file = await open(pathOf(folder, at), appending, fileMode);
			try {
				// A line begins with a newline, too, so that it never continues a line that is incomplete.
				await file.appendFile(`\n${JSON.stringify({at: at.toISOString(), session, ...spending})}\n`);
			} finally {
				await file.close();
			}
		},
		async read(at) {
			const path = pathOf(folder, at);
			const from = known?.path === path ? known : {path, end: 0, sum: noSpending};
			const bytes = await readFrom(path, from.end);
			const whole = bytes.subarray(0, bytes.lastIndexOf(newline) + 1);
			known = {path, end: from.end + whole.length, sum: linesIn(whole).reduce(sumOf, from.sum)};
			return known.sum;
		},
	};
}

function sumOf(one: Spending, other: Spending): Spending {
	return {
		usd: one.usd + other.usd,
		requests: one.requests + other.requests,
		unknown: one.unknown + other.unknown,
	};
}

const {O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY} = constants;
const appending = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK;
const newline = 0x0a;
/** A larger file is not read: a day has no so many requests. */
const maxBytes = 64 * 1024 * 1024;

const lineSchema = z.object({usd: z.number(), requests: z.number(), unknown: z.number()});

/** The day is that of the local time zone. */
function pathOf(folder: string, at: Date): string {
	const two = (value: number) => String(value).padStart(2, '0');
	return join(folder, `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}.jsonl`);
}

async function readFrom(path: string, start: number): Promise<Buffer> {
	const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error: unknown) => {
		if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
		throw error;
	});
	if (file === undefined) return Buffer.alloc(0);
	try {
		const {size} = await file.stat();
		const length = Math.max(0, Math.min(size, maxBytes) - start);
		const bytes = Buffer.alloc(length);
		const {bytesRead} = await file.read(bytes, 0, length, start);
		return bytes.subarray(0, bytesRead);
	} finally {
		await file.close();
	}
}

/** Returns the spendings of whole lines. Damaged lines do not count. */
function linesIn(bytes: Buffer): readonly Spending[] {
	return bytes
		.toString('utf8')
		.split('\n')
		.flatMap(line => {
			try {
				const {success, data} = lineSchema.safeParse(JSON.parse(line));
				return success ? [data] : [];
			} catch {
				return [];
			}
		});
}
