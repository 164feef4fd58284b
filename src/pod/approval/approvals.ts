import type {CallFacts, Interceptor, ToolCall, ToolEffect} from '../../worker/index.ts';
import type {Answer} from '../asks.ts';
import type {Env} from '../home.ts';
import type {Ask} from '../protocol.ts';
import {isRisky} from '../repeat.ts';
import type {Scope} from '../scope/scope.ts';
import {decide, type Decision, type Rules} from './decision.ts';
import type {KeptRules} from './kept.ts';
import type {ApprovalMode} from './mode.ts';
import {grantsOf, questionOf} from './question.ts';
import {readRefusal, refusalOutput, unattendedSentence, type Refusal} from './refusal.ts';
import {exactText, type Rule, type Subject} from './rule.ts';
import {fileSubject, subjectOf} from './subject.ts';

export type ApprovalOptions = {
	readonly scope: Pick<Scope, 'pwd' | 'writable'>;
	readonly env: Env;
	readonly mode: ApprovalMode;
	/** What the two configuration files say. */
	readonly rules: Omit<Rules, 'answered'>;
	/** Shows a card. Resolves with `undefined` when the signal is aborted first. Absent where nobody can be asked. */
	readonly ask?: (question: Omit<Ask, 'id'>, signal: AbortSignal) => Promise<Answer | undefined>;
	readonly onMode?: (mode: ApprovalMode) => void;
	/** Tells what was refused because nobody can be asked, and what could not be kept. */
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
	/** Of a worker that shows no card: what would be asked about is refused. Hears of each call that is refused. */
	unattended(onRefused: (call: ToolCall, subject: Subject, why: string) => void): Judges;
	/**
	Why a file is not read that no call asked for, the end of a sentence about it; `undefined`: it may be read.
	`path`: as it was written, from `pwd` or absolute. `real`: where what was opened lies.
	*/
	refusesReading(path: string, real: string): Promise<string | undefined>;
};

type Judges = Required<Pick<Interceptor, 'preToolCall'>>;

/**
Judges each call before it runs and asks the person where that is to be. A question that an abort meets is no answer: the call stays
unanswered, and is asked about again when the turn is gone on with.
*/
export function createApprovals({scope, env, mode: firstMode, rules, ask, onMode, onTrouble}: ApprovalOptions): Approvals {
	let mode = firstMode;
	let project = rules.project;
	const session: Rule[] = [];
	const open = new Set<() => void>();
	let keptRules: Promise<KeptRules> | undefined;
	const kept = async () => (keptRules ??= import('./kept.ts').then(async ({openKeptRules}) => openKeptRules(env, scope.pwd)));

	type Looked = {
		readonly tool: string;
		readonly effect: ToolEffect;
		readonly subject: Subject;
		readonly answered: readonly Rule[];
	};
	const judge = ({answered, ...looked}: Looked) =>
		decide({...looked, mode, writable: scope.writable, rules: {person: rules.person, project, answered}});

	/** What was answered for good is read where it could make a difference. */
	async function look(tool: string, effect: ToolEffect, subject: Subject): Promise<Looked> {
		const looked = {tool, effect, subject, answered: session};
		if (judge(looked).type !== 'ask') return looked;
		return {...looked, answered: [...session, ...(await (await kept()).read())]};
	}

	async function remember(rule: Rule, always: boolean): Promise<void> {
		session.push(rule);
		const trouble = always ? await (await kept()).add(rule) : undefined;
		if (trouble !== undefined) onTrouble(trouble);
	}

	type Asking = {
		readonly looked: Looked;
		readonly decision: Extract<Decision, {type: 'ask'}>;
		readonly show: NonNullable<typeof ask>;
		readonly run: AbortSignal;
	};

	/** The person's answer; `allow` as well when the question is settled because it would not be asked any more. */
	async function answerTo(call: ToolCall, facts: CallFacts, {looked, decision, show, run}: Asking): Promise<Answer | undefined> {
		const moot = new AbortController();
		const settle = () => {
			if (judge(looked).type === 'run') moot.abort();
		};
		open.add(settle);
		try {
			const question = await questionOf(call, facts, looked.subject, decision);
			const answer = await show(question, AbortSignal.any([run, moot.signal]));
			return answer === undefined && !run.aborted ? {choice: 'allow'} : answer;
		} finally {
			open.delete(settle);
		}
	}

	return {
		setMode(next) {
			mode = next;
			for (const settle of open) settle();
			onMode?.(mode);
		},
		setProjectRules(next) {
			project = next;
			for (const settle of open) settle();
		},
		interceptor: run => ({
			async preToolCall(call, facts) {
				const subject = subjectOf(call.name, facts, scope.pwd);
				const looked = await look(call.name, facts.effect, subject);
				const decision = judge(looked);
				const refuse = (refusal: Refusal) => ({type: 'result', output: refusalOutput(call.name, refusal)}) as const;
				if (decision.type === 'deny') return refuse({type: 'rule', owner: decision.owner, rule: decision.rule});
				// Of one that may have run already the person is asked in every mode, by the guard behind this one; once is enough.
				if (decision.type === 'run' || isRisky(facts)) return {type: 'continue'};
				if (ask === undefined) {
					onTrouble(unattendedSentence(call.name, exactText(subject)));
					return refuse({type: 'unattended'});
				}
				const answer = await answerTo(call, facts, {looked, decision, show: ask, run});
				if (answer === undefined) return {type: 'pause'};
				if (answer.choice === 'session' || answer.choice === 'always') await remember(grantsOf(call.name, subject)[answer.choice], answer.choice === 'always');
				return answer.choice.startsWith('deny') ? refuse({type: 'person', reason: answer.reason}) : {type: 'continue'};
			},
		}),
		unattended: onRefused => ({
			async preToolCall(call, facts) {
				const subject = subjectOf(call.name, facts, scope.pwd);
				const refusal = refusalOf(judge(await look(call.name, facts.effect, subject)));
				if (refusal === undefined) return {type: 'continue'};
				onRefused(call, subject, readRefusal(refusal));
				return {type: 'result', output: refusalOutput(call.name, refusal)};
			},
		}),
		async refusesReading(path, real) {
			const refusal = refusalOf(judge(await look('read_file', 'read', fileSubject(path, real, scope.pwd))));
			return refusal && readRefusal(refusal);
		},
	};
}

/** What becomes of a call where nobody is asked. */
function refusalOf(decision: Decision): Extract<Refusal, {type: 'rule' | 'unattended'}> | undefined {
	if (decision.type === 'deny') return {type: 'rule', owner: decision.owner, rule: decision.rule};
	return decision.type === 'ask' ? {type: 'unattended'} : undefined;
}
