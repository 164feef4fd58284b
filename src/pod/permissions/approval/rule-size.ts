import {globSize} from '../../ground/globs/glob-check.ts';
import {isAboutFiles} from './rule-problem.ts';
import {ruleProblems} from './texts.ts';

/**
Returns why the rules of one file are too large for comparisons with each call, as the end of a sentence that begins
with their key. Its time is proportional to the size of the file, so it runs before the check of the rules themselves.
*/
export function rulesProblem(rules: readonly unknown[]): string | undefined {
	if (rules.length > maxRules) return ruleProblems.tooMany(maxRules);
	const size = rules.reduce((sum: number, rule) => sum + sizeOf(rule), 0);
	return size > maxRulesSize ? ruleProblems.tooLarge(size, maxRulesSize, minSize) : undefined;
}

const maxRules = 500;
/** The maximum number of characters of all patterns of a file, with all alternatives written out. */
export const maxRulesSize = 8192;
/** The minimum number of characters that an alternative counts as. */
const minSize = 16;

/** Only paths have alternatives in braces. */
function sizeOf(rule: unknown): number {
	if (typeof rule !== 'object' || rule === null || !('match' in rule) || !('tool' in rule)) return minSize;
	const {tool, match} = rule;
	if (typeof match !== 'string' || typeof tool !== 'string') return minSize;
	if (!isAboutFiles(tool)) return Math.max(minSize, match.length);
	const {alternatives, characters} = globSize(match);
	return Math.max(alternatives * minSize, characters);
}
