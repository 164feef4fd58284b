import type {Env} from '../../ground/env/env.ts';
import {gitTexts} from './texts.ts';

export type GitRun =
	| {readonly type: 'done'; readonly output: Buffer}
	/** `complaint` is the first line of git's errors. */
	| {readonly type: 'failed'; readonly complaint: string}
	/** `output` is the beginning of the output. git was stopped. */
	| {readonly type: 'too_long'; readonly output: Buffer}
	| {readonly type: 'timeout'}
	| {readonly type: 'not_started'};

type RunOptions = {
	readonly cwd: string;
	/** The whole environment. */
	readonly env: Env;
	readonly maxBytes: number;
	readonly input?: string | Uint8Array | undefined;
	/** The maximum duration in milliseconds, if it is not the usual one. */
	readonly maxMs?: number | undefined;
};

/** The maximum duration of one run. A file of a hostile repository may be a FIFO. */
const usualMs = 10_000;
/** The maximum size of git's errors and warnings. There may be one for each file. */
const maxComplaints = 4 * 1024 * 1024;

/** Runs git without a shell, a terminal or a pager. It never rejects because of git. Only `own-git.ts` calls this. */
export async function runGit(git: string, args: readonly string[], options: RunOptions): Promise<GitRun> {
	const {execa} = await import('execa');
	const {cwd, env, maxBytes, input, maxMs = usualMs} = options;
	const ended = await execa(git, ['--no-pager', ...args], {
		cwd,
		env,
		extendEnv: false,
		...(input === undefined ? {stdin: 'ignore'} : {input}),
		encoding: 'buffer',
		stripFinalNewline: false,
		maxBuffer: {stdout: maxBytes, stderr: maxComplaints},
		timeout: maxMs,
		killSignal: 'SIGKILL',
		reject: false,
	});
	const output = Buffer.from(ended.stdout);
	if (ended.isMaxBuffer && output.length >= maxBytes) return {type: 'too_long', output};
	if (ended.timedOut) return {type: 'timeout'};
	const complaint = firstLine(Buffer.from(ended.stderr.subarray(0, 4096)).toString());
	if (ended.exitCode === undefined) return complaint === '' ? {type: 'not_started'} : {type: 'failed', complaint};
	return ended.exitCode === 0 ? {type: 'done', output} : {type: 'failed', complaint};
}

/** Returns a sentence about a run without a result. */
export function whyFailed(run: GitRun): string {
	if (run.type === 'timeout') return gitTexts.timeout;
	return run.type === 'failed' ? gitTexts.failed(run.complaint) : gitTexts.notStarted;
}

function firstLine(text: string): string {
	return (text.split('\n', 1)[0] ?? '').slice(0, 300).trim();
}
