import type {ToolOutput} from '../../worker/index.ts';
import {inert} from '../inert.ts';
import type {Rule} from './rule.ts';

/** Why a call was not run. */
export type Refusal =
	/** `reason`: what the person wants the model to know. */
	| {readonly type: 'person'; readonly reason?: string | undefined}
	| {readonly type: 'rule'; readonly owner: 'person' | 'project'; readonly rule: Rule}
	/** `reason`: what the hook said. */
	| {readonly type: 'hook'; readonly reason: string}
	/** It would have been asked about, and nobody can be asked. */
	| {readonly type: 'unattended'}
	/** A hook let it pass, and it is about something else by now. */
	| {readonly type: 'changed'};

/** The result that the model sees. */
export function refusalOutput(tool: string, refusal: Refusal): ToolOutput {
	const sentence = refusalSentence(tool, refusal);
	return {summary: summaries[refusal.type], content: sentence, isError: true};
}

export function refusalSentence(tool: string, refusal: Refusal): string {
	return (sentences[refusal.type] as (tool: string, refusal: Refusal) => string)(tool, refusal);
}

const summaries: Readonly<Record<Refusal['type'], string>> = {
	person: 'Refused by the person',
	rule: 'Refused by a rule',
	hook: 'Refused by a hook',
	unattended: 'Refused: nobody can be asked',
	changed: 'Refused: changed since a hook saw it',
};

const sentences: {readonly [Type in Refusal['type']]: (tool: string, refusal: Extract<Refusal, {type: Type}>) => string} = {
	person: (tool, {reason = ''}) => `The person did not allow this call of ${tool}; it was not run.${reason.trim() === '' ? ' Do not try it another way: ask them what they want instead.' : ` They say: ${reason.trim()}`}`,
	rule: (tool, {owner, rule}) => `A rule of ${owners[owner]} forbids this call of ${tool}${rule.match === undefined ? '' : ` (${inert(rule.match)})`}; it was not run, and nobody was asked. Do not try it another way.`,
	hook: (tool, {reason}) => `A hook of the person’s refused this call of ${tool}; it was not run, and nobody was asked. It says: ${reason}`,
	unattended: tool => `This call of ${tool} needs the person’s yes, and nobody can be asked here; it was not run. Go on without it, and say what could not be done.`,
	changed: tool =>
		`This call of ${tool} was not run (changed): its path leads elsewhere since a hook of the user's allowed it.` +
		' Call it again if you still need it.',
};

/** Why rules keep something from being done where nobody is asked, the end of a sentence about it. */
export function ruleReason(refusal: RuleRefusal): string {
	if (refusal.type === 'unattended') return 'a rule requires approval, and nobody is asked here.';
	return `a rule in ${refusal.owner === 'person' ? 'config.toml' : 'inkpod.toml'} denies it.`;
}

export type RuleRefusal = Extract<Refusal, {type: 'rule' | 'unattended'}>;

const owners = {person: 'the person’s config.toml', project: 'the project’s inkpod.toml'};

/** What the person is told of a call that nobody could allow, on one line. */
export function unattendedSentence(tool: string, subject: string): string {
	const characters = Array.from(subject);
	const what = inert(characters.length > 80 ? `${characters.slice(0, 80).join('')}…` : subject);
	return `${tool} was refused, for nobody can be asked here: ${what}. A rule in your config.toml or --approval allows it.`;
}
