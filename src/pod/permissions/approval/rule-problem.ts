import {summaryToolNames, toolFacts, toolsAbout} from '../../protocol/tool-definitions.ts';
import {nearestName} from '../../ground/text/nearest-name.ts';
import {pathGlobProblem} from './path-glob.ts';
import {matchesText} from './text-glob.ts';
import {ruleProblems} from './texts.ts';
import {urlGlobProblem} from './url-match.ts';

/**
Returns why a rule's `tool` would never match a tool, as the end of a sentence that begins with its key. MCP servers may
add any tool later, so the possible name of such a tool is not a problem.
*/
export function toolProblem(tool: string): string | undefined {
	if (allNames.some(name => matchesText(tool, name)) || mayNameMcpTool(tool)) return undefined;
	const nearest = nearestMcpName(tool) ?? nearestName(tool, ownNames);
	return nearest === undefined ? ruleProblems.noTool(tool, ownNames) : ruleProblems.nearTool(tool, nearest);
}

/**
Returns why the `match` of a rule would never match, as the end of a sentence that begins with its key. Returns
`undefined` if it can match.
*/
export function matchProblem(tool: string, match: string): string | undefined {
	if (isAboutFiles(tool)) return pathGlobProblem(match);
	if (toolsAbout('url').some(name => matchesText(tool, name)) && isLiteral(tool)) return urlGlobProblem(match);
	const fileTools = toolsAbout('file');
	const commandTools = toolsAbout('command');
	if (commandTools.some(name => matchesText(tool, name)) || mayName(match, tool)) return undefined;
	return ruleProblems.matchIsName(tool, [...fileTools, ...commandTools, ...toolsAbout('url')]);
}

/** Tells whether rules for a tool treat their `match` as a path. */
export function isAboutFiles(tool: string): boolean {
	return toolsAbout('file').some(name => matchesText(tool, name));
}

const ownNames = toolFacts.map(({name}) => name);
const allNames: readonly string[] = [...ownNames, ...Object.values(summaryToolNames)];

/** The names of MCP tools have the form `mcp__server__tool`, with letters, digits, hyphens and underscores. */
function mayNameMcpTool(tool: string): boolean {
	if (/[^\w*?\\-]/.test(tool)) return false;
	return isLiteral(tool) ? /^mcp__.+__./.test(tool) : mayBeginAlike(tool, 'mcp__');
}

/**
In the names of MCP tools an underscore replaces each illegal character. A server's name alone is not the name of a
tool.
*/
function nearestMcpName(tool: string): string | undefined {
	const rest = /^mcp__+(.+?)_*$/s.exec(tool)?.[1]?.replaceAll(/[^\w*?\\-]/g, '_');
	return rest && `mcp__${/.__./.test(rest) ? rest : `${rest}__*`}`;
}

/** Tells whether two globs may match the same text, which it judges by the text before their first wildcards. */
function mayName(match: string, tool: string): boolean {
	return isLiteral(tool) ? matchesText(match, tool) : mayBeginAlike(match, tool);
}

function mayBeginAlike(glob: string, otherGlob: string): boolean {
	const one = literalStart(glob);
	const other = literalStart(otherGlob);
	return one.startsWith(other) || other.startsWith(one);
}

function literalStart(glob: string): string {
	return glob.replace(/[*?\\].*$/s, '');
}

function isLiteral(glob: string): boolean {
	return !/[*?\\]/.test(glob);
}
