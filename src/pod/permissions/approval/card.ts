import type {CallFacts, ToolCall, ToolPreview} from '../../../worker/index.ts';
import {quoteUntrusted} from '../../ground/text/one-line.ts';
import type {Ask, AskChoice} from '../../protocol.ts';
import {patternText, type CommandPattern} from './command-starts.ts';
import type {Decision} from './decision.ts';
import {toolFactsOf} from '../../protocol/tool-definitions.ts';
import {exactText, isNewFile, isRunLater, type Rule, type Subject} from './rule.ts';
import {
	allowedCalls,
	askReasons,
	cardTexts,
	mayChangeFiles,
	patternRuleText,
	quotedList,
	savedRuleText,
} from './texts.ts';

/** The rules that two choices of a card create. */
type Grants = {readonly session: Rule; readonly always: Rule};

/**
Returns the rules that an answer creates, and whether they are saved. An answer about only this call creates no rules.
*/
export function rulesOf(choice: string, tool: string, subject: Subject, patterns: Patterns): Remembered {
	const {session, always} = grantsOf(tool, subject);
	const alike = patterns?.map((begins): Rule => ({tool, begins, action: 'allow'})) ?? [];
	const found: {readonly [Choice in string]?: Remembered} = {
		session: {rules: [session], isSaved: false},
		session_new: {rules: [{tool, isNew: true, action: 'allow'}], isSaved: false},
		always: {rules: [always], isSaved: true},
		session_alike: {rules: alike, isSaved: false},
		always_alike: {rules: alike, isSaved: true},
	};
	return found[choice] ?? {rules: [], isSaved: false};
}

type Remembered = {readonly rules: readonly Rule[]; readonly isSaved: boolean};
/** The patterns that a card offers for a command. */
export type Patterns = readonly CommandPattern[] | undefined;
/** The reason why a call needs approval, and the patterns that its card offers. */
export type Given = {readonly decision: Extract<Decision, {type: 'ask'}>; readonly patterns: Patterns};

/**
Returns the rules for what a card may allow beyond the one call. A command is allowed by its exact text only. For a
file, the session allows every call of the tool within the scope, or only this file if other programs execute it.
"Always" allows only this file. For a web address, its whole site is allowed. For another tool, every call is allowed.
*/
function grantsOf(tool: string, subject: Subject): Grants {
	const all: Rule = {tool, action: 'allow'};
	const exact: Rule = {tool, exact: exactText(subject), action: 'allow'};
	if (subject.kind === 'command' || isRunLater(subject)) return {session: exact, always: exact};
	if (subject.kind === 'url') return {session: exact, always: exact};
	return {session: all, always: subject.kind === 'path' ? exact : all};
}

/**
Creates the card of a call with the whole preview or, without a preview, with all arguments. The text of each choice
describes what it allows. The card of a call that is known to fail does not offer to allow its file from now on. In plan
mode no rule would allow the call, so the card offers no rule.
*/
export async function approvalCard(
	{callId, name}: ToolCall,
	{preview, args}: Pick<CallFacts, 'preview' | 'args'>,
	subject: Subject,
	{decision, patterns}: Given,
): Promise<Omit<Ask, 'id'>> {
	// If the preview of a call fails, the call itself will also fail and give the reason. The card then shows all
	// arguments of the call, as the tool gets them.
	const shown: ToolPreview = (await preview?.().catch(() => undefined)) ?? {
		title: cardTexts.run(name),
		detail: JSON.stringify(args, null, 2),
		shows: 'text',
	};
	return {
		callId,
		title: `${shown.title}${askReasons[decision.reason]}`,
		detail: shown.detail,
		shows: shown.shows,
		note: shown.note ?? (changesNothing(decision) ? mayChangeFiles : undefined),
		choices: [
			{choice: 'allow', label: cardTexts.once},
			...withRefusal(cardTexts.deny, lastingFor(name, subject, shown, {decision, patterns})),
		],
	};
}

/** Tells whether a call should change no files. If the tool has a note, the note says what a command can change. */
function changesNothing({reason}: Extract<Decision, {type: 'ask'}>): boolean {
	return reason === 'plan' || reason === 'read_only';
}

/**
The lasting choice that every card shows, and the choices that the card shows only after the key for more choices.
*/
type Lasting = {readonly usual?: AskChoice | undefined; readonly more: readonly AskChoice[]};

/** Returns the lasting choices of a card, with the choice that refuses among them. */
export function withRefusal(label: string, {usual, more}: Lasting): readonly AskChoice[] {
	const refusal: AskChoice = {choice: 'deny', label, refuses: true, reason: true};
	return [...(usual === undefined ? [] : [usual]), refusal, ...more.map(choice => ({...choice, more: true}))];
}

/** Returns the choices that allow more than this one call. `usually` is the label of the usual choice. */
export function lastingFor(
	tool: string,
	subject: Subject,
	shown: Pick<ToolPreview, 'fails'>,
	{decision, patterns}: Given,
	usually: (what: string) => string = cardTexts.dontAsk,
): Lasting {
	if (decision.reason === 'plan') return {more: []};
	return patterns === undefined
		? lastingChoices(tool, subject, shown, usually)
		: alikeChoices(tool, subject, patterns, usually);
}

/** Creates the card of a command that would otherwise run without a question and without confinement. */
export function unconfinedCard({callId}: ToolCall, command: string, why: string): Omit<Ask, 'id'> {
	return {
		callId,
		title: cardTexts.unconfined,
		detail: command,
		shows: 'command',
		note: why,
		choices: [
			{choice: 'allow', label: cardTexts.once},
			{choice: 'session', label: cardTexts.dontAsk(allowedCalls.unconfined)},
			{choice: 'deny', label: cardTexts.deny, refuses: true, reason: true},
		],
	};
}

function lastingChoices(
	tool: string,
	subject: Subject,
	{fails}: Pick<ToolPreview, 'fails'>,
	usually: (what: string) => string,
): Lasting {
	const [session, always] = allowedBy(tool, subject);
	const isOnlyThisFile = isRunLater(subject);
	if (!fails && !isOnlyThisFile && isNewFile(subject)) {
		return {
			usual: {choice: 'session_new', label: usually(allowedCalls.newFiles), unread: true},
			more: [{choice: 'session', label: cardTexts.session(session)}, exactChoice(tool, subject, always)],
		};
	}
	return {
		...(!(fails && isOnlyThisFile) && {usual: {choice: 'session', label: usually(session)}}),
		more: fails ? [] : [exactChoice(tool, subject, always)],
	};
}

/** Returns the choices for commands like this one. */
function alikeChoices(
	tool: string,
	subject: Subject,
	patterns: NonNullable<Patterns>,
	usually: (what: string) => string,
): Lasting {
	const texts = patterns.map(patternText);
	const alike = quotedList(texts);
	return {
		usual: {choice: 'session_alike', label: usually(alike)},
		more: [
			{choice: 'session', label: cardTexts.session(allowedCalls.thisCommand)},
			{choice: 'always_alike', label: cardTexts.always(alike), rule: patternRuleText(tool, texts)},
			exactChoice(tool, subject, allowedCalls.thisCommand),
		],
	};
}

function exactChoice(tool: string, subject: Subject, what: string): AskChoice {
	const {exact} = grantsOf(tool, subject).always;
	return {choice: 'always', label: cardTexts.always(what), rule: savedRuleText(tool, exact)};
}

/** Returns what the usual lasting choice and "Always" allow. */
function allowedBy(tool: string, subject: Subject): readonly [session: string, always: string] {
	if (subject.kind === 'command') return [allowedCalls.thisCommand, allowedCalls.thisCommand];
	if (subject.kind === 'url') {
		const site = allowedCalls.site(tool, quoteUntrusted(exactText(subject)));
		return [site, site];
	}
	if (subject.kind === 'tool') return [allowedCalls.calls(tool), allowedCalls.everyCall(tool)];
	const act = fileActOf(tool);
	const thisFile = allowedCalls.thisFile[act](quoteUntrusted(exactText(subject)), tool);
	return [isRunLater(subject) ? thisFile : allowedCalls.anyFile[act](tool), thisFile];
}

/** Returns which verb a card uses for a change of a file. */
function fileActOf(tool: string): keyof typeof allowedCalls.anyFile {
	const verb = toolFactsOf(tool)?.verb;
	return verb === 'edit' || verb === 'write' ? verb : 'other';
}
