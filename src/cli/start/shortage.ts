import {closeSync, openSync, readFileSync} from 'node:fs';
import {shortages} from './texts.ts';

export type Surroundings = {
	readonly arguments: readonly string[];
	readonly env: Readonly<Record<string, string | undefined>>;
	/** The limits of this process, as Linux shows them (proc(5)). */
	readonly limits: string;
	/** Opens a file, and throws if no descriptor is left. */
	readonly open: () => number;
	readonly close: (fd: number) => void;
};

/**
Returns the reason if inkpod would fail in the middle of its work, because it can open almost no files or has too little
memory. In these cases Node exits without a message or waits forever. A refused start loses nothing.
*/
export function shortage({arguments: flags, env, limits, open, close}: Surroundings = ofProcess()): string | undefined {
	const heap = heapSize([...flags, env['NODE_OPTIONS'] ?? '']);
	if (heap !== undefined && heap < minHeap) return shortages.heap(heap, minHeap);
	const [, space] = /^Max address space +(\d+) /m.exec(limits) ?? [];
	if (space !== undefined && Number(space) < minSpace) return shortages.space(Number(space) / 1024, minSpace / 1024);
	return hasFiles(open, close) ? undefined : shortages.files(minFiles);
}

function ofProcess(): Surroundings {
	return {
		arguments: process.execArgv,
		env: process.env,
		limits: readLimits(),
		open: () => openSync('/dev/null', 'r'),
		close: closeSync,
	};
}

/** Reads the limits of this process. Systems other than Linux have no file with limits. */
function readLimits(): string {
	try {
		return readFileSync('/proc/self/limits', 'latin1');
	} catch {
		return '';
	}
}

/**
Returns the size in MB that an option of Node allows for JavaScript objects. If several options set it, the last one
applies.
*/
function heapSize(flags: readonly string[]): number | undefined {
	const sizes = [...flags.join(' ').matchAll(/--max[-_]old[-_]space[-_]size[= ](\d+)/g)];
	const last = sizes.at(-1)?.[1];
	return last === undefined ? undefined : Number(last);
}

function hasFiles(open: Surroundings['open'], close: Surroundings['close']): boolean {
	const opened: number[] = [];
	try {
		while (opened.length < freeFiles) opened.push(open());
		return true;
	} catch {
		return false;
	} finally {
		opened.forEach(close);
	}
}

/** The minimum of `--max-old-space-size` with which a chat works, in megabytes. */
const minHeap = 64;
/**
The minimum address space that Node and its WebAssembly need, in bytes. With about half of it, Node itself does not
start.
*/
const minSpace = 2_000_000 * 1024;
/** The minimum number of free file descriptors when inkpod starts. Node has about 20 open descriptors. */
const freeFiles = 32;
/**
The number of file descriptors that the sentence recommends. Servers, tools and commands need more descriptors than the
start does.
*/
const minFiles = 256;
