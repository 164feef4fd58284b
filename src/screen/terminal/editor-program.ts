import {closeSync, constants, fstatSync, openSync, readFileSync} from 'node:fs';
import {
	createLentFile,
	findInstalled,
	programOf,
	type LentFile,
	type Program,
	type ProgramProblem,
	type Programs,
} from './program.ts';
import {
	messageUnchanged,
	noEditor,
	notHandedOver,
	notPermitted,
	notText,
	programFailed,
	programNotFound,
	tooLarge,
	unreadableCommand,
} from './texts.ts';

export {splitWords} from './program.ts';
export type {Env} from './program.ts';
export type EditorCommand = Program;

/** The reasons why an edit can fail. `editorSentence` returns a sentence for each reason. */
export type EditorProblem =
	| {readonly reason: 'none'}
	| {readonly reason: 'unchanged'}
	| {readonly reason: 'binary'}
	| {readonly reason: 'too_large'}
	| {readonly reason: 'quotes'; readonly command: string}
	| ProgramProblem;

/** Returns the user's editor: `$VISUAL`, else `$EDITOR`, else the first of a few common editors that is installed. */
export function findEditor({
	env,
	find,
}: Programs): EditorCommand | Exclude<EditorProblem, {readonly reason: 'unchanged'}> {
	const wanted = [env['VISUAL'], env['EDITOR']].find(value => value !== undefined && value.trim() !== '');
	return wanted === undefined ? (findInstalled(defaults, find) ?? {reason: 'none'}) : programOf(wanted, find);
}

/** A file with the text that is open in an editor. */
export type EditedFile = Pick<LentFile, 'dispose' | 'run'> & {
	/**
	Returns the current contents of the file. Line breaks are LF. If the editor added a final line break, it is removed.
	*/
	read(): {readonly ok: true; readonly text: string} | {readonly ok: false; readonly problem: EditorProblem};
};

/** Writes a text to a file that an editor will open. Throws the system's error. */
export function createEditedFile(text: string): EditedFile {
	const written = text === '' || text.endsWith('\n') ? text : `${text}\n`;
	const file = createLentFile(written, {folder: 'inkpod-draft-', name: 'draft.md'});
	return {
		...file,
		read() {
			const read = readText(file.path);
			if (!read.ok || read.text !== written)
				return read.ok ? {ok: true, text: withoutAddedEnd(read.text, text)} : read;
			return {ok: false, problem: {reason: 'unchanged'}};
		},
	};
}

/**
Returns a sentence about the problem, or `undefined` if the file is unchanged. Names in the sentence are untrusted.
*/
export function editorSentence(problem: EditorProblem): string | undefined {
	return problem.reason === 'unchanged' ? undefined : messageUnchanged(editorProblemSentence(problem));
}

/** Returns a sentence about the problem for any text that was open in the editor, not only for a message. */
export function editorProblemSentence<Reason extends FailureReason>(problem: FailureOf<Reason>): string {
	const reason: Reason = problem.reason;
	return sentences[reason](problem);
}

type FailureReason = Exclude<EditorProblem['reason'], 'unchanged'>;
type FailureOf<Reason extends FailureReason> = {
	readonly [Each in Reason]: ProblemMap[Each] & {readonly reason: Each};
}[Reason];
type ProblemMap = {readonly [Each in EditorProblem as Each['reason']]: Each};

const sentences: {readonly [Reason in FailureReason]: (problem: FailureOf<Reason>) => string} = {
	none: () => noEditor,
	binary: () => notText,
	too_large: () => tooLarge,
	quotes: ({command}) => unreadableCommand('editor', command),
	not_found: ({program}) => programNotFound('editor', program),
	not_permitted: ({program}) => notPermitted('editor', program),
	failed: ended => programFailed('editor', ended),
	io: ({detail}) => notHandedOver('editor', detail),
};

const defaults = ['nano', 'vim', 'vi', 'emacs'];

const maxBytes = 10 * 1024 * 1024;

function readText(path: string): ReturnType<EditedFile['read']> {
	let fd: number | undefined;
	try {
		// O_NONBLOCK is needed because a named pipe at this path would otherwise block the screen.
		fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
		const stat = fstatSync(fd);
		if (!stat.isFile()) return {ok: false, problem: {reason: 'binary'}};
		if (stat.size > maxBytes) return {ok: false, problem: {reason: 'too_large'}};
		return {
			ok: true,
			text: new TextDecoder('utf-8', {fatal: true}).decode(readFileSync(fd)).replaceAll(/\r\n?/g, '\n'),
		};
	} catch (error) {
		if (error instanceof TypeError) return {ok: false, problem: {reason: 'binary'}};
		return {ok: false, problem: {reason: 'io', detail: (error as Error).message}};
	} finally {
		if (fd !== undefined) closeSync(fd);
	}
}

/** Removes a final newline that the editor added. A final newline of the original text stays. */
function withoutAddedEnd(text: string, original: string): string {
	return text.endsWith('\n') && !original.endsWith('\n') ? text.slice(0, -1) : text;
}
