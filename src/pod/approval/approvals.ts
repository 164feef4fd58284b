import type {CallFacts, Interceptor, ToolCall} from '../../worker/index.ts';
import type {Answer} from '../status/asks.ts';
import {homeOf, type Env} from '../env/env.ts';
import type {Ask} from '../protocol.ts';
import {isRisky} from './guard-repeats.ts';
import type {RefusesReading} from '../scope/read.ts';
import type {Scope} from '../scope/scope.ts';
import {readFileFacts} from '../tools/definitions.ts';
import {errorOutput} from '../tools/output.ts';
import type {Decision, Rules} from './decision.ts';
import {createJudge, type InspectedCall, type Judge} from './judge.ts';
import type {ApprovalMode} from './mode.ts';
import {grantsOf, approvalCard} from './card.ts';
import {ruleReason, refusalOutput, type Refusal, type RuleRefusal} from './refusal.ts';
import {exactText, type Rule} from './rule.ts';
import {fileSubject, subjectOf, type RuleFolders} from './subject.ts';

export type ApprovalOptions = {
	readonly scope: Pick<Scope, 'pwd' | 'writable'>;
	readonly env: Env;
	readonly mode: ApprovalMode;
	/** What the two configuration files say. */
	readonly rules: Omit<Rules, 'answered'>;
	/** The start directory, where the project's file moved `pwd` below it. */
	readonly startedIn?: string | undefined;
	/** Shows a card. Resolves with `undefined` when the signal is aborted first. Absent: no one can approve. */
	readonly ask?: (question: Omit<Ask, 'id'>, signal: AbortSignal) => Promise<Answer | undefined>;
	readonly onMode?: (mode: ApprovalMode) => void;
	/** A rule could not be saved. */
	readonly onTrouble: (sentence: string) => void;
};

/** Decides which of the model's calls run, for one session. */
export type Approvals = {
	/** From the next call on. An open question that would not be asked now is settled. */
	setMode(mode: ApprovalMode): void;
	/** Replaces the project's rules. */
	setProjectRules(rules: readonly Rule[]): void;
	/** For the calls of the run that this signal stops. */
	interceptor(run: AbortSignal): Judges;
	/**
	For a worker that shows no card: calls that would be asked about are refused. `onRefused` gets each refused call.
	`own`: a tool of the worker that touches nothing of the user's; only a rule that denies exactly this name is about
	it.
	*/
	readonly unattended: (onRefused: OnRefused, own?: string) => Judges;
	/** For a file that no call asks for. Nobody is asked. */
	readonly refusesReading: RefusesReading;
};

type Judges = Required<Pick<Interceptor, 'preToolCall'>>;
type OnRefused = (call: ToolCall, facts: CallFacts, why: string) => void;

/**
Judges each call before it runs, and asks the user where that is necessary. An abort does not answer a question: the
call stays unanswered, and the question is asked again when the turn continues.
*/
export function createApprovals(options: ApprovalOptions): Approvals {
	const {scope, env, startedIn, onMode} = options;
	const judge = createJudge(options);
	const folders = {pwd: scope.pwd, startedIn, home: homeOf(env)};
	const context: Context = {judge, folders, ask: options.ask, openQuestions: new Set()};
	const settleQuestions = () => context.openQuestions.forEach(settle => settle());
	return {
		setMode(next) {
			judge.setMode(next);
			settleQuestions();
			onMode?.(next);
		},
		setProjectRules(next) {
			judge.setProjectRules(next);
			settleQuestions();
		},
		interceptor: run => ({preToolCall: async (call, facts) => judgeCall(context, call, facts, run)}),
		unattended: (onRefused, own) => ({
			async preToolCall(call, facts) {
				const inspected = await inspect(context, call, facts);
				const refusal = unattendedRefusal(judge.judge(inspected));
				if (refusal === undefined || (call.name === own && !isAbout(refusal, own))) return {type: 'continue'};
				onRefused(call, facts, ruleReason(refusal));
				return {type: 'result', output: refusalOutput(call.name, refusal, exactText(inspected.subject))};
			},
		}),
		async refusesReading(path, real) {
			const {name, effect} = readFileFacts;
			const inspected = await judge.inspect(name, effect, fileSubject(path, real, folders));
			const refusal = unattendedRefusal(judge.judge(inspected));
			return refusal && ruleReason(refusal);
		},
	};
}

type Context = {
	readonly judge: Judge;
	readonly folders: RuleFolders;
	readonly ask: ApprovalOptions['ask'];
	/** Settle the questions that would not be asked any more. */
	readonly openQuestions: Set<() => void>;
};

type Judgement = Awaited<ReturnType<Judges['preToolCall']>>;

async function judgeCall(context: Context, call: ToolCall, facts: CallFacts, run: AbortSignal): Promise<Judgement> {
	const {judge, ask} = context;
	const inspected = await inspect(context, call, facts);
	const {subject} = inspected;
	const decision = judge.judge(inspected);
	const refuse = (refusal: Refusal) =>
		({type: 'result', output: refusalOutput(call.name, refusal, exactText(subject))}) as const;
	if (decision.type === 'deny') return refuse({type: 'rule', owner: decision.owner, rule: decision.rule});
	// The guard against repeats asks about a call that may have run already, in every mode. One question is enough.
	if (decision.type === 'run' || isRisky(facts)) return {type: 'continue'};
	// After an earlier call of the batch that changes something, a preview may be of another world.
	const shown = await facts.preview?.().catch(() => undefined);
	const fails = facts.isAfterChanges === true ? undefined : shown?.fails;
	if (fails !== undefined) return {type: 'result', output: errorOutput(fails)};
	if (ask === undefined) return refuse({type: 'unattended'});
	const known = shown === undefined ? facts : {...facts, preview: async () => shown};
	const answer = await askAbout(context, call, known, {inspected, decision, ask, run});
	if (answer === undefined) return {type: 'pause'};
	const {choice} = answer;
	const isRemembered = choice === 'session' || choice === 'always';
	if (isRemembered) await judge.remember(grantsOf(call.name, subject)[choice], choice === 'always');
	return choice.startsWith('deny') ? refuse({type: 'user', reason: answer.reason}) : {type: 'continue'};
}

async function inspect({judge, folders}: Context, {name}: ToolCall, facts: CallFacts): Promise<InspectedCall> {
	return judge.inspect(name, facts.effect, subjectOf(name, facts, folders));
}

type Asking = {
	readonly inspected: InspectedCall;
	readonly decision: Extract<Decision, {type: 'ask'}>;
	readonly ask: NonNullable<ApprovalOptions['ask']>;
	readonly run: AbortSignal;
};

/** The user's answer. `allow`, too, when the question is settled because it would not be asked any more. */
async function askAbout(
	{judge, openQuestions}: Context,
	call: ToolCall,
	facts: CallFacts,
	{inspected, decision, ask, run}: Asking,
): Promise<Answer | undefined> {
	const moot = new AbortController();
	const settle = () => {
		if (judge.judge(inspected).type === 'run') moot.abort();
	};
	openQuestions.add(settle);
	try {
		const card = await approvalCard(call, facts, inspected.subject, decision);
		const answer = await ask(card, AbortSignal.any([run, moot.signal]));
		return answer === undefined && !run.aborted ? {choice: 'allow'} : answer;
	} finally {
		openQuestions.delete(settle);
	}
}

/** Whether a refusal comes from a rule for exactly this tool. */
function isAbout(refusal: RuleRefusal, tool: string): boolean {
	return refusal.type === 'rule' && refusal.rule.tool === tool;
}

/** Why a call does not run without asking. `undefined`: it runs. */
function unattendedRefusal(decision: Decision): RuleRefusal | undefined {
	if (decision.type === 'deny') return {type: 'rule', owner: decision.owner, rule: decision.rule};
	return decision.type === 'ask' ? {type: 'unattended'} : undefined;
}
