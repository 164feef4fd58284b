import type {CallFacts, ToolCall, ToolPreview} from '../../worker/index.ts';
import {quoteUntrusted} from '../text/quote-untrusted.ts';
import type {Ask} from '../protocol.ts';
import type {Decision} from './decision.ts';
import {exactText, isRunLater, type Rule, type Subject} from './rule.ts';

/** The rules that two choices of a card make. */
export type Grants = {readonly session: Rule; readonly always: Rule};

/**
What a card may allow beyond the one call. For a command: its exact text, never more. For a file in this session: every
call of the tool, which the scope confines, or this file alone if other programs execute it. For a file for good: this
file alone. For another tool: every call of it.
*/
export function grantsOf(tool: string, subject: Subject): Grants {
	const all: Rule = {tool, action: 'allow'};
	const exact: Rule = {tool, exact: exactText(subject), action: 'allow'};
	if (subject.kind === 'command' || isRunLater(subject)) return {session: exact, always: exact};
	return {session: all, always: subject.kind === 'path' ? exact : all};
}

/**
The card of a call: the whole preview, or the whole arguments without one. Each choice says what it will allow. A call
that is known to fail does not offer to allow its file from now on.
*/
export async function approvalCard(
	{callId, name}: ToolCall,
	{preview, args}: Pick<CallFacts, 'preview' | 'args'>,
	subject: Subject,
	decision: Extract<Decision, {type: 'ask'}>,
): Promise<Omit<Ask, 'id'>> {
	// A call whose preview fails will fail, too, and say why. Its whole arguments are shown, as the tool gets them.
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

/** What the second confirmation shows: the whole rule, as it is saved. */
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
