import {
	allFound,
	errorCode,
	failureOf,
	failureSentence,
	findProject,
	foundIn,
	homeProblem,
	listAllSessions,
	listSessions,
	modelFacts,
	pricesOf,
	projectDir,
	readFacts,
	sessionRecords,
	sessionsRoot,
	type Env,
	type PricesOf,
	type ProjectOptions,
	type SessionSummary,
} from '../../pod/index.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import {inertJson, type Output} from '../output/output.ts';
import {exitCodeOf} from '../output/signals.ts';
import type {RecordKind} from '../start/launch.ts';

type RecordsOptions = ProjectOptions & {
	readonly kind: RecordKind;
	/** Only records at or after this time (ISO, in UTC). */
	readonly since?: string | undefined;
	/** If true, the records of all projects are printed. */
	readonly all: boolean;
	readonly env: Env;
	/** Calls `done` when it can take more text, or when nobody reads it any more. */
	readonly stdout: {write(text: string, done: () => void): unknown};
	readonly stderr: Output;
	/** Aborts with an `ExitReason` when nobody reads the output any more. */
	readonly exit: AbortSignal;
};

/**
Implements `inkpod records`: prints records of a kind, one JSON object per line, the oldest session first. It only
reads. The exit code is 0, 1 if a session is damaged, or 2 for bad usage or configuration.
*/
export async function printRecords(options: RecordsOptions): Promise<number> {
	const {kind, all, env, stderr, exit, ...where} = options;
	const root = sessionsRoot(env);
	const refuse = (sentence: string, code: number) => {
		stderr.write(`inkpod: ${sanitizeLine(sentence)}\n`);
		return code;
	};
	const problem = await homeProblem(env);
	if (problem !== undefined) return refuse(problem, 2);
	try {
		const project = all ? undefined : await findProject(where, env);
		if (project?.ok === false) return refuse(project.sentence, 2);
		const folder = project === undefined ? undefined : projectDir(root, project.manifest.pwd);
		const lines = createLines(options);
		let problems = 0;
		const onProblem = (sentence: string) => {
			problems += 1;
			refuse(sentence, 1);
		};
		const printing = {...options, root, folder, lines, onProblem};
		await (kind === 'sessions' ? printSessions(printing) : printItems(printing, kind));
		await lines.flush();
		if (exit.aborted) return exitCodeOf(exit);
		return problems === 0 ? 0 : 1;
	} catch (error) {
		if (errorCode(error) === '') throw error;
		return refuse(failureSentence(failureOf(error), root, error), 1);
	}
}

/** Collects lines, so that many short lines are one write. */
type Lines = {
	readonly add: (value: object) => void;
	/** Writes the lines, and waits until the reader has taken them. Resolves with `false` if nobody reads them. */
	readonly flush: () => Promise<boolean>;
	/** Does the same, but only if there are many lines. */
	readonly flushMany: () => Promise<boolean>;
};

function createLines({stdout, exit}: Pick<RecordsOptions, 'stdout' | 'exit'>): Lines {
	let text = '';
	const flush = async () => {
		const taken = text;
		text = '';
		if (taken !== '' && !exit.aborted) await new Promise<void>(resolve => stdout.write(taken, resolve));
		return !exit.aborted;
	};
	return {
		add(value) {
			text += `${inertJson(value)}\n`;
		},
		flush,
		flushMany: async () => (text.length < manyChars ? !exit.aborted : flush()),
	};
}

type Printing = RecordsOptions & {
	readonly root: string;
	/** The folder of one project, or `undefined` for all projects. */
	readonly folder: string | undefined;
	readonly lines: Lines;
	readonly onProblem: (sentence: string) => void;
};

/** Prints what `inkpod sessions --json` prints of each session. */
async function printSessions({root, folder, since = '', env, lines, onProblem}: Printing): Promise<void> {
	const listed = await (folder === undefined ? listAllSessions(root) : listSessions(folder));
	const models = await modelFacts(env);
	const {signal} = new AbortController();
	for (const session of listed.filter(({changed}) => changed >= since).toSorted(byId)) {
		const {id, problem, factsAreOld, ...rest} = session;
		if (problem !== undefined) onProblem(problem);
		const isOld = factsAreOld === true && problem === undefined;
		const facts = isOld ? ((await readFacts(session.dir, signal, models)).facts ?? session.facts) : session.facts;
		lines.add({session: id, ...rest, facts, problem});
		if (!(await lines.flushMany())) return;
	}
}

/**
Prints the sessions in their order, and reads ahead meanwhile, because a disk is faster if it gets several requests.
*/
async function printItems(printing: Printing, kind: Exclude<RecordKind, 'sessions'>): Promise<void> {
	const {root, folder, since, env, lines, exit, onProblem} = printing;
	const found = (await (folder === undefined ? allFound(root) : foundIn(folder))).toSorted(byId);
	const prices = await pricesFor(env);
	const begin = (dir: string) =>
		readAhead(lines, exit, async reading => sessionRecords(dir, {kind, since, prices, onProblem, ...reading}));
	const begun: ReadAhead[] = [];
	for (const next of [...found, ...Array.from({length: maxAhead}, () => undefined)]) {
		if (next !== undefined) begun.push(begin(next.dir));
		if (begun.length === maxAhead || next === undefined) await begun.shift()?.print();
		if (exit.aborted) break;
	}
	await Promise.all(begun.map(async reading => reading.print()));
}

type ReadAhead = {
	/** Prints what was read so far, and the rest. */
	readonly print: () => Promise<void>;
};

type Reading = {readonly onRecord: (record: object) => void; readonly onPause: () => Promise<boolean>};

/** Begins to read a session. Until it is its turn to be printed, only a limited number of its records is read. */
function readAhead(lines: Lines, exit: AbortSignal, read: (reading: Reading) => Promise<void>): ReadAhead {
	const turn = Promise.withResolvers<void>();
	let waiting: object[] | undefined = [];
	const done = read({
		onRecord(record) {
			if (waiting === undefined) lines.add(record);
			else waiting.push(record);
		},
		async onPause() {
			if (waiting === undefined) return lines.flushMany();
			if (waiting.length > 0) await turn.promise;
			return !exit.aborted;
		},
	});
	// An error is reported when the session is printed.
	done.catch(() => {});
	return {
		async print() {
			waiting?.forEach(record => lines.add(record));
			waiting = undefined;
			turn.resolve();
			await done;
			await lines.flushMany();
		},
	};
}

async function pricesFor(env: Env): Promise<PricesOf> {
	const facts = await modelFacts(env);
	const known = new Map<string, ReturnType<PricesOf>>();
	return model => {
		const prices = known.get(model) ?? pricesOf([model], [], facts);
		known.set(model, prices);
		return prices;
	};
}

function byId(one: Pick<SessionSummary, 'id'>, other: Pick<SessionSummary, 'id'>): number {
	return one.id < other.id ? -1 : Number(one.id > other.id);
}

/** The number of sessions that are read at the same time. */
const maxAhead = 8;

/** The number of characters that are written at once. */
const manyChars = 65_536;
