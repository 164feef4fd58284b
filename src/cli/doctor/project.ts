import {
	inspectInstructions,
	inspectMcp,
	inspectWorkflows,
	type Env,
	type InspectOptions,
	type Owners,
	childEnv,
	findConfinement,
	findProgram,
	findRipgrep,
	homeOf,
	isProgram,
	noCellsTexts,
	remedies,
	shellOf,
	stateHome,
	unconfinableTexts,
	whyNoCells,
} from '../../pod/index.ts';
import type {Fact} from './environment.ts';
import {
	mcpFromProject,
	workflowCount,
	noClipboard,
	noEditor,
	programMissing,
	ripgrepMissing,
	unclosedQuote,
	withoutCells,
	withoutProgram,
} from './texts.ts';
import {t} from '../../language/index.ts';
import {isAbsolute, join} from 'node:path';
import {clipboardPrograms} from '../../screen/terminal/clipboard/clipboard-programs.ts';
import {editorProblemSentence, findEditor, type EditorCommand} from '../../screen/terminal/editor-program.ts';
import type {Programs} from '../../screen/terminal/program.ts';

/** Counts the workflows of a session in this directory, and lists broken workflows and warnings. */
export async function workflowFacts(options: InspectOptions): Promise<Fact[]> {
	const {workflows, warnings} = await inspectWorkflows(options);
	const own = workflows.filter(({source}) => source !== 'shipped');
	const broken = own.filter(({error}) => error !== undefined);
	return [
		{about: 'workflows', level: 'ok', text: workflowCount(own.length - broken.length)},
		...broken.map(({file, error}): Fact => ({about: 'workflows', level: 'broken', text: `${file}: ${error}`})),
		...warnings.map((text): Fact => ({about: 'workflows', level: 'note', text})),
	];
}

/** Lists the MCP servers of a session in this directory. It does not start them. */
export async function mcpFacts(pwd: string, env: Env, owners?: Owners): Promise<Fact[]> {
	const {entries, broken, problems, remarks} = await inspectMcp(pwd, env, owners);
	const fact =
		(level: Fact['level']) =>
		(text: string): Fact => ({about: 'mcp', level, text});
	return [
		...entries.map(({name, source, target}) =>
			fact('ok')(`${name}: ${target}${source === 'project' ? ` (${mcpFromProject})` : ''}`),
		),
		...[...problems, ...broken.map(({sentence}) => sentence)].map(fact('broken')),
		...remarks.map(fact('note')),
		...entries.flatMap(entry => entry.remarks.map(remark => fact('note')(`${entry.name}: ${remark}`))),
	];
}

/** Lists the instruction files that a session in this directory would read or skip, with reasons. */
export async function instructionFacts(options: InspectOptions): Promise<Fact[]> {
	const found = await inspectInstructions(options);
	return found.map(each =>
		'file' in each
			? {about: 'AGENTS.md', level: 'ok', text: each.file}
			: {about: 'AGENTS.md', level: 'note', text: each.warning},
	);
}

/** Lists the programs that inkpod calls, and says what does not work without them. It does not run them. */
export async function programFacts(pwd: string | undefined, env: Env): Promise<Fact[]> {
	const programs = {env, find: (name: string) => findProgram(name, env['PATH'], pwd)};
	return [
		ripgrepFact(pwd, env),
		await confinementFact(pwd, env),
		editorFact(programs),
		pagerFact(programs),
		clipboardFact(programs),
		shellFact(programs),
	];
}

function ripgrepFact(pwd = '/', env: Env): Fact {
	const found = findRipgrep(env['PATH'], {pwd, writable: false, readRoots: [], home: homeOf(env)});
	return found === undefined
		? {
				about: 'ripgrep',
				level: 'note',
				text: ripgrepMissing,
			}
		: {about: 'ripgrep', level: 'ok', text: found};
}

/**
Tests whether commands in this project can be confined and get a layer over the project. Every session does the same
test. It changes nothing in the project.
*/
async function confinementFact(pwd: string | undefined, env: Env): Promise<Fact> {
	const settings = {mode: 'auto', isDefault: true} as const;
	const scope = {pwd: pwd ?? '/', writable: false, readRoots: []};
	const found = await findConfinement({settings, scope, env});
	if (!found.ok) {
		const {reason, detail} = found;
		return {
			about: 'confinement',
			level: 'note',
			text: `${unconfinableTexts[reason](t, detail)} ${remedies[reason]}`,
		};
	}
	const cells = pwd === undefined ? undefined : join(stateHome(env), 'cells');
	const why = await whyNoCells({settings, scope: {...scope, writable: true}, env, cells}, found);
	if (why === undefined) return {about: 'confinement', level: 'ok', text: found.program};
	return {about: 'confinement', level: 'note', text: withoutCells(found.program, noCellsTexts[why])};
}

function editorFact(programs: Programs): Fact {
	const found = findEditor(programs);
	if ('reason' in found && found.reason === 'not_found')
		return {about: 'editor', level: 'note', text: editorProblemSentence(found)};
	if (!isCommand(found))
		return {
			about: 'editor',
			level: 'note',
			text: found.reason === 'quotes' ? unclosedQuote(found.command) : noEditor,
		};
	return programFact('editor', found[0], programs, withoutProgram.editor);
}

function isCommand(found: ReturnType<typeof findEditor>): found is EditorCommand {
	return Array.isArray(found);
}

function pagerFact(programs: Programs): Fact {
	const [name = ''] = (programs.env['PAGER'] ?? '').trim().split(/\s+/);
	return programFact('pager', name === '' ? 'less' : name, programs, withoutProgram.pager);
}

function clipboardFact({env, find}: Programs): Fact {
	const found = clipboardPrograms(env)
		.copy.map(([name]) => find(name))
		.find(path => path !== undefined);
	if (found !== undefined) return {about: 'clipboard', level: 'ok', text: found};
	return {
		about: 'clipboard',
		level: 'note',
		text: noClipboard,
	};
}

function shellFact(programs: Programs): Fact {
	return programFact('shell', shellOf(childEnv(programs.env)), programs, withoutProgram.shell, 'broken');
}

type Level = 'note' | 'broken';

/** Finds a program by its path, or by its name in PATH. */
function programFact(about: string, name: string, {find}: Programs, without: string, level: Level = 'note'): Fact {
	const found = isAbsolute(name) && isProgram(name) ? name : find(name);
	if (found !== undefined) return {about, level: 'ok', text: found};
	return {about, level, text: programMissing(name, without)};
}
