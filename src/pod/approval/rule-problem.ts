import {pathGlobProblem} from './path-glob.ts';
import {pathTools} from './rule.ts';
import {matchesText} from './text-glob.ts';

/**
Why the `match` of a rule would never match: the end of a sentence that begins with its key. Nothing where it can.
*/
export function matchProblem(tool: string, match: string): string | undefined {
	if (pathTools.some(name => matchesText(tool, name))) return pathGlobProblem(match);
	if (matchesText(tool, 'bash') || mayName(match, tool)) return undefined;
	return (
		`would never match: for the tool ${JSON.stringify(tool)} it is compared with the tool's name. ` +
		`Remove match, or name one of ${[...pathTools, 'bash'].join(', ')} as the tool`
	);
}

/** Whether two globs may match one text, as far as what is before their first wildcards says. */
function mayName(match: string, tool: string): boolean {
	const [one, other] = [match, tool].map(glob => /^[^*?\\]*/.exec(glob)![0]);
	if (other === tool) return matchesText(match, tool);
	return one!.startsWith(other!) || other!.startsWith(one!);
}
