import {en, enCount} from '../../../language/index.ts';
import type {ToolDefinition, ToolOutput} from '../../../worker/index.ts';
import {nearestName} from '../../ground/text/nearest-name.ts';
import {prefixOf, rankTools} from './rank.ts';

/**
Returns the schemas of the tools that fit a query best, as JSON with one schema on each line, and the names of some
others. For a query that consists of names of tools, it returns exactly these tools.
*/
export function findIn(tools: readonly ToolDefinition[], query: string): ToolOutput {
	const named = namedIn(tools, query);
	const matches = named.length > 0 ? named : rankTools(tools, query);
	if (matches.length === 0) return noMatch(tools, query);
	const schemas = schemasOf(named.length > 0 ? matches : matches.slice(0, maxSchemas));
	const others = matches.slice(schemas.length, schemas.length + maxNames).map(({name}) => name);
	const more = matches.length - schemas.length - others.length;
	const rest = [others.join(', '), ...(more > 0 ? [en`and ${more} more`] : [])].join(' ');
	return {
		summary: en`${matches.length} of ${enCount(tools.length, 'tool')}`,
		content: [
			...schemas,
			...(others.length === 0 ? [] : [en`Also: ${rest}. Query a name for its schema.`]),
			en`Run a tool with call_tool.`,
		].join('\n'),
	};
}

/** Returns up to three names of tools that a wrong name could mean. */
export function nearestTools(tools: readonly ToolDefinition[], wrong: string): readonly string[] {
	const name = wrong.slice(0, maxWrong);
	const ownOf = (each: string) => each.slice(prefixOf(each).length);
	const near = nearestName(
		ownOf(name),
		tools.map(tool => ownOf(tool.name)),
	);
	const alike = tools.filter(tool => ownOf(tool.name) === near);
	return [...new Set([...alike, ...rankTools(tools, name)])].slice(0, 3).map(tool => tool.name);
}

const maxWrong = 200;

/** The maximum number of tools whose schemas a query by words returns. */
const maxSchemas = 5;

const maxNames = 15;

/** The maximum number of characters of all schemas. The first schema is always included. */
const maxSchemaLength = 24_000;

/** Returns the tools of a query that has only names of tools. The beginning `mcp__server__` may be missing. */
function namedIn(tools: readonly ToolDefinition[], query: string): readonly ToolDefinition[] {
	const names = query.split(/[\s,]+/).filter(name => name !== '');
	const found = names.map(name =>
		tools.filter(tool => tool.name === name || tool.name === prefixOf(tool.name) + name),
	);
	return found.some(each => each.length === 0) ? [] : [...new Set(found.flat())];
}

function schemasOf(tools: readonly ToolDefinition[]): readonly string[] {
	let length = 0;
	const texts = tools.map(({name, description, parameters}) => JSON.stringify({name, description, parameters}));
	return texts.filter((text, index) => (length += text.length) <= maxSchemaLength || index === 0);
}

function noMatch(tools: readonly ToolDefinition[], query: string): ToolOutput {
	const servers = [...Map.groupBy(tools, ({name}) => prefixOf(name))].map(
		([prefix, of]) => `${prefix}* (${of.length})`,
	);
	const shown = JSON.stringify(query.slice(0, maxWrong).toWellFormed());
	const sentence = en`None of the ${enCount(tools.length, 'tool')} matches ${shown}.`;
	return {
		summary: en`no match in ${enCount(tools.length, 'tool')}`,
		content: en`${sentence} Try other words, or a name. The tools are: ${servers.join(', ')}`,
	};
}
