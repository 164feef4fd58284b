import {inspectMcp, type Env, type Owners} from '../../pod/index.ts';
import type {Fact} from './fact.ts';
import {mcpFromProject} from './texts.ts';

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
