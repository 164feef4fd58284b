import type {Tool, ToolDefinition} from '../../src/worker/index.ts';

const verbs = ['create', 'update', 'delete', 'list', 'search', 'get', 'archive', 'assign', 'comment_on', 'export'];
const nouns = ['issue', 'pull_request', 'branch', 'release', 'milestone', 'label', 'repository', 'workflow_run'];
const places = ['team', 'project', 'organisation', 'user', 'calendar'];

/** The names and descriptions of 400 tools, as servers list them. */
export const manyTools: ReadonlyArray<{readonly name: string; readonly description: string}> = verbs.flatMap(verb =>
	nouns.flatMap(noun =>
		places.map(place => ({
			name: `${verb}_${noun}_of_${place}`,
			description: [
				`Lets you ${verb.replaceAll('_', ' ')} a ${noun.replaceAll('_', ' ')} that belongs to the given ${place}.`,
				'The result is JSON. You need the rights of a member.',
			].join('\n'),
		})),
	),
);

/** The body of a server with these tools. A call returns its name and arguments. */
export const manyToolsServer = `
	const inputSchema = {type: 'object', properties: {id: {type: 'string', description: 'The id.'}}, required: ['id']};
	tools = ${JSON.stringify(manyTools)}.map(one => ({...one, inputSchema}));
	call = (id, {name, arguments: args}) =>
		answer(id, {content: [{type: 'text', text: 'ran ' + name + ' ' + JSON.stringify(args)}]});`;

/** Returns the definitions of these tools, as if one server had them. */
export function manyDefinitions(server = 'hub'): readonly ToolDefinition[] {
	const parameters = {type: 'object', properties: {id: {type: 'string', description: 'The id.'}}, required: ['id']};
	return manyTools.map(({name, description}) => ({name: `mcp__${server}__${name}`, description, parameters}));
}

/** Returns a tool with this definition, which takes any arguments and does nothing. */
export function toolOf(definition: ToolDefinition): Tool {
	return {
		definition,
		effect: 'execute',
		check: args => ({ok: true, args}),
		execute: async () => ({summary: '', content: ''}),
	};
}
