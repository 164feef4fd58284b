import {en} from '../../../language/index.ts';
import {constants} from 'node:fs';
import {open, readdir, type FileHandle} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {partialResults, stamp, stoppedSummary, type Clock, type Item, type ToolResult} from '../../../worker/index.ts';
import {unansweredCalls} from '../../ground/history/reader.ts';
import {narrowDetails, type ToolDetails} from '../../protocol.ts';
import {createCapture} from './capture.ts';
import {keptOutputs} from './output-file.ts';
import {lastOutputName} from './output-file.ts';

/** `maxBytes` limits an output in history. */
type RecoverOptions = {readonly sessionDir: string; readonly clock: Clock; readonly maxBytes: number};

/** Returns the outputs of calls that have no result because their process died. Reads them from the commands' files. */
export async function recoverOutputs(items: readonly Item[], options: RecoverOptions): Promise<readonly ToolResult[]> {
	const {sessionDir, clock, maxBytes} = options;
	const calls = unansweredCalls(items);
	const [dir] = calls.length === 0 ? [] : keptOutputs(sessionDir);
	if (dir === undefined) return [];
	const names = new Set(await readdir(dir));
	const partials = partialResults(items);
	const found = await Promise.all(
		calls.map(async ({id, callId}) => {
			const name = lastOutputName(id, names);
			if (name === undefined || name === knownName(partials.get(id))) return [];
			const output = await readOutput(join(dir, name), maxBytes);
			if (output === undefined) return [];
			const details: ToolDetails = {command: {bytes: output.bytes, file: join(dir, name)}};
			const result = {
				callId,
				summary: stoppedSummary,
				content: output.text,
				isError: false,
				ms: 0,
				details,
				partialOf: id,
			};
			return [stamp(clock, {type: 'tool_result', ...result})];
		}),
	);
	return found.flat();
}

function knownName(partial: ToolResult | undefined): string | undefined {
	const file = narrowDetails(partial?.details).command?.file;
	return file === undefined ? undefined : basename(file);
}

type Read = {readonly text: string; readonly bytes: number};

/** Reads the first and last part of a file. Returns `undefined` if it is not a readable output file. */
async function readOutput(path: string, maxBytes: number): Promise<Read | undefined> {
	const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
		() => undefined,
	);
	if (file === undefined) return undefined;
	try {
		const stats = await file.stat();
		return stats.isFile() ? {text: await endsOf(file, stats.size, maxBytes), bytes: stats.size} : undefined;
	} finally {
		await file.close();
	}
}

async function endsOf(file: FileHandle, size: number, maxBytes: number): Promise<string> {
	const capture = createCapture(maxBytes);
	if (size <= maxBytes) {
		capture.add(await part(file, 0, size));
		return capture.end().text;
	}
	const half = Math.floor(maxBytes / 2);
	const head = createCapture(maxBytes);
	head.add(await part(file, 0, half));
	capture.add(await part(file, size - half, half));
	const note = en`[...truncated, ${size - 2 * half} bytes of ${size} dropped here]`;
	return `${head.end().text}\n${note}\n${capture.end().text}`;
}

async function part(file: FileHandle, position: number, length: number): Promise<Buffer> {
	const {buffer, bytesRead} = await file.read(Buffer.alloc(length), 0, length, position);
	return buffer.subarray(0, bytesRead);
}
