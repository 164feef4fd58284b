import {spawn, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {accessSync, constants, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {isAbsolute, join, basename} from 'node:path';
import {realpath} from 'node:fs/promises';
import {
	noPager,
	notHandedOver,
	notPermitted,
	passesControls,
	programFailed,
	programNotFound,
	unreadableCommand,
} from './texts.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/** The functions that find the user's programs. */
export type Programs = {
	/** The environment that the programs inherit. */
	readonly env: Env;
	/** Returns the absolute path of an installed program with this name. Never returns a program in the project. */
	readonly find: (name: string) => string | undefined;
};

/** A program and the arguments that come before the file. */
export type Program = readonly [program: string, ...args: string[]];

/** The reasons why a program cannot be started. */
export type ProgramProblem =
	| {readonly reason: 'not_found'; readonly program: string}
	| {readonly reason: 'not_permitted'; readonly program: string}
	| {
			readonly reason: 'failed';
			readonly program: string;
			readonly code: number | null;
			readonly signal: string | null;
	  }
	| {readonly reason: 'io'; readonly detail: string};

/**
Returns the program of a user's command line. Its first word must be an absolute path or the name of an installed
program. The words are split as in a shell, with quotes and backslashes. No variables are expanded and no commands are
run. If the whole text is the path of a program, that program is returned.
*/
export function programOf(words: string, find: Programs['find']): Program | NoProgram {
	if (isAbsolute(words) && isExecutable(words)) return [words];
	const [program, ...args] = splitWords(words) ?? [];
	if (program === undefined || program === '') return {reason: 'quotes', command: words};
	const path = isAbsolute(program) ? program : find(program);
	return path === undefined ? {reason: 'not_found', program} : [path, ...args];
}

type NoProgram =
	| {readonly reason: 'quotes'; readonly command: string}
	| Extract<ProgramProblem, {readonly reason: 'not_found'}>;

/** Returns the first of these programs that is installed. */
export function findInstalled(names: readonly string[], find: Programs['find']): Program | undefined {
	const path = names.map(find).find(found => found !== undefined);
	return path === undefined ? undefined : [path];
}

/** Splits a command into words. Returns `undefined` if a quote is not closed. */
export function splitWords(command: string): string[] | undefined {
	const words: string[] = [];
	const left = command.replaceAll(/(?:'[^']*'|"(?:\\[^]|[^"\\])*"|\\[^]|[^\s'"\\])+/g, word => {
		words.push(
			word.replaceAll(
				/'([^']*)'|"((?:\\[^]|[^"\\])*)"|\\([^])/g,
				(_, plain?: string, quoted?: string, escaped?: string) =>
					plain ?? quoted?.replaceAll(/\\(["\\$`])/g, '$1') ?? escaped ?? '',
			),
		);
		return '';
	});
	return left.trim() === '' ? words : undefined;
}

/** A temporary file with a text, for a program. No other user can read the file. */
export type LentFile = {
	readonly path: string;
	/**
	Runs a program, which uses the terminal until it ends. Resolves with a problem, or with `undefined` if the program
	succeeded. `env` is the environment of the program.
	*/
	run(program: Program, env: Env): Promise<ProgramProblem | undefined>;
	/** Tells whether the contents of the file have changed, or the path is no longer a file. */
	isChanged(): boolean;
	/** Ends the program if it is still running, and deletes the file. */
	dispose(): void;
};

/** Writes a text to a temporary file as UTF-8. Throws the system's error. */
export function createLentFile(
	text: string,
	{folder: prefix, name}: {readonly folder: string; readonly name: string},
): LentFile {
	const folder = mkdtempSync(join(tmpdir(), prefix));
	const path = join(folder, name);
	let child: ChildProcess | undefined;
	try {
		writeFileSync(path, text, {mode: 0o600, flag: 'wx'});
	} catch (error) {
		rmSync(folder, {recursive: true, force: true});
		throw error;
	}
	return {
		path,
		async run([program, ...args], env) {
			try {
				child = spawn(program, [...args, path], {stdio: 'inherit', env});
				const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
				return code === 0 ? undefined : {reason: 'failed', program, code, signal};
			} catch (error) {
				return startProblem(program, error as NodeJS.ErrnoException);
			}
		},
		isChanged() {
			const written = Buffer.from(text);
			const stat = statSync(path, {throwIfNoEntry: false});
			return stat?.isFile() !== true || stat.size !== written.length || !readFileSync(path).equals(written);
		},
		dispose() {
			if (child?.exitCode === null && child.signalCode === null) child.kill('SIGHUP');
			rmSync(folder, {recursive: true, force: true});
		},
	};
}

/**
Returns a pager that does not send control characters to the terminal: `$PAGER`, else less, else more. Only less is
known to show control characters in a visible form. Environment variables or options in `$PAGER` may change this
behaviour, so inkpod overrides them. Other pagers are used only for texts without control characters.
*/
export async function findPager({env, find}: Programs, text: string): Promise<Pager | PagerProblem> {
	const words = env['PAGER'];
	const isNamed = words !== undefined && words.trim() !== '';
	const wanted = isNamed
		? programOf(words, find)
		: (findInstalled(['less', 'more'], find) ?? {reason: 'none' as const});
	if ('reason' in wanted) return wanted;
	if (basename(wanted[0]) === 'less') return inertLess(wanted, env);
	if (isInert(text)) return {program: wanted, env};
	const less = findInstalled(['less'], find);
	return less === undefined
		? {reason: 'raw', program: wanted[0]}
		: {...(await inertLess(less, env)), instead: wanted[0]};
}

/** Returns a sentence about the problem. Names in the sentence are untrusted. */
export function pagerSentence<Reason extends PagerProblem['reason']>(problem: ProblemOf<Reason>): string {
	const reason: Reason = problem.reason;
	return sentences[reason](problem);
}

function isExecutable(path: string): boolean {
	try {
		accessSync(path, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}

function startProblem(program: string, error: NodeJS.ErrnoException): ProgramProblem {
	if (error.code === 'ENOENT') return {reason: 'not_found', program};
	return error.code === 'EACCES' ? {reason: 'not_permitted', program} : {reason: 'io', detail: error.message};
}

/**
A program that shows a text, with its environment. `instead` is the name of the user's pager if less replaces it,
because that pager would send control characters to the terminal.
*/
type Pager = {readonly program: Program; readonly env: Env; readonly instead?: string};

/** The reasons why no pager is available. `pagerSentence` returns a sentence for each reason. */
type PagerProblem =
	| {readonly reason: 'none'}
	| {readonly reason: 'raw'; readonly program: string}
	| {readonly reason: 'quotes'; readonly command: string}
	| ProgramProblem;

type ProblemOf<Reason extends PagerProblem['reason']> = {
	readonly [Each in Reason]: ProblemMap[Each] & {readonly reason: Each};
}[Reason];

type ProblemMap = {readonly [Each in PagerProblem as Each['reason']]: Each};

const sentences: {readonly [Reason in PagerProblem['reason']]: (problem: ProblemOf<Reason>) => string} = {
	none: () => noPager,
	raw: ({program}) => passesControls(program),
	quotes: ({command}) => unreadableCommand('pager', command),
	not_found: ({program}) => programNotFound('pager', program),
	not_permitted: ({program}) => notPermitted('pager', program),
	failed: ended => programFailed('pager', ended),
	io: ({detail}) => notHandedOver('pager', detail),
};

/**
Tells whether a text contains no control characters that affect a terminal. Tabs and newlines are allowed, because every
pager shows them safely.
*/
function isInert(text: string): boolean {
	return !/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ud800-\udfff]/u.test(text);
}

/**
The characters that inkpod tells a recent version of less to show as numbers: bidi controls, tags and other invisible
characters. Characters with a legitimate use (joiners, direction marks, emoji selectors) are not in this list, because
less cannot tell when their use is legitimate.
*/
const shownByNumber = [
	'AD',
	'34F',
	'115F-1160',
	'17B4-17B5',
	'200B',
	'2028-202E',
	'2060-206F',
	'3164',
	'FE00-FE0D',
	'FEFF',
	'FFA0',
	'FFF0-FFFB',
	'1BCA0-1BCA3',
	'1D173-1D17A',
	'E0000-E0FFF',
]
	.map(range => `${range}:b`)
	.join(',');

/**
Configures less: no raw output, no early exit, no preprocessor, and a character set that shows controls in a visible
form. The less of Busybox does not have these options and does not need them.
*/
async function inertLess([program, ...args]: Program, env: Env): Promise<Pager> {
	const real = await realpath(program).catch(() => program);
	const resets = basename(real) === 'busybox' ? [] : ['-+R', '-+r', '-+F', '-+E', '-+e'];
	const {LESS: _options, LESSOPEN: _open, LESSCLOSE: _close, LESSCHARSET: _set, LESSCHARDEF: _def, ...rest} = env;
	return {program: [program, ...args, ...resets], env: {...rest, LESSUTFCHARDEF: shownByNumber}};
}
