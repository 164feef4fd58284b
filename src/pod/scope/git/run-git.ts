import type {Env} from '../../ground/env/env.ts';
import {gitTexts} from './texts.ts';
import type {GitConfigEntry} from '../git-config-text.ts';
import {onOneLine} from '../../ground/text/one-line.ts';

export type GitRun =
	| {readonly type: 'done'; readonly output: Buffer}
	/** `complaint` is the first line of git's errors. */
	| {readonly type: 'failed'; readonly complaint: string}
	/** `output` is the beginning of the output. git was stopped because the output is too long. */
	| {readonly type: 'too_long'; readonly output: Buffer}
	| {readonly type: 'timeout'}
	| {readonly type: 'not_started'};

type RunOptions = {
	readonly cwd: string;
	/** The complete environment of git. */
	readonly env: Env;
	readonly maxBytes: number;
	readonly input?: string | Uint8Array | undefined;
	/** The maximum duration in milliseconds. The default is `usualMs`. */
	readonly maxMs?: number | undefined;
	/** The maximum memory of git's data, in kilobytes. The default is `usualData`. */
	readonly maxData?: number | undefined;
};

/**
The maximum duration of one run in milliseconds. A limit is needed because a file of a hostile repository may be a FIFO.
*/
const usualMs = 10_000;

/**
The maximum memory of git's data, in kilobytes. git reads some files to their end, and in a hostile repository such a
file may be a link to a device without an end. Packs do not count, because git only maps them.
*/
const usualData = 2 * 1024 * 1024;

/** The maximum size of git's errors and warnings, in bytes. git may write one for each file. */
const maxComplaints = 4 * 1024 * 1024;

/**
Runs git without a terminal or a pager. A shell sets the memory limit and then becomes git. The promise never rejects
because of git. Only `own-git.ts` calls this function.
*/
export async function runGit(git: string, args: readonly string[], options: RunOptions): Promise<GitRun> {
	const {execa} = await import('execa');
	const {cwd, env, maxBytes, input, maxMs = usualMs, maxData = usualData} = options;
	const limited = ['-c', limitScript, 'inkpod', String(maxData), git];
	const ended = await execa('/bin/sh', [...limited, '--no-pager', ...args], {
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

const limitScript = 'ulimit -d "$1" 2>/dev/null; shift; exec "$@"';

/** Returns a sentence that tells why a run has no result. */
export function whyFailed(run: GitRun): string {
	if (run.type === 'timeout') return gitTexts.timeout;
	return run.type === 'failed' ? gitTexts.failed(run.complaint) : gitTexts.notStarted;
}

/**
Reads the format of a repository from its configuration. For a format that inkpod does not know, returns a sentence.
*/
export function readFormat(entries: readonly GitConfigEntry[]): Format {
	const isVersion = ({key, subsection}: GitConfigEntry) =>
		key === 'core.repositoryformatversion' && subsection === undefined;
	const version = entries.findLast(isVersion)?.value ?? '0';
	if (!/^[01]$/.test(version)) return unknown('core.repositoryformatversion', version);
	const extensions = entries.filter(({key}) => key.startsWith('extensions.'));
	const values = new Map<string, string>();
	for (const {key, subsection, value} of extensions) {
		const name = key.slice('extensions.'.length);
		const allowed = subsection === undefined ? known[name] : undefined;
		if (allowed?.test(value) === true) values.set(name, value.toLowerCase());
		// In format version 0, git ignores unknown extensions.
		else if (version === '1' || allowed !== undefined) return unknown(key, value);
	}
	return {
		ok: true,
		isSha256: values.get('objectformat') === 'sha256',
		hasWorktreeConfig: /^(?:true|yes|on|1)$/.test(values.get('worktreeconfig') ?? ''),
	};
}

function firstLine(text: string): string {
	return (text.split('\n', 1)[0] ?? '').slice(0, 300).trim();
}

type Format =
	| {
			readonly ok: true;
			readonly isSha256: boolean;
			/** Whether git reads `config.worktree`. */ readonly hasWorktreeConfig: boolean;
	  }
	| {readonly ok: false; readonly sentence: string};

function unknown(key: string, value: string): Format {
	return {ok: false, sentence: gitTexts.unknownFormat(onOneLine(`${key} = ${value}`.slice(0, 100)))};
}

/** The extensions that inkpod supports, with patterns for their values. */
const known: Readonly<Record<string, RegExp>> = {
	objectformat: /^sha(?:1|256)$/i,
	refstorage: /^files$/i,
	worktreeconfig: /^(?:true|false|yes|no|on|off|[01]?)$/i,
	relativeworktrees: /^(?:true|false|yes|no|on|off|[01]?)$/i,
	preciousobjects: /^(?:true|false|yes|no|on|off|[01]?)$/i,
	// Missing objects stay missing, because inkpod does not fetch objects.
	partialclone: /^/,
	noop: /^/,
	'noop-v1': /^/,
};
