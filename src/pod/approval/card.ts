import type {CallFacts, ToolCall, ToolPreview} from '../../worker/index.ts';
import {quoteUntrusted} from '../text/quote-untrusted.ts';
import type {Ask} from '../protocol.ts';
import type {Decision} from './decision.ts';
import {exactText, isRunLater, type Rule, type Subject} from './rule.ts';

/** The rules that two of a card's choices make. */
export type Grants = {readonly session: Rule; readonly always: Rule};

/**
What a card may allow beyond the one call. Of a command never more than its exact text. Of a file for the session every
call of the tool, which its scope confines, or only this file where its contents are run later; for good only this file.
Of another tool every call of it.
*/
export function grantsOf(tool: string, subject: Subject): Grants {
	const all: Rule = {tool, action: 'allow'};
	const exact: Rule = {tool, exact: exactText(subject), action: 'allow'};
	if (subject.kind === 'command' || isRunLater(subject)) return {session: exact, always: exact};
	return {session: all, always: subject.kind === 'path' ? exact : all};
}

/**
The card of a call: the whole preview, or the whole arguments where there is none. Each choice says what it will allow.
What is known to do nothing is no reason to allow this very file from now on.
*/
export async function approvalCard(
	{callId, name}: ToolCall,
	{preview, args}: Pick<CallFacts, 'preview' | 'args'>,
	subject: Subject,
	decision: Extract<Decision, {type: 'ask'}>,
): Promise<Omit<Ask, 'id'>> {
	// What cannot be shown beforehand will fail, too, and say why; the arguments are shown whole, as the tool is given
	// them.
	const shown: ToolPreview = (await preview?.().catch(() => undefined)) ?? {
		title: `Run ${name}?`,
		detail: JSON.stringify(args, null, 2),
		shows: 'text',
	};
	const [session, always] = labels[subject.kind](name, subject as never);
	return {
		callId,
		title: `${shown.title}${why[decision.reason]}`,
		detail: shown.detail,
		shows: shown.shows,
		choices: [
			{choice: 'allow', label: 'Yes, once'},
			...(shown.fails && isRunLater(subject) ? [] : [{choice: 'session', label: `For this session: ${session}`}]),
			...(shown.fails
				? []
				: [
						{
							choice: 'always',
							label: `Always in this project: ${always}`,
							rule: ruleText(grantsOf(name, subject).always),
						},
					]),
			{choice: 'deny', label: 'No', refuses: true, reason: true},
		],
	};
}

/** What the second confirmation shows: the whole rule, as it is kept. */
function ruleText({tool, exact}: Rule): string {
	return exact === undefined ? `Allow every call of ${tool}` : `Allow ${tool}, only for exactly:\n${exact}`;
}

const why: Readonly<Record<Extract<Decision, {type: 'ask'}>['reason'], string>> = {
	mode: '',
	runs_later: ' (this file is executed by other programs)',
	rule: ' (a rule requires approval)',
	read_only: ' (the scope is read-only, and nothing keeps this within it)',
};

const labels: {
	readonly [Kind in Subject['kind']]: (
		tool: string,
		subject: Extract<Subject, {kind: Kind}>,
	) => readonly [string, string];
} = {
	command: () => ['exactly this command', 'exactly this command'],
	path(tool, subject) {
		const exactly = `${tool} of ${quoteUntrusted(exactText(subject))}`;
		return [isRunLater(subject) ? exactly : `${tool} of any file in the scope`, exactly];
	},
	tool: tool => [`every call of ${tool}`, `every call of ${tool}`],
};
