import {toolsAbout} from '../tools/definitions.ts';
import {pathGlobProblem} from './path-glob.ts';
import {matchesText} from './text-glob.ts';

/**
Why the `match` of a rule would never match, as the end of a sentence that begins with its key. `undefined`: it can
match.
*/
export function matchProblem(tool: string, match: string): string | undefined {
	const fileTools = toolsAbout('file');
	const commandTools = toolsAbout('command');
	if (fileTools.some(name => matchesText(tool, name))) return pathGlobProblem(match);
	if (commandTools.some(name => matchesText(tool, name)) || mayName(match, tool)) return undefined;
	return (
		`would never match: for the tool ${JSON.stringify(tool)} it is compared with the tool's name. ` +
		`Remove match, or name one of ${[...fileTools, ...commandTools].join(', ')} as the tool`
	);
}

/** Whether two globs may match the same text, as far as the text before their first wildcards says. */
function mayName(match: string, tool: string): boolean {
	return isLiteral(tool) ? matchesText(match, tool) : mayBeginAlike(match, tool);
}

function mayBeginAlike(...globs: readonly [string, string]): boolean {
	const [one, other] = globs.map(glob => glob.replace(/[*?\\].*$/s, '')) as [string, string];
	return one.startsWith(other) || other.startsWith(one);
}

function isLiteral(glob: string): boolean {
	return !/[*?\\]/.test(glob);
}
