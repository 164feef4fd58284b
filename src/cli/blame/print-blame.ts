import {realpath} from 'node:fs/promises';
import {resolve} from 'node:path';
import {
	blame,
	errorCode,
	findProject,
	homeProblem,
	ownersOf,
	projectDir,
	sessionsRoot,
	type BlamedLine,
	type Env,
	type ProjectOptions,
} from '../../pod/index.ts';
import {sanitize, sanitizeLine} from '../../text/sanitize.ts';
import {cut, pad} from '../../text/width.ts';
import {columnWidths, inertJson, type Output} from '../output/output.ts';
import {agentTrace, type BlamedRange, type LineRange} from './agent-trace.ts';
import {blameTexts} from './texts.ts';

type PrintBlameOptions = ProjectOptions & {
	readonly file: string;
	/** The first and the last line, from 1. */
	readonly range?: LineRange | undefined;
	readonly rev?: string | undefined;
	readonly format: 'text' | 'json' | 'agent-trace';
	readonly version: string;
	readonly env: Env;
	readonly stdout: Output;
	readonly stderr: Output;
};

/**
Implements `inkpod blame`: prints which call of which session wrote each line of a file. It only reads. The exit code is
0, 1 if the file cannot be blamed or a session is damaged, or 2 for bad usage or configuration.
*/
export async function printBlame(options: PrintBlameOptions): Promise<number> {
	const {file, rev, env, range, format, version, stdout, stderr, cwd = '.', trustOwner = false} = options;
	const refuse = (sentence: string, code: number) => {
		stderr.write(`inkpod: ${sanitizeLine(sentence)}\n`);
		return code;
	};
	const problem = await homeProblem(env);
	if (problem !== undefined) return refuse(problem, 2);
	const project = await findProject(options, env);
	if (!project.ok) return refuse(project.sentence, 2);
	const {pwd} = project.manifest;
	const found = await blame({
		file: await realPath(resolve(cwd, file)),
		pwd,
		sessions: projectDir(sessionsRoot(env), pwd),
		revision: rev,
		owners: ownersOf(env, [], {place: {cwd: pwd, trustOwner}}),
		env,
	});
	if (!found.ok) return refuse(found.sentence, 1);
	const {lines} = found;
	const {from, to} = {from: 1, to: lines.length, ...range};
	if (range !== undefined && from > lines.length) return refuse(blameTexts.linesMissing(file, lines.length), 1);
	const ranges = rangesOf(lines.slice(from - 1, to), from);
	if (format === 'agent-trace') stdout.write(`${inertJson(agentTrace(ranges, found, version), 2)}\n`);
	else if (format === 'json') stdout.write(ranges.map(each => `${inertJson(asJson(each, found.path))}\n`).join(''));
	else stdout.write(asText(ranges));
	for (const sentence of found.problems) refuse(sentence, 1);
	return found.problems.length === 0 ? 0 : 1;
}

/** Follows links as far as the path exists. The file may be only in a commit. */
async function realPath(path: string): Promise<string> {
	return realpath(path).catch((cause: unknown) => {
		if (errorCode(cause) === '') throw cause;
		return path;
	});
}

function rangesOf(lines: readonly BlamedLine[], first: number): readonly BlamedRange[] {
	const ranges: Array<{from: number; to: number; lines: BlamedLine[]; origin: BlamedLine}> = [];
	for (const [index, line] of lines.entries()) {
		const last = ranges.at(-1);
		if (last !== undefined && keyOf(last.origin) === keyOf(line)) {
			last.to += 1;
			last.lines.push(line);
		} else ranges.push({from: first + index, to: first + index, lines: [line], origin: line});
	}
	return ranges;
}

function keyOf({changes, commit, isCertain}: BlamedLine): string {
	return [isCertain ? '' : '?', commit?.commit ?? '', ...changes.map(({session, item}) => `${session} ${item}`)].join(
		' ',
	);
}

function asJson({from, to, lines, origin}: BlamedRange, path: string): object {
	const {changes, commit, isCertain} = origin;
	const outside = commit === undefined ? 'unknown' : 'commit';
	const certain = changes.length === 0 ? outside : 'session';
	const by = isCertain ? certain : 'undecided';
	const calls = changes.map(({session, turn, prompt, item, at, model, tool, title}) => ({
		session,
		title: title(),
		turn,
		prompt,
		item,
		at,
		model,
		tool,
	}));
	return {path, from, to, by, ...(calls.length > 0 && {calls}), commit, lines: lines.map(({text}) => text)};
}

/** Aligns the columns as `git blame` does: the session, the words of the turn, the number of the line, and its text. */
function asText(ranges: readonly BlamedRange[]): string {
	const rows = ranges.flatMap(({from, lines, origin}) => {
		const [name, words] = wordsOf(origin);
		return lines.map(({text}, index) => [name, words, String(from + index), text] as const);
	});
	const [names = 0, words = 0, numbers = 0] = columnWidths(rows, 3);
	return rows
		.map(([name, told, number, text]) =>
			`${pad(name, names)} ${pad(told, words)} ${number.padStart(numbers)}) ${sanitizeLine(text)}`.trimEnd(),
		)
		.map(row => `${row}\n`)
		.join('');
}

function wordsOf({changes, commit, isCertain}: BlamedLine): readonly [string, string] {
	const [first, ...others] = changes;
	if (first !== undefined) {
		const name = first.title() ?? first.session.slice(0, shortId);
		const words = shown(first.prompt, maxWords);
		const count = others.length > 0 ? others.length : 1;
		return [shown(name, maxName), isCertain ? words : `${words} (${blameTexts.orOthers(count)})`];
	}
	if (commit !== undefined) return [commit.commit.slice(0, shortId), shown(commit.subject, maxWords)];
	return [blameTexts.unknown, ''];
}

function shown(text: string, columns: number): string {
	return cut(sanitize(text).trim().split('\n', 1)[0]?.replaceAll('\t', ' ') ?? '', columns, '…');
}

/** The number of characters of a session's id that say when it began. `inkpod -r` finds it with them. */
const shortId = 10;

const maxName = 24;
const maxWords = 32;
