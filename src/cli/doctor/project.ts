import {
	inspectInstructions,
	inspectMcp,
	inspectWorkflows,
	type Env,
	type InspectOptions,
	type Owners,
} from '../../pod/index.ts';
import type {Fact} from './fact.ts';
import {mcpFromProject, workflowCount} from './texts.ts';

/** Counts the workflows of a session in this directory, and lists broken ones and warnings. */
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
