import {inLanguage} from '../language/index.ts';
import {
	errorCode,
	failureOf,
	failureSentence,
	findProject,
	findText,
	homeProblem,
	listAllSessions,
	listSessions,
	liveSessions,
	projectDir,
	sessionsRoot,
	sessionStates,
	type Env,
	type LiveSession,
	type ProjectOptions,
	type SessionState,
	type SessionSummary,
	type TextHit,
} from '../pod/index.ts';
import {sanitizeLine} from '../tui/text/sanitize.ts';
import {cut, pad} from '../tui/text/width.ts';
import {columnWidths} from './output/column-widths.ts';
import {inertJson} from './output/inert-json.ts';
import {age, forkOf, noSessions, noSessionsHere, size, stateWords} from './texts.ts';

/** `process.stdout`, or a stub in tests. */
export type Output = {readonly write: (text: string) => unknown};

export type SessionsOptions = ProjectOptions & {
	readonly json: boolean;
	/** If true, the sessions of all projects are listed. */
	readonly all?: boolean;
	/** If true, the sessions that need an answer come first, and then the other open ones. */
	readonly needs?: boolean;
	/** Only the sessions that contain this text. */
	readonly search?: string;
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
	needs = false,
	search,
	env,
	stdout,
	stderr,
	now = Date.now(),
	...where
}: SessionsOptions): Promise<number> {
	const root = sessionsRoot(env);
	const problem = await homeProblem(env);
	const refuse = (sentence: string, code: number) => {
		stderr.write(`inkpod: ${sanitizeLine(inLanguage(sentence))}\n`);
		return code;
	};
	if (problem !== undefined) return refuse(problem, 2);
	try {
		const project = all ? undefined : await findProject(where, env);
		if (project?.ok === false) return refuse(project.sentence, 2);
		const [listed, live] = await Promise.all([
			project === undefined ? listAllSessions(root) : listSessions(projectDir(root, project.manifest.pwd)),
			liveSessions(env),
		]);
		const states = listed.map(session => withState(session, live));
		const sorted = needs ? states.toSorted(byNeed) : states;
		const found = search === undefined ? sorted : await withText(sorted, search);
		stdout.write(
			json ? `${inertJson(found, 2)}\n` : table(found, {all, hasStates: needs || found.some(isOpen), now}),
		);
		return 0;
	} catch (error) {
		if (errorCode(error) === '') throw error;
		return refuse(failureSentence(failureOf(error), root, error), 1);
	}
}

/** Returns sessions of any project as a table. */
export function sessionTable(sessions: readonly SessionSummary[], now: number): string {
	return table(
		sessions.map(session => ({...session, state: 'ended'})),
		{all: true, hasStates: false, now},
	);
}

/** A session with its state. An `ended` one is not open in any process that others can attach to. */
type Listed = SessionSummary & {readonly state: SessionState; readonly hit?: TextHit};

/** Returns the sessions that contain a text, each with its first place. */
async function withText(sessions: readonly Listed[], text: string): Promise<readonly Listed[]> {
	const found: Listed[] = [];
	const {signal} = new AbortController();
	for (const session of sessions) {
		const hit = session.problem === undefined ? await findText(session.dir, text, signal) : undefined;
		if (hit !== undefined) found.push({...session, hit});
	}
	return found;
}

function withState(session: SessionSummary, live: ReadonlyMap<string, LiveSession>): Listed {
	const open = live.get(session.id);
	return {...session, state: open === undefined ? 'ended' : (open.state ?? 'idle')};
}

function isOpen({state}: Listed): boolean {
	return state !== 'ended';
}

function byNeed(one: Listed, other: Listed): number {
	return sessionStates.indexOf(one.state) - sessionStates.indexOf(other.state);
}

type Columns = {readonly all: boolean; readonly hasStates: boolean; readonly now: number};

function table(found: readonly Listed[], {all, hasStates, now}: Columns): string {
	if (found.length === 0) return `${all ? noSessions : noSessionsHere}\n`;
	const idLength = uniqueLength(found.map(({id}) => id));
	const rows = found.map(session => [
		session.id.slice(0, idLength),
		...(hasStates ? [stateWords[session.state]] : []),
		age(now - Date.parse(session.changed)),
		size(session.bytes),
		summaryOf(session, idLength),
		all ? cellOf(session.cwd ?? '') : '',
	]);
	const widths = columnWidths(rows, hasStates ? 5 : 4).map(size => Math.min(maxColumns, size));
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

function summaryOf({words: first, title, hit, problem, forkOf: original}: Listed, idLength: number): string {
	if (problem !== undefined) return sanitizeLine(inLanguage(problem));
	if (hit !== undefined) return cellOf(`${hit.before}${hit.match}${hit.after}`);
	const words = title ?? first;
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
