import {spawn, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {accessSync, constants, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {isAbsolute, join} from 'node:path';

export type Env = Readonly<Record<string, string | undefined>>;

/** The user's programs. */
export type Programs = {
	/** The environment that the programs inherit. */
	readonly env: Env;
	/** Returns the absolute path of a program by its name. It never returns a program in the project. */
	readonly find: (name: string) => string | undefined;
};

/** A program, and its arguments before the file. */
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
Returns the program that the user's words name: an absolute path, or the name of an installed program. The words are
split as in a shell, with quotes and backslashes, but no variables are expanded and no commands are run. If all the
words together are the path of a program, that program is returned.
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

/** Splits a command into words. Returns `undefined` for an unclosed quote. */
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

/** A text in a file of its own while a program uses it. Nobody else may read the file. */
export type LentFile = {
	readonly path: string;
	/**
	Resolves when the program has ended, without a problem if it succeeded. Meanwhile the program has the terminal.
	`env` is the environment that it inherits.
	*/
	run(program: Program, env: Env): Promise<ProgramProblem | undefined>;
	/** Tells whether the file has other contents than before, or is no longer a file. */
	isChanged(): boolean;
	/** Ends the program if it still runs, and deletes the file. */
	dispose(): void;
};

/** Writes a text to a file as UTF-8. Throws the system's error. */
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
