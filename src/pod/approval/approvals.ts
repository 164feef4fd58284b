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
import {createJudge, type InspectedCall} from './judge.ts';
import type {ApprovalMode} from './mode.ts';
import {grantsOf, approvalCard} from './card.ts';
import {ruleReason, refusalOutput, type Refusal, type RuleRefusal} from './refusal.ts';
import {exactText, type Rule} from './rule.ts';
import {fileSubject, subjectOf} from './subject.ts';

export type ApprovalOptions = {
	readonly scope: Pick<Scope, 'pwd' | 'writable'>;
	readonly env: Env;
	readonly mode: ApprovalMode;
	/** What the two configuration files say. */
	readonly rules: Omit<Rules, 'answered'>;
	/** The start directory, where the project's file moved `pwd` below it. */
	readonly narrowedFrom?: string | undefined;
	/** Shows a card. Resolves with `undefined` when the signal is aborted first. Absent where nobody can be asked. */
	readonly ask?: (question: Omit<Ask, 'id'>, signal: AbortSignal) => Promise<Answer | undefined>;
	readonly onMode?: (mode: ApprovalMode) => void;
	/** Tells what could not be kept. */
	readonly onTrouble: (sentence: string) => void;
};

/** What stands between the model's calls and the world, for one session. */
export type Approvals = {
	/** From the next call on. A question that is open and would not be asked now is settled. */
	setMode(mode: ApprovalMode): void;
	/** The project's rules are these from now on. */
	setProjectRules(rules: readonly Rule[]): void;
	/** Of the run whose signal this is. */
	interceptor(run: AbortSignal): Judges;
	/**
	Of a worker that shows no card: what would be asked about is refused. Hears of each call that is refused. `own`: a
	tool of the worker that touches nothing of the user's; only a rule that denies exactly this name is about it.
	*/
	readonly unattended: (onRefused: (call: ToolCall, facts: CallFacts, why: string) => void, own?: string) => Judges;
	/** Of a file that no call asks for. Nobody is asked. */
	readonly refusesReading: RefusesReading;
};

type Judges = Required<Pick<Interceptor, 'preToolCall'>>;

/**
Judges each call before it runs and asks the person where that is to be. A question that an abort meets is no answer:
the call stays unanswered, and is asked about again when the turn is gone on with.
*/
export function createApprovals(options: ApprovalOptions): Approvals {
	const {scope, env, narrowedFrom, ask, onMode} = options;
	const folders = {pwd: scope.pwd, narrowedFrom, home: homeOf(env)};
	const judge = createJudge(options);
	const open = new Set<() => void>();
	const inspect = async ({name}: ToolCall, facts: CallFacts) =>
		judge.inspect(name, facts.effect, subjectOf(name, facts, folders));

	/** The person's answer; `allow` as well when the question is settled because it would not be asked any more. */
	async function answerTo(
		call: ToolCall,
		facts: CallFacts,
		{inspected, decision, show, run}: Asking,
	): Promise<Answer | undefined> {
		const moot = new AbortController();
		const settle = () => {
			if (judge.judge(inspected).type === 'run') moot.abort();
		};
		open.add(settle);
		try {
			const question = await approvalCard(call, facts, inspected.subject, decision);
			const answer = await show(question, AbortSignal.any([run, moot.signal]));
			return answer === undefined && !run.aborted ? {choice: 'allow'} : answer;
		} finally {
			open.delete(settle);
		}
	}

	async function judged(call: ToolCall, facts: CallFacts, run: AbortSignal): Promise<Judgement> {
		const inspected = await inspect(call, facts);
		const {subject} = inspected;
		const decision = judge.judge(inspected);
		const refuse = (refusal: Refusal) =>
			({type: 'result', output: refusalOutput(call.name, refusal, exactText(subject))}) as const;
		if (decision.type === 'deny') return refuse({type: 'rule', owner: decision.owner, rule: decision.rule});
		// The guard against repeats asks about a call that may have run already, in every mode; once is enough.
		if (decision.type === 'run' || isRisky(facts)) return {type: 'continue'};
		// The next calls of a batch may find another world; the first one that changes something does not.
		const shown = await facts.preview?.().catch(() => undefined);
		const fails = facts.isAfterChanges === true ? undefined : shown?.fails;
		if (fails !== undefined) return {type: 'result', output: errorOutput(fails)};
		if (ask === undefined) return refuse({type: 'unattended'});
		const known = shown === undefined ? facts : {...facts, preview: async () => shown};
		const answer = await answerTo(call, known, {inspected, decision, show: ask, run});
		if (answer === undefined) return {type: 'pause'};
		const {choice} = answer;
		const isRemembered = choice === 'session' || choice === 'always';
		if (isRemembered) await judge.remember(grantsOf(call.name, subject)[choice], choice === 'always');
		return choice.startsWith('deny') ? refuse({type: 'user', reason: answer.reason}) : {type: 'continue'};
	}

	return {
		setMode(next) {
			judge.setMode(next);
			for (const settle of open) settle();
			onMode?.(next);
		},
		setProjectRules(next) {
			judge.setProjectRules(next);
			for (const settle of open) settle();
		},
		interceptor: run => ({preToolCall: async (call, facts) => judged(call, facts, run)}),
		unattended: (onRefused, own) => ({
			async preToolCall(call, facts) {
				const inspected = await inspect(call, facts);
				const refusal = refusalOf(judge.judge(inspected));
				if (refusal === undefined || (call.name === own && !isAbout(refusal, own))) return {type: 'continue'};
				onRefused(call, facts, ruleReason(refusal));
				return {type: 'result', output: refusalOutput(call.name, refusal, exactText(inspected.subject))};
			},
		}),
		async refusesReading(path, real) {
			const inspected = await judge.inspect(
				readFileFacts.name,
				readFileFacts.effect,
				fileSubject(path, real, folders),
			);
			const refusal = refusalOf(judge.judge(inspected));
			return refusal && ruleReason(refusal);
		},
	};
}

type Judgement = Awaited<ReturnType<Judges['preToolCall']>>;

type Asking = {
	readonly inspected: InspectedCall;
	readonly decision: Extract<Decision, {type: 'ask'}>;
	readonly show: NonNullable<ApprovalOptions['ask']>;
	readonly run: AbortSignal;
};

/** Whether a refusal comes from a rule for exactly this tool. */
function isAbout(refusal: RuleRefusal, tool: string): boolean {
	return refusal.type === 'rule' && refusal.rule.tool === tool;
}

/** What becomes of a call where nobody is asked. */
function refusalOf(decision: Decision): RuleRefusal | undefined {
	if (decision.type === 'deny') return {type: 'rule', owner: decision.owner, rule: decision.rule};
	return decision.type === 'ask' ? {type: 'unattended'} : undefined;
}
