import {matchProblem, toolProblem} from '../permissions/approval/rule.ts';
import {rulesProblem} from '../permissions/approval/rule.ts';
import type {Rule} from '../permissions/approval/rule.ts';
import * as texts from './texts.ts';

type ParsedRules =
	| {readonly ok: true; readonly rules: readonly Rule[]}
	| {readonly ok: false; readonly sentence: string};

/**
Reads the values of `--deny` and `--allow`. Each value is the name of a tool, or `TOOL(PATTERN)`. Deny rules come first,
so they override allow rules.
*/
export function parseRules({
	allow = [],
	deny = [],
}: {
	readonly allow?: readonly string[] | undefined;
	readonly deny?: readonly string[] | undefined;
}): ParsedRules {
	const written = [
		...deny.map(text => ({text, action: 'deny' as const})),
		...allow.map(text => ({text, action: 'allow' as const})),
	];
	const rules: Rule[] = [];
	for (const {text, action} of written) {
		const [, tool = '', match] = /^([^()]+?)(?:\((.+)\))?$/su.exec(text) ?? [];
		const problem = tool === '' ? texts.ruleForm : (toolProblem(tool) ?? (match && matchProblem(tool, match)));
		if (problem !== undefined && problem !== '') return {ok: false, sentence: texts.badRule(action, text, problem)};
		rules.push({tool, action, ...(match !== undefined && {match})});
	}
	const size = rulesProblem(rules);
	return size === undefined ? {ok: true, rules} : {ok: false, sentence: texts.badRule('allow', '…', size)};
}
