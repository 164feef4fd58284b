import {spawn, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {closeSync, fstatSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {access, constants} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {delimiter, isAbsolute, join} from 'node:path';

export type Env = Readonly<Record<string, string | undefined>>;

/** A program with the arguments that come before the file. */
export type EditorCommand = readonly [program: string, ...args: string[]];

/** Why an edit came to nothing. The sentence for each: `editorSentence`. */
export type EditorProblem =
	| {readonly reason: 'none'}
	| {readonly reason: 'unchanged'}
	| {readonly reason: 'binary'}
	| {readonly reason: 'too_large'}
	| {readonly reason: 'quotes'; readonly command: string}
	| {readonly reason: 'not_found'; readonly program: string}
	| {readonly reason: 'not_permitted'; readonly program: string}
	| {readonly reason: 'failed'; readonly program: string; readonly code: number | null; readonly signal: string | null}
	| {readonly reason: 'io'; readonly detail: string};

/**
The person's editor: `$VISUAL`, else `$EDITOR`, else the first of a few that is installed. Their words are split as a shell does,
quotes and backslashes included, and nothing in them is expanded or run. A variable that is the path of a program, spaces and all, is that program.
*/
export async function findEditor(env: Env): Promise<EditorCommand | EditorProblem> {
	const wanted = [env['VISUAL'], env['EDITOR']].find(value => value !== undefined && value.trim() !== '');
	if (wanted === undefined) return installed(env);
	if (isAbsolute(wanted) && (await isProgram(wanted))) return [wanted];
	const [program, ...args] = splitWords(wanted) ?? [];
	return program === undefined || program === '' ? {reason: 'quotes', command: wanted} : [program, ...args];
}

/** The words of a command. `undefined` when a quote is left open. */
export function splitWords(command: string): string[] | undefined {
	const words: string[] = [];
	const left = command.replaceAll(/(?:'[^']*'|"(?:\\[^]|[^"\\])*"|\\[^]|[^\s'"\\])+/g, word => {
		words.push(word.replaceAll(/'([^']*)'|"((?:\\[^]|[^"\\])*)"|\\([^])/g, (_, plain?: string, quoted?: string, escaped?: string) => plain ?? quoted?.replaceAll(/\\(["\\$`])/g, '$1') ?? escaped ?? ''));
		return '';
	});
	return left.trim() === '' ? words : undefined;
}

/** A text in a file of its own, which nobody else may read, while an editor has it. */
export type EditedFile = {
	/** Resolves when the editor has ended; without a problem when it ended well. The terminal is the editor's meanwhile, `env` what it inherits. */
	run(command: EditorCommand, env: Env): Promise<EditorProblem | undefined>;
	/** What the file holds now. Newlines are LF; the one at the end, which editors add, is not part of the text. */
	read(): {readonly ok: true; readonly text: string} | {readonly ok: false; readonly problem: EditorProblem};
	/** Ends the editor where it still runs, and deletes the file. */
	dispose(): void;
};

/** Writes a text to a file for an editor. Throws the system's error. */
export function createEditedFile(text: string): EditedFile {
	const folder = mkdtempSync(join(tmpdir(), 'inkpod-draft-'));
	const file = join(folder, 'draft.md');
	const written = text === '' || text.endsWith('\n') ? text : `${text}\n`;
	let child: ChildProcess | undefined;
	try {
		writeFileSync(file, written, {mode: 0o600, flag: 'wx'});
	} catch (error) {
		rmSync(folder, {recursive: true, force: true});
		throw error;
	}
	return {
		async run([program, ...args], env) {
			try {
				child = spawn(program, [...args, file], {stdio: 'inherit', env});
				const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
				return code === 0 ? undefined : {reason: 'failed', program, code, signal};
			} catch (error) {
				return startProblem(program, error as NodeJS.ErrnoException);
			}
		},
		read() {
			const read = readText(file);
			if (!read.ok || read.text !== written) return read.ok ? {ok: true, text: withoutAddedEnd(read.text, text)} : read;
			return {ok: false, problem: {reason: 'unchanged'}};
		},
		dispose() {
			if (child?.exitCode === null && child.signalCode === null) child.kill('SIGHUP');
			rmSync(folder, {recursive: true, force: true});
		},
	};
}

/** One sentence; nothing for a file that was left as it was. Names are untrusted. */
export function editorSentence(problem: EditorProblem): string | undefined {
	const sentence = sentences[problem.reason](problem as never);
	return sentence === undefined ? undefined : `${sentence} The draft is as it was.`;
}

const sentences: {readonly [Reason in EditorProblem['reason']]: (problem: Extract<EditorProblem, {reason: Reason}>) => string | undefined} = {
	none: () => 'No editor was found: set $VISUAL or $EDITOR.',
	unchanged: () => undefined,
	binary: () => 'What the editor left is not UTF-8 text.',
	too_large: () => 'What the editor left is larger than 10 MB.',
	quotes: ({command}) => `The editor's command cannot be read, as a quote is not closed or it names no program: ${command}.`,
	not_found: ({program}) => `The editor ${program} was not found.`,
	not_permitted: ({program}) => `The editor ${program} may not be run.`,
	failed: ({program, code, signal}) => `The editor ${program} ended with ${signal ?? `exit code ${code}`}.`,
	io: ({detail}) => `The draft could not be given to an editor: ${detail}.`,
};

const defaults = ['nano', 'vim', 'vi', 'emacs'];

async function installed(env: Env): Promise<EditorCommand | EditorProblem> {
	const folders = (env['PATH'] ?? '').split(delimiter).filter(isAbsolute);
	for (const name of defaults) {
		for (const folder of folders) if (await isProgram(join(folder, name))) return [join(folder, name)];
	}
	return {reason: 'none'};
}

async function isProgram(path: string): Promise<boolean> {
	return access(path, constants.X_OK).then(() => true, () => false);
}

function startProblem(program: string, error: NodeJS.ErrnoException): EditorProblem {
	if (error.code === 'ENOENT') return {reason: 'not_found', program};
	return error.code === 'EACCES' ? {reason: 'not_permitted', program} : {reason: 'io', detail: error.message};
}

const maxBytes = 10 * 1024 * 1024;

function readText(path: string): ReturnType<EditedFile['read']> {
	let fd: number | undefined;
	try {
		// Non-blocking: a pipe in the file's place would hold the screen.
		fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
		const stat = fstatSync(fd);
		if (!stat.isFile()) return {ok: false, problem: {reason: 'binary'}};
		if (stat.size > maxBytes) return {ok: false, problem: {reason: 'too_large'}};
		return {ok: true, text: new TextDecoder('utf-8', {fatal: true}).decode(readFileSync(fd)).replaceAll(/\r\n?/g, '\n')};
	} catch (error) {
		if (error instanceof TypeError) return {ok: false, problem: {reason: 'binary'}};
		return {ok: false, problem: {reason: 'io', detail: (error as Error).message}};
	} finally {
		if (fd !== undefined) closeSync(fd);
	}
}

/** A text that ended in newlines of its own keeps them: only the one that was added, by us or by the editor, goes. */
function withoutAddedEnd(text: string, original: string): string {
	return text.endsWith('\n') && !original.endsWith('\n') ? text.slice(0, -1) : text;
}
