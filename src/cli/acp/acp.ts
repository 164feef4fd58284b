import {Console} from 'node:console';
import {answerFirst, initializeResponse} from '../../acp/initialize.ts';
import {escapeSeparators} from '../../pod/first-frame.ts';
import type {AcpOptions} from './options.ts';

/** Implements `inkpod acp`: serves an editor over stdio until it closes stdin. stdout carries only the protocol. */
export async function acp(options: AcpOptions): Promise<number> {
	const {version, stdin, stdout, stderr} = options;
	globalThis.console = new Console(stderr, stderr);
	const chunks = bytesOf(stdin);
	const first = await firstLine(chunks);
	const answered = answerFirst(first.line, version);
	if (answered !== undefined) stdout.write(`${escapeSeparators(answered)}\n`);
	const {serveStdio} = await import('./serve-stdio.ts');
	await serveStdio(options, {
		read: [first.read, first.rest],
		chunks,
		isAnswered: answered !== undefined,
		initialize: authMethods => initializeResponse(version, authMethods),
	});
	return 0;
}

async function* bytesOf(stdin: NodeJS.ReadableStream): AsyncGenerator<Buffer> {
	for await (const chunk of stdin) yield Buffer.from(chunk);
}

/**
Reads until the end of the first line. `read` is the line with its end, and `rest` is the data that was read after it.
*/
async function firstLine(chunks: AsyncGenerator<Buffer>) {
	let read = Buffer.alloc(0);
	while (read.length < maxFirstLine) {
		const {value, done} = await chunks.next();
		if (done === true) break;
		read = Buffer.concat([read, value]);
		if (value.includes(newline)) break;
	}
	const end = read.indexOf(newline) + 1;
	const line = end === 0 ? read : read.subarray(0, end);
	return {read: line, line: line.toString(), rest: read.subarray(line.length)};
}

const newline = 10;
/** The maximum length of the first line. If the line is longer, only the protocol's code answers it. */
const maxFirstLine = 1024 * 1024;
