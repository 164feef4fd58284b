import {en} from '../../../language/index.ts';
import type {ToolOutput} from '../../../worker/index.ts';
import {quoteUntrusted} from '../../ground/text/one-line.ts';
import type {ToolDetails} from '../../protocol.ts';
import type {Rule} from './rule.ts';

/** The reason why a call was not run. */
export type Refusal =
	/** `reason` is the user's sentence for the model. `isTried`: the call is a command that inkpod had tried. */
	| {readonly type: 'user'; readonly reason?: string | undefined; readonly isTried?: boolean}
	| {readonly type: 'rule'; readonly owner: 'user' | 'project'; readonly rule: Rule}
	/** `reason` is the sentence of the hook. */
	| {readonly type: 'hook'; readonly reason: string}
	/** The call needs approval, and no one can approve. */
	| {readonly type: 'unattended'; readonly isTried?: boolean}
	/** Commands are not confined, and no one can allow that. `why` is a sentence. */
	| {readonly type: 'unconfined'; readonly why: string}
	/** Plan mode does not allow changes of files. */
	| {readonly type: 'plan'}
	/** A hook allowed the call, but the path of the call now leads to another file. */
	| {readonly type: 'changed'};

/** Returns the result that the model reads. `subject` is the command or path of the call. */
export function refusalOutput(tool: string, refusal: Refusal, subject?: string): ToolOutput {
	const result = {summary: summaries[refusal.type], content: refusalSentence(tool, refusal), isError: true};
	if (refusal.type === 'changed' || refusal.type === 'plan') return result;
	const reason = reasonOf(refusal).trim();
	const by = deniers[refusal.type];
	const denied: ToolDetails['denied'] = {by, subject, ...(reason !== '' && {reason})};
	return {...result, details: {denied}};
}

function refusalSentence<Type extends Refusal['type']>(tool: string, refusal: RefusalOf<Type>): string {
	const type: Type = refusal.type;
	return sentences[type](tool, refusal);
}

function reasonOf<Type extends DenialType>(refusal: RefusalOf<Type>): string {
	const type: Type = refusal.type;
	return reasons[type](refusal);
}

type DenialType = Exclude<Refusal['type'], 'changed' | 'plan'>;
type RefusalOf<Type extends Refusal['type']> = {
	readonly [Each in Type]: Extract<Refusal, {readonly type: Each}> & {readonly type: Each};
}[Type];

const deniers = {user: 'user', rule: 'rule', hook: 'hook', unattended: 'unattended', unconfined: 'unattended'} as const;

const summaries: Readonly<Record<Refusal['type'], string>> = {
	user: en`Denied by the user`,
	rule: en`Denied by a rule`,
	hook: en`Denied by a hook`,
	unattended: en`Denied: no one to approve`,
	unconfined: en`Denied: commands are not confined here`,
	plan: en`Not run: plan mode changes no files`,
	changed: en`Not run: its path led elsewhere after a hook allowed the call`,
};

/** The details of each refusal, without who denied the call. */
const reasons: {readonly [Type in DenialType]: (refusal: RefusalOf<Type>) => string} = {
	user: ({reason = ''}) => reason,
	rule: ({owner, rule}) => en`${rule.match ?? rule.tool} in ${owners[owner]}`,
	hook: ({reason}) => reason,
	unattended: () => '',
	unconfined: ({why}) => why,
};

const sentences: {readonly [Type in Refusal['type']]: (tool: string, refusal: RefusalOf<Type>) => string} = {
	user(tool, {reason = '', isTried}) {
		const next =
			reason.trim() === ''
				? en`Do not try it another way: ask what they want instead.`
				: en`They say: ${reason.trim()}`;
		return en`The user denied this call of ${tool}; ${isTried === true ? triedOnly : notRun} ${next}`;
	},
	rule(tool, {owner, rule}) {
		const match = rule.match === undefined ? '' : ` (${quoteUntrusted(rule.match)})`;
		const call = `${tool}${match}`;
		return en`A rule in ${owners[owner]} denies this call of ${call}; it was not run, and nobody was asked.
			Do not try it another way.`;
	},
	hook: (tool, {reason}) =>
		en`A hook refused this call of ${tool}; it was not run, and nobody was asked. It says: ${reason}`,
	unattended: (tool, {isTried}) =>
		en`This call of ${tool} needs approval, and nobody can approve it here; ${isTried === true ? triedOnly : notRun}
			Continue without it, and say what could not be done.`,
	unconfined: (tool, {why}) =>
		en`This call of ${tool} was not run: commands are not confined here, and nobody can allow that. ${why}
			Continue without it, and say what could not be done.`,
	plan: tool =>
		en`This call of ${tool} was not run (read_only): plan mode changes no files.
			Finish the plan and show it with the plan tool.`,
	changed: tool =>
		en`This call of ${tool} was not run (changed): its path led elsewhere after the user’s hook allowed it.
			Call it again if you still need it.`,
};

const notRun = en`it was not run.`;
const triedOnly = en`inkpod had only tried it on a copy of the project, and discarded the result.`;

const owners = {user: en`the user’s config.toml`, project: en`the project’s inkpod.toml`};

/** Returns why a rule refuses something without asking the user, as the end of a sentence. */
export function ruleReason(refusal: RuleRefusal): string {
	if (refusal.type === 'unattended') return en`a rule requires approval, and nobody is asked here.`;
	return en`a rule in ${refusal.owner === 'user' ? 'config.toml' : 'inkpod.toml'} denies it.`;
}

export type RuleRefusal = Extract<Refusal, {type: 'rule' | 'unattended'}>;
