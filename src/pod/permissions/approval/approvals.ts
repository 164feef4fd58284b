import type {CallFacts, Interceptor, ToolCall} from '../../../worker/index.ts';
import type {ApprovalNotes} from './approval-notes.ts';
import {askUntilMoot, type AskUser, type OpenQuestions} from './ask-until.ts';
import type {Answer} from './asks.ts';
import {homeOf, type Env} from '../../ground/env/env.ts';
import {isRisky} from './guard-repeats.ts';
import type {RefusesReading} from '../../scope/read.ts';
import type {Scope} from '../../scope/scope.ts';
import {bashFacts, readFileFacts} from '../../protocol/tool-definitions.ts';
import {errorOutput, isRecord} from '../../ground/values/is-record.ts';
import type {Decision, Rules} from './decision.ts';
import {createJudge, type AnsweredRules, type InspectedCall, type Judge} from './judge.ts';
import {foldsNames} from './text-glob.ts';
import type {ApprovalMode} from '../../protocol/approval-mode.ts';
import {approvalCard, rulesOf, unconfinedCard, type Patterns} from './card.ts';
import {ruleReason, refusalOutput, type Refusal, type RuleRefusal} from './refusal.ts';
import {restrictsFiles, subjectText, type Rule} from './rule.ts';
import {fileSubject, subjectOf, type RuleFolders} from './subject.ts';
import {needsRealRun} from './needs-real-run.ts';
import {createTrial, type Trial} from './trial.ts';
import {createUrlRules, type UrlRules} from './url-rules.ts';

export type ApprovalOptions = {
	readonly scope: Pick<Scope, 'pwd' | 'writable'>;
	readonly env: Env;
	readonly mode: ApprovalMode;
	/** The rules of the two configuration files. */
	readonly rules: Omit<Rules, 'answered'>;
	/** The rules "for this session". A child session may share those of its parent. */
	readonly answered?: AnsweredRules;
	/** The start directory, if the project's file moved `pwd` below it. */
	readonly startedIn?: string | undefined;
	/**
	Shows a card. Resolves with `undefined` if the signal is aborted first. `ask` is absent if no one can approve.
	*/
	readonly ask?: AskUser;
	/** Tells whether a command can be tried before the user has approved it. If it is absent, no command is tried. */
	readonly canTry?: ((command: string) => Promise<boolean>) | undefined;
	/** Returns why commands are not confined although the user wants confinement. */
	readonly unconfined?: (() => Promise<string | undefined>) | undefined;
	/** Notes what lets each call run. */
	readonly notes?: ApprovalNotes;
	readonly onMode?: (mode: ApprovalMode) => void;
	/** Called if a rule could not be saved. */
	readonly onTrouble: (sentence: string) => void;
};

/** Decides which of the model's calls run, for one session. */
export type Approvals = {
	/** Sets the mode for the next calls. Settles the open questions that the new mode would not have asked. */
	setMode(mode: ApprovalMode): void;
	/**
	`permissions` lists everything that currently decides about calls. `forget` removes a rule that a card created.
	*/
	readonly permissions: Judge['permissions'];
	readonly forget: Judge['forget'];
	/** Tells whether the user approved exactly this call on a card. `id` is the id of the call's item. */
	readonly isAsked: (id: string) => boolean;
	/**
	Returns the trial of a command that nobody has approved. It can be called only once for each call. `id` is the id of
	the call's item.
	*/
	readonly trialOf: (id: string) => Trial | undefined;
	/** Returns the current rules of the two configuration files. */
	readonly rules: Judge['rules'];
	/** Replaces the project's rules. */
	setProjectRules(rules: readonly Rule[]): void;
	/** Creates the interceptor for the calls of one run. The signal stops this run. */
	interceptor(run: AbortSignal): Judges & Pick<Interceptor, 'resultDetails'>;
	/**
	Creates the interceptor of a worker that shows no card: it refuses calls that would need a card. `onRefused` gets
	each refused call. `own` is a tool of the worker itself, which does not touch the user's files. Only a deny rule
	with exactly its name applies to `own`.
	*/
	readonly unattended: (onRefused: OnRefused, own?: string) => Judges;
	/** Decides about a file that inkpod reads without a call. It never asks the user. */
	readonly refusesReading: RefusesReading;
	/** Decides about the web addresses that a fetch reaches, for example by a redirect. */
	readonly urls: UrlRules;
};

type Judges = Required<Pick<Interceptor, 'preToolCall'>>;
type OnRefused = (call: ToolCall, facts: CallFacts, why: string) => void;

/**
Decides about each call before it runs, and asks the user if that is necessary. An abort does not answer a question: the
call stays unanswered, and inkpod asks again when the turn continues.
*/
export function createApprovals(options: ApprovalOptions): Approvals {
	const {scope, env, startedIn, onMode} = options;
	const judge = createJudge(options);
	const folders = {pwd: scope.pwd, startedIn, home: homeOf(env), foldsNames: foldsNames(scope.pwd)};
	const context: Context = {
		judge,
		folders,
		ask: options.ask,
		openQuestions: new Set(),
		asked: new Set(),
		trials: new Map(),
		canTry: options.canTry,
		unconfined: options.unconfined,
		allowed: {unconfined: false},
		notes: options.notes,
	};
	const settleQuestions = () => context.openQuestions.forEach(settle => settle());
	return {
		permissions: async () => judge.permissions(),
		forget: async id => judge.forget(id),
		rules: () => judge.rules(),
		isAsked: id => context.asked.has(id),
		trialOf(id) {
			const trial = context.trials.get(id);
			context.trials.delete(id);
			return trial;
		},
		setMode(next) {
			judge.setMode(next);
			settleQuestions();
			onMode?.(next);
		},
		setProjectRules(next) {
			judge.setProjectRules(next);
			settleQuestions();
		},
		interceptor: run => ({
			preToolCall: async (call, facts) => judgeCall(context, call, facts, run),
			...(options.notes && {resultDetails: options.notes.take}),
		}),
		unattended: (onRefused, own) => ({
			async preToolCall(call, facts) {
				const inspected = await inspect(context, call, facts);
				const refusal = unattendedRefusal(judge.judge(inspected));
				if (refusal === undefined || (call.name === own && !isAbout(refusal, own))) return {type: 'continue'};
				onRefused(call, facts, ruleReason(refusal));
				return {type: 'result', output: refusalOutput(call.name, refusal, subjectText(inspected.subject))};
			},
		}),
		async refusesReading(path, real) {
			const {name, effect} = readFileFacts;
			const inspected = await judge.inspect(name, effect, fileSubject(path, real, folders));
			const refusal = unattendedRefusal(judge.judge(inspected));
			return refusal && ruleReason(refusal);
		},
		urls: createUrlRules({
			judge,
			judgeCall: async (call, facts, run) => judgeCall(context, call, facts, run),
			ask: options.ask,
		}),
	};
}

type Context = {
	readonly judge: Judge;
	readonly folders: RuleFolders;
	readonly ask: ApprovalOptions['ask'];
	readonly openQuestions: OpenQuestions;
	/** The ids of the calls that the user approved one by one. */
	readonly asked: Set<string>;
	/** The commands that may be tried, by the ids of their calls. */
	readonly trials: Map<string, Trial>;
	readonly canTry: ApprovalOptions['canTry'];
	readonly unconfined: ApprovalOptions['unconfined'];
	/** Whether the user allowed commands without confinement for this session. */
	readonly allowed: {unconfined: boolean};
	readonly notes: ApprovalOptions['notes'];
};

type Judgement = Awaited<ReturnType<Judges['preToolCall']>>;

async function judgeCall(context: Context, call: ToolCall, facts: CallFacts, run: AbortSignal): Promise<Judgement> {
	const {judge, ask, notes} = context;
	const inspected = await inspect(context, call, facts);
	const {subject} = inspected;
	const decision = judge.judge(inspected);
	const refuse = (refusal: Refusal) =>
		({type: 'result', output: refusalOutput(call.name, refusal, subjectText(subject))}) as const;
	if (decision.type === 'deny') return refuse({type: 'rule', owner: decision.owner, rule: decision.rule});
	if (decision.type === 'refuse') return refuse({type: 'plan'});
	// Without confinement, a command may need a card although the rules and the mode would let it run.
	if (decision.type === 'run' && subject.kind === 'command') {
		const unconfined = await judgeUnconfined(context, call, facts, {decision, subject, run});
		if (unconfined !== undefined) return unconfined;
	}
	// In every mode, `guardRepeats` asks about a call that may have run before, so a question here would be a second one.
	if (decision.type === 'run' || isRisky(facts)) {
		if (!isRisky(facts)) notes?.allowed(call.callId, decision, judge.mode());
		return {type: 'continue'};
	}
	if (await isTried(context, facts, inspected, decision)) {
		context.trials.set(call.id, trialFor(context, call, facts, {inspected, decision, run}));
		return {type: 'continue'};
	}
	// After an earlier change in the same batch, a failing preview does not show that the call will fail.
	const shown = await facts.preview?.().catch(() => undefined);
	const fails = facts.isAfterChanges === true ? undefined : shown?.fails;
	if (fails !== undefined) return {type: 'result', output: errorOutput(fails)};
	if (ask === undefined || decision.reason === 'no_card') return refuse({type: 'unattended'});
	const known = shown === undefined ? facts : {...facts, preview: async () => shown};
	const patterns = judge.patternsFor(inspected, decision);
	const answer = await askAbout(context, call, known, {inspected, decision, patterns, ask, run});
	if (answer === undefined) return {type: 'pause'};
	// The mode or the rules may have changed while the card was open. Then no one has answered it.
	notes?.allowed(call.callId, judge.judge(inspected), judge.mode());
	await keepAnswer(context, call, subject, {answer, patterns});
	return answer.choice.startsWith('deny') ? refuse({type: 'user', reason: answer.reason}) : {type: 'continue'};
}

async function keepAnswer(
	{judge, asked}: Context,
	call: ToolCall,
	subject: InspectedCall['subject'],
	{answer: {choice}, patterns}: {readonly answer: Answer; readonly patterns: Patterns},
): Promise<void> {
	const {rules, isSaved} = rulesOf(choice, call.name, subject, patterns);
	for (const rule of rules) await judge.remember(rule, isSaved);
	asked.add(call.id);
}

/**
Tells whether a command is tried: it would need a card only because of the mode, and it runs in the foreground. A trial
does not know which files a rule protects.
*/
async function isTried(
	{canTry, judge}: Context,
	{args}: CallFacts,
	{tool, subject}: InspectedCall,
	{reason}: Extract<Decision, {type: 'ask'}>,
): Promise<boolean> {
	if (tool !== bashFacts.name || subject.kind !== 'command' || canTry === undefined) return false;
	if ((reason !== 'mode' && reason !== 'plan') || !isRecord(args) || args['background'] === true) return false;
	const {user, project} = judge.rules();
	if (restrictsFiles(user) || restrictsFiles(project)) return false;
	return !needsRealRun(subject.command) && canTry(subject.command);
}

function trialFor(
	context: Context,
	call: ToolCall,
	facts: CallFacts,
	{inspected, decision, run}: Pick<Asking, 'inspected' | 'decision' | 'run'>,
): Trial {
	const {judge, ask, openQuestions, notes} = context;
	const onAllowed = () => {
		const now = judge.judge(inspected);
		// In `accept-edits` inkpod takes changes of a command that would itself need a card.
		const allowed = now.type === 'run' ? now : ({type: 'run', reason: 'mode'} as const);
		notes?.allowed(call.callId, allowed, judge.mode());
	};
	const onAnswer = async (answer: Answer, patterns: Patterns) => {
		await keepAnswer(context, call, inspected.subject, {answer, patterns});
	};
	return createTrial({call, facts, inspected, decision, judge, ask, openQuestions, onAnswer, onAllowed, run});
}

type Unconfined = {
	readonly decision: Extract<Decision, {type: 'run'}>;
	readonly subject: InspectedCall['subject'];
	readonly run: AbortSignal;
};

/**
Decides about a command that would run without a card although commands cannot be confined. If only the mode lets the
command run, the user must approve it, or allow all such commands for the session. If no one can approve, the command
does not run.
*/
async function judgeUnconfined(
	{ask, unconfined, allowed}: Context,
	call: ToolCall,
	facts: CallFacts,
	{decision, subject, run}: Unconfined,
): Promise<Judgement | undefined> {
	if (unconfined === undefined || allowed.unconfined) return undefined;
	if (ask !== undefined && decision.reason !== 'mode') return undefined;
	const why = await unconfined();
	if (why === undefined) return undefined;
	const refuse = (refusal: Refusal): Judgement => ({
		type: 'result',
		output: refusalOutput(call.name, refusal, subjectText(subject)),
	});
	if (ask === undefined) return refuse({type: 'unconfined', why});
	const shown = await facts.preview?.().catch(() => undefined);
	const answer = await ask(unconfinedCard(call, shown?.detail ?? subjectText(subject) ?? '', why), run);
	if (answer === undefined) return {type: 'pause'};
	if (answer.choice === 'session') allowed.unconfined = true;
	return answer.choice === 'deny' ? refuse({type: 'user', reason: answer.reason}) : {type: 'continue'};
}

async function inspect({judge, folders}: Context, {name}: ToolCall, facts: CallFacts): Promise<InspectedCall> {
	return judge.inspect(name, facts.effect, subjectOf(name, facts, folders));
}

type Asking = {
	readonly inspected: InspectedCall;
	readonly decision: Extract<Decision, {type: 'ask'}>;
	readonly patterns: Patterns;
	readonly ask: NonNullable<ApprovalOptions['ask']>;
	readonly run: AbortSignal;
};

async function askAbout(
	{judge, openQuestions}: Context,
	call: ToolCall,
	facts: CallFacts,
	{inspected, decision, patterns, ask, run}: Asking,
): Promise<Answer | undefined> {
	const isMoot = () => judge.judge(inspected).type === 'run';
	const card = await approvalCard(call, facts, inspected.subject, {decision, patterns});
	return askUntilMoot(card, {ask, openQuestions, isMoot, run});
}

/** Tells whether a rule with exactly this tool's name caused the refusal. */
function isAbout(refusal: RuleRefusal, tool: string): boolean {
	return refusal.type === 'rule' && refusal.rule.tool === tool;
}

/** Returns the reason why a call does not run without a question, or `undefined` if it runs. */
function unattendedRefusal(decision: Decision): RuleRefusal | undefined {
	if (decision.type === 'deny') return {type: 'rule', owner: decision.owner, rule: decision.rule};
	return decision.type === 'run' ? undefined : {type: 'unattended'};
}
