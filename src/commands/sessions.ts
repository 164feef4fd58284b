import {
	errorCode,
	failureOf,
	failureSentence,
	findProject,
	homeProblem,
	listAllSessions,
	listSessions,
	projectDir,
	sessionsRoot,
	type Env,
	type ProjectOptions,
	type SessionSummary,
} from '../pod/index.ts';
import {sanitizeLine} from '../tui/text/sanitize.ts';
import {cut, pad, width} from '../tui/text/width.ts';
import {inertJson} from './output/inert-json.ts';

/** What is written to: process.stdout or a test. */
export type Output = {readonly write: (text: string) => unknown};

export type SessionsOptions = ProjectOptions & {
	readonly json: boolean;
	/** Of every project, not only of the one that is worked in. */
	readonly all?: boolean;
	readonly env: Env;
	readonly stdout: Output;
	readonly stderr: Output;
	/** Milliseconds since the epoch; now when absent. */
	readonly now?: number;
};

/**
`inkpod sessions`: lists the sessions of a project, the last changed first. Changes nothing. Answers the exit code.
*/
export async function sessions({
	json,
	all = false,
	env,
	stdout,
	stderr,
	now = Date.now(),
	...where
}: SessionsOptions): Promise<number> {
	const root = sessionsRoot(env);
	const problem = await homeProblem(env);
	const refuse = (sentence: string, code: number) => {
		stderr.write(`inkpod: ${sanitizeLine(sentence)}\n`);
		return code;
	};
	if (problem !== undefined) return refuse(problem, 2);
	try {
		const project = all ? undefined : await findProject(where, env);
		if (project?.ok === false) return refuse(project.sentence, 2);
		const found =
			project === undefined
				? await listAllSessions(root)
				: await listSessions(projectDir(root, project.manifest.pwd));
		stdout.write(json ? `${inertJson(found, 2)}\n` : table(found, all, now));
		return 0;
	} catch (error) {
		if (errorCode(error) === '') throw error;
		return refuse(failureSentence(failureOf(error), root, error), 1);
	}
}

function table(found: readonly SessionSummary[], all: boolean, now: number): string {
	if (found.length === 0)
		return all
			? 'There are no sessions yet.\n'
			: 'There are no sessions of this directory. inkpod sessions --all lists those of every directory.\n';
	const idLength = uniqueLength(found.map(({id}) => id));
	const rows = found.map(session => [
		session.id.slice(0, idLength),
		age(now - Date.parse(session.changed)),
		size(session.bytes),
		said(session, idLength),
		all ? cellOf(session.cwd ?? '') : '',
	]);
	const widths = [0, 1, 2, 3].map(column => Math.min(maxColumns, Math.max(...rows.map(row => width(row[column]!)))));
	return rows
		.map(
			row =>
				`${row
					.map((cell, column) => pad(cell, widths[column] ?? 0))
					.join('  ')
					.trimEnd()}\n`,
		)
		.join('');
}

function said({words, problem, forkOf}: SessionSummary, idLength: number): string {
	if (problem !== undefined) return sanitizeLine(problem);
	return cellOf(forkOf === undefined ? words : `${words} (fork of ${forkOf.slice(0, idLength)})`);
}

function cellOf(text: string): string {
	return cut(sanitizeLine(text), maxColumns, '…');
}

/** How much of an id tells it from the others. */
function uniqueLength(ids: readonly string[]): number {
	const sorted = ids.toSorted();
	const shared = sorted.map((id, at) => {
		const next = sorted[at + 1] ?? '';
		let length = 0;
		while (length < next.length && id[length] === next[length]) length += 1;
		return length;
	});
	return Math.max(shortestId, ...shared.map(length => length + 1));
}

function age(ms: number): string {
	for (const [unit, name] of units) if (ms >= unit) return `${Math.floor(ms / unit)} ${name} ago`;
	return 'just now';
}

function size(bytes: number): string {
	for (const [unit, name] of sizes) if (bytes >= unit) return `${(bytes / unit).toFixed(1)} ${name}`;
	return `${bytes} B`;
}

const units = [
	[86_400_000, 'd'],
	[3_600_000, 'h'],
	[60_000, 'min'],
] as const;
const sizes = [
	[1_000_000_000, 'GB'],
	[1_000_000, 'MB'],
	[1000, 'kB'],
] as const;
const shortestId = 8;
const maxColumns = 72;
