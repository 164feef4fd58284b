import {createApprovals} from '../../pod/approval/approvals.ts';
import type {Rules} from '../../pod/approval/decision.ts';
import type {Env} from '../../pod/env/env.ts';
import {foldersTo, readFolder, type Found} from '../../pod/instructions/find.ts';
import {refusalSentence} from '../../pod/instructions/news.ts';
import {foreignSentence} from '../../pod/scope/owners.ts';
import type {Scope} from '../../pod/scope/scope.ts';
import {foreignIgnoreFiles} from '../../pod/tools/ignore-rules.ts';
import type {Fact} from './fact.ts';

export type InstructionFactsOptions = {
	readonly scope: Scope & Required<Pick<Scope, 'owners'>>;
	readonly env: Env;
	/** What both configuration files say. */
	readonly rules: Omit<Rules, 'answered'>;
	readonly narrowedFrom?: string | undefined;
};

/**
The instructions that a session in this directory would begin with, and those that it would not use, with the reason.
*/
export async function instructionFacts({scope, env, rules, narrowedFrom}: InstructionFactsOptions): Promise<Fact[]> {
	const {pwd, owners} = scope;
	const {signal} = new AbortController();
	const {refusesReading} = createApprovals({scope, env, mode: 'ask', rules, narrowedFrom, onTrouble: () => {}});
	const found = await Promise.all(
		foldersTo(scope).map(async folder => readFolder(scope, folder, {refusesReading, signal})),
	);
	const foreign = [...found.flatMap(each => each.foreign ?? []), ...foreignIgnoreFiles(pwd, pwd, owners)];
	return [...found.flatMap(factsOf), ...foreign.map(each => note(foreignSentence(each, owners)))];
}

function factsOf(found: Found): Fact[] {
	if (found.type === 'text') return [{about: 'AGENTS.md', level: 'ok', text: found.file}];
	return found.type === 'refused' ? [note(refusalSentence(found))] : [];
}

function note(text: string): Fact {
	return {about: 'AGENTS.md', level: 'note', text};
}
