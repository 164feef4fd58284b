import {z} from 'zod';
import {en} from '../../../language/index.ts';
import {defineTool, type Tool, type ToolDefinition} from '../../../worker/index.ts';
import {estimateTokens} from '../../ground/text/tokens.ts';
import {callToolFacts, findToolsFacts} from '../../protocol/tool-definitions.ts';
import {findIn} from './find.ts';
import {prefixOf} from './rank.ts';

/**
Creates the tool that finds deferred tools and returns their schemas. The tool needs no approval. `list` contains the
names of the tools. This list is in the description of the argument, because OpenAI refuses a tool whose own description
has more than 1024 characters (github.com/aaif-goose/goose/pull/739).
*/
export function findToolsTool(tools: () => readonly ToolDefinition[], list = ''): Tool {
	const about = `${findToolsFacts.arguments.query}${list === '' ? '' : `\n${list}`}`;
	return defineTool({
		...findToolsFacts,
		input: z.object({query: z.string().trim().min(1).max(1000).describe(about)}),
		execute: async ({query}) => findIn(tools(), query),
	});
}

/**
Creates the tool that runs a deferred tool. The worker runs the named tool instead, so this tool only describes and
checks its own arguments.
*/
export function callTool(): Tool {
	return defineTool({
		...callToolFacts,
		input: z.object({
			name: z.string().min(1).describe(callToolFacts.arguments.name),
			// llama.cpp treats an empty schema as that of an object (common/json-schema-to-grammar.cpp), so the schema
			// is not `{}`.
			arguments: z
				.looseObject({})
				.optional()
				.meta({description: callToolFacts.arguments.arguments, additionalProperties: true}),
		}),
		async execute() {
			throw new Error('the named tool was not run');
		},
	});
}

/** Returns the definition of `find_tools` with one line for each tool, in at most about `maxTokens`. */
export function findToolsDefinition(tools: readonly ToolDefinition[], maxTokens: number): ToolDefinition {
	const {name, description, parameters} = findToolsTool(() => tools, shortList(tools, maxTokens)).definition;
	return {name, description, parameters, deferred: tools.length};
}

/**
Returns a list of the tools. For each server, it has a line with the common beginning of the names, and then one line
for each tool: the remaining part of its name, and the first words of its description. If the list is too long, the
lines have fewer words. If it is still too long, the names of each server are on one line, which may be cut.
*/
export function shortList(tools: readonly ToolDefinition[], maxTokens: number): string {
	const groups = [...Map.groupBy(tools, ({name}) => prefixOf(name))];
	const isLong = tools.length * minLineTokens > maxTokens;
	for (const words of isLong ? [] : wordCounts) {
		const lines = groups.flatMap(([prefix, of]) => [`${prefix}:`, ...of.map(tool => lineOf(tool, prefix, words))]);
		const text = lines.join('\n');
		if (tokensOf(text) <= maxTokens) return text;
	}
	return groups.map(([prefix, of]) => namesOf(prefix, of, (maxTokens * of.length) / tools.length)).join('\n');
}

/** The numbers of words of a description in a line, which are tried in this order. */
const wordCounts = [8, 6, 4, 3];

/**
The estimated tokens of the shortest line. If even such lines are too many, the names of each server are on one line.
*/
const minLineTokens = 3;

/** The maximum number of characters for each word, so that a description without spaces is short, too. */
const maxWordLength = 9;

function lineOf({name, description}: ToolDefinition, prefix: string, words: number): string {
	const own = name.slice(prefix.length);
	const [line = ''] = description.trim().split('\n', 1);
	const short = line
		.split(/\s+/, words)
		.join(' ')
		.slice(0, words * maxWordLength)
		.toWellFormed()
		.trim();
	return short === '' ? own : `${own}: ${short}`;
}

/** Returns as many names as fit, and the number of the others. */
function namesOf(prefix: string, tools: readonly ToolDefinition[], maxTokens: number): string {
	const names = tools.map(({name}) => name.slice(prefix.length));
	const head = `${prefix} (${names.length}):`;
	const whole = [head, ...names].join(' ');
	if (tokensOf(`${whole}\n`) <= maxTokens) return whole;
	let room = maxTokens - tokensOf(`${head} ${more(names.length)}\n`);
	const cut = names.findIndex(name => (room -= tokensOf(` ${name}`)) < 0);
	return [head, ...names.slice(0, cut), more(names.length - cut)].join(' ');
}

function more(count: number): string {
	return en`and ${count} more`;
}

/** Returns the estimated tokens of a text as a part of a JSON body. */
function tokensOf(text: string): number {
	return estimateTokens(JSON.stringify(text).slice(1, -1));
}
