import {en} from '../../../language/index.ts';
import {dirname} from 'node:path';
import {openFile} from '../../scope/scoped-fs.ts';
import {looksSecret} from '../../scope/secret.ts';
import {secretReason} from '../../scope/secret-file.ts';
import type {Findings} from './walk.ts';
import type {Search, SearchEnd} from './grep-search.ts';
import {byPath, shownPath, sortByPath} from './search-root.ts';
import {compilePattern} from './regex.ts';
import {areFoldersUnchanged, type Moved} from './search-root.ts';
import {walkFiles} from './walk.ts';
import {encodingOf} from '../../ground/text/decoder.ts';
import {Worker} from 'node:worker_threads';

/** The maximum size of a searched file. The result gives the number of larger files. */
const maxFileBytes = 8 * 1024 * 1024;

/** The maximum number of milliseconds of matching in one file. */
const timeoutMs = 5000;

/**
Searches without ripgrep, in the order of paths. Opens each file through the scope, and matches in a separate thread.
*/
export async function searchBuiltin(search: Search, findings: Findings): Promise<SearchEnd | Moved> {
	const {scope, start, signal} = search;
	const pattern = compilePattern(search.pattern);
	if (!pattern.ok) return pattern;
	const accepts = (file: string) => search.accepts(shownPath(scope, file));
	const {files, complete} =
		start.kind === 'file'
			? {files: [start.real].filter(accepts), complete: true}
			: await walkFiles(start.real, {scope, accepts, signal});
	const sorted = sortByPath(files.map(file => ({file, path: shownPath(scope, file)})));
	const hidden = sorted.filter(({file}) => looksSecret(file));
	// Secrets are listed by name without being opened.
	if (!(await areFoldersUnchanged(scope, new Set(hidden.map(({file}) => dirname(file))), search.since)))
		return 'moved';
	const secrets = hidden.map(({path}) => path);
	const open = sorted.filter(({file}) => !looksSecret(file));
	await using matcher = createLineMatcher(pattern, timeoutMs);
	let tooLarge = 0;
	let last = '';
	for await (const {path, text} of readAhead(open, search)) {
		signal.throwIfAborted();
		if (findings.full) break;
		if (text === 'too_large') tooLarge += 1;
		// The result lists a secret whether or not it contains the pattern.
		if (text === 'secret') secrets.push(path);
		if (typeof text !== 'object') continue;
		const matches = await untilAborted(
			matcher.match(text.text, search.output === 'content' ? maxLinesOfFile : 1),
			signal,
		);
		if (matches === undefined)
			return {
				ok: false,
				message: en`The pattern takes too long on ${path}: more than ${timeoutMs / 1000} seconds. Use a simpler one.`,
			};
		report(path, text.text, matches, search, findings);
		if (matches.count > 0) last = path;
	}
	const notes = [
		...(tooLarge === 0 ? [] : [tooLargeNote(tooLarge)]),
		...(complete ? [] : [en`only the first ${files.length} files were searched`]),
	];
	const passed = findings.full ? secrets.filter(path => byPath(path, last) <= 0) : secrets;
	return {ok: true, secrets: passed.toSorted(byPath), notes};
}

const maxLinesOfFile = 20_000;

const ahead = 8;

type Text = {readonly text: string} | 'too_large' | 'not_text' | 'secret';

function tooLargeNote(count: number): string {
	const limit = `${maxFileBytes / 1024 / 1024} MiB`;
	return count === 1
		? en`1 file larger than ${limit} was not searched`
		: en`${count} files larger than ${limit} were not searched`;
}

/** Yields the texts of files in order. Reads a few files ahead of the matching. */
async function* readAhead(
	files: ReadonlyArray<{readonly file: string; readonly path: string}>,
	search: Search,
): AsyncGenerator<{readonly path: string; readonly text: Text}> {
	const window: Array<Promise<{readonly path: string; readonly text: Text}>> = [];
	for (const {file, path} of files) {
		window.push(textOf(search, file).then(text => ({path, text})));
		if (window.length === ahead) yield* window.splice(0, 1);
	}
	yield* window;
}

/**
Reads a text. Skips a file that can no longer be opened, as ripgrep does. Errors of the disk do not make it reject.
*/
async function textOf({scope, signal}: Search, file: string): Promise<Text> {
	if (signal.aborted) return 'not_text';
	const opened = await openFile(scope, file);
	if (!opened.ok) return 'not_text';
	try {
		// The search has found a real path. If a link has replaced that path, it now leads to another file.
		if (opened.real !== file) return 'not_text';
		if ((await secretReason(scope, file, opened)) !== undefined) return 'secret';
		if (opened.stats.size > maxFileBytes) return 'too_large';
		return decoded(await opened.handle.readFile());
	} catch {
		return 'not_text';
	} finally {
		await opened.handle.close();
	}
}

function decoded(bytes: Buffer): Text {
	const encoding = encodingOf(bytes);
	if (encoding === 'utf-8' && bytes.includes(0)) return 'not_text';
	return {text: new TextDecoder(encoding).decode(bytes)};
}

function report(
	path: string,
	text: string,
	{lines, count}: LineMatches,
	{output, context}: Search,
	findings: Findings,
): void {
	if (count === 0) return;
	if (output !== 'content') {
		findings.file(path, count);
		return;
	}
	const all = text.split('\n').map(line => (line.endsWith('\r') ? line.slice(0, -1) : line));
	if (text.endsWith('\n')) all.pop();
	const matching = new Set(lines);
	let reported = 0;
	for (const number of lines) {
		if (findings.full) return;
		const first = Math.max(number - context, reported + 1);
		for (const [index, line] of all.slice(first - 1, number + context).entries()) {
			const at = first + index;
			findings.line({path, number: at, text: line, match: matching.has(at)});
			reported = at;
		}
	}
}

async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
	const {promise, reject} = Promise.withResolvers<never>();
	const leave = () => reject(signal.reason as Error);
	signal.addEventListener('abort', leave, {once: true});
	try {
		return await Promise.race([work, promise]);
	} finally {
		signal.removeEventListener('abort', leave);
	}
}

/** The numbers of the matching lines, counted from 1 and at most `max` of them, and the count of all matching lines. */
type LineMatches = {readonly lines: readonly number[]; readonly count: number};

/**
Matches texts line by line in a separate thread. The screen never waits for it.
The thread can be ended if a pattern backtracks without end.
*/
type LineMatcher = AsyncDisposable & {
	/**
	Matches one text at a time. Returns `undefined` if the match took too long. After that, this matcher can no longer
	be used.
	*/
	match(text: string, max: number): Promise<LineMatches | undefined>;
};

/** Creates a matcher from the parts of a valid RegExp. The thread lives until disposal. */
function createLineMatcher(pattern: {readonly source: string; readonly flags: string}, timeoutMs: number): LineMatcher {
	const worker = new Worker(program, {eval: true, workerData: pattern, env: {}, execArgv: []});
	let settle: ((matches: LineMatches | undefined) => void) | undefined;
	let fail: ((error: Error) => void) | undefined;
	worker.on('message', (matches: LineMatches) => settle?.(matches));
	worker.on('exit', () => settle?.(undefined));
	worker.on('error', error => fail?.(error));
	return {
		async match(text, max) {
			const {promise, resolve, reject} = Promise.withResolvers<LineMatches | undefined>();
			settle = resolve;
			fail = reject;
			const timer = setTimeout(() => resolve(undefined), timeoutMs);
			worker.postMessage({text, max});
			try {
				return await promise;
			} finally {
				clearTimeout(timer);
			}
		},
		async [Symbol.asyncDispose]() {
			await worker.terminate();
		},
	};
}

/** The program that the thread runs. It is a text instead of a file, so that it needs no path in the bundle. */
const program = `
const {parentPort, workerData} = require('node:worker_threads');
const pattern = new RegExp(workerData.source, workerData.flags);
parentPort.on('message', ({text, max}) => {
	const lines = [];
	let count = 0;
	let number = 0;
	for (let at = 0; at < text.length; ) {
		number += 1;
		const newline = text.indexOf('\\n', at);
		const end = newline < 0 ? text.length : newline;
		const stop = newline > at && text.charCodeAt(newline - 1) === 13 ? newline - 1 : end;
		if (pattern.test(text.slice(at, stop))) {
			count += 1;
			if (lines.length < max) lines.push(number);
		}
		at = end + 1;
	}
	parentPort.postMessage({lines, count});
});
`;
