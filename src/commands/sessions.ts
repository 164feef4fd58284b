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
import {cut, pad} from '../tui/text/width.ts';
import {columnWidths} from './output/column-widths.ts';
import {inertJson} from './output/inert-json.ts';
import {age, forkOf, noSessions, noSessionsHere, size} from './texts.ts';

/** `process.stdout`, or a stub in tests. */
export type Output = {readonly write: (text: string) => unknown};

export type SessionsOptions = ProjectOptions & {
	readonly json: boolean;
	/** If true, the sessions of all projects are listed. */
	readonly all?: boolean;
	readonly env: Env;
	readonly stdout: Output;
	readonly stderr: Output;
	/** The current time in milliseconds since the epoch; tests set it. */
	readonly now?: number;
};

/**
Implements `inkpod sessions`: lists the sessions of a project, newest first. The command only reads. It returns the exit
code.
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
	if (found.length === 0) return `${all ? noSessions : noSessionsHere}\n`;
	const idLength = uniqueLength(found.map(({id}) => id));
	const rows = found.map(session => [
		session.id.slice(0, idLength),
		age(now - Date.parse(session.changed)),
		size(session.bytes),
		summaryOf(session, idLength),
		all ? cellOf(session.cwd ?? '') : '',
	]);
	const widths = columnWidths(rows, 4).map(size => Math.min(maxColumns, size));
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

function summaryOf({words, problem, forkOf: original}: SessionSummary, idLength: number): string {
	if (problem !== undefined) return sanitizeLine(problem);
	return cellOf(original === undefined ? words : forkOf(words, original.slice(0, idLength)));
}

function cellOf(text: string): string {
	return cut(sanitizeLine(text), maxColumns, '…');
}

/** Returns the shortest length at which all ids differ. */
function uniqueLength(ids: readonly string[]): number {
	const sorted = ids.toSorted();
	return sorted.reduce((longest, id, at) => {
		const next = sorted[at + 1] ?? '';
		let length = 0;
		while (length < next.length && id[length] === next[length]) length += 1;
		return Math.max(longest, length + 1);
	}, minIdLength);
}

const minIdLength = 8;
const maxColumns = 72;
