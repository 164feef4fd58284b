import type {PermissionOption, ToolCallContent, ToolCallUpdate, PermissionOptionKind} from '@agentclientprotocol/sdk';
import {
	questionChoices,
	type Ask,
	type PodClient,
	type Question,
	type QuestionAnswer,
	type AskChoice,
} from '../../pod/protocol.ts';
import type {Editor} from '../initialize.ts';
import {permissionTexts} from '../texts.ts';
import type {Feed} from '../updates/feed.ts';
import {fenced, plain} from '../updates/fenced.ts';

/** Shows the open questions of a session as permission requests. */
type Permissions = {
	/** Shows new questions, and withdraws settled questions. */
	follow(asks: readonly Ask[]): void;
	/** Starts to show questions. Before its first prompt, an editor may not know the session yet. */
	open(): void;
	/** Withdraws all questions. */
	close(): void;
};

type PermissionOptions = {
	readonly pod: Pick<PodClient, 'send'>;
	readonly editor: Editor;
	/** The calls that the editor shows. A question about a call replaces its title and content. */
	readonly calls: Pick<Feed, 'callOf' | 'asking' | 'asked'>;
	/** Called when the user has closed a question without an answer. This stops the turn. */
	readonly onCancelled: () => void;
};

export function createPermissions(options: PermissionOptions): Permissions {
	const shown = new Map<string, AbortController>();
	const rejected = new Set<string>();
	let isOpen = false;
	let asks: readonly Ask[] = [];

	function showNew(): void {
		if (!isOpen) return;
		for (const ask of asks) {
			if (shown.has(ask.id)) continue;
			const taken = new AbortController();
			shown.set(ask.id, taken);
			void settle(ask, {...options, rejected, signal: taken.signal});
		}
	}

	return {
		follow(next) {
			asks = next;
			const open = new Set(next.map(({id}) => id));
			for (const [id, taken] of shown) {
				if (open.has(id)) continue;
				taken.abort();
				shown.delete(id);
			}
			showNew();
		},
		open() {
			isOpen = true;
			showNew();
		},
		close() {
			isOpen = false;
			for (const taken of shown.values()) taken.abort();
			shown.clear();
		},
	};
}

type Settling = PermissionOptions & {readonly rejected: Set<string>; readonly signal: AbortSignal};

/**
Asks the user, and answers the pod. If the editor cannot ask, the function refuses. If the editor has disconnected, it
does not answer.
*/
async function settle(ask: Ask, settling: Settling): Promise<void> {
	const {pod, editor, onCancelled, rejected, signal} = settling;
	const key = JSON.stringify([ask.title, ask.detail]);
	const answer = rejected.has(key) ? {choice: refusalOf(ask)} : await answerOf(ask, settling);
	if (signal.aborted || editor.gone.aborted) return;
	if (answer === 'cancelled') {
		onCancelled();
		return;
	}
	if (answer.isLasting === true) rejected.add(key);
	const {choice, answers} = answer;
	const given = {choice, from: 'editor', ...(answers !== undefined && {answers: [...answers]})};
	await pod.send({method: 'answer', askId: ask.id, ...given});
}

type Answered =
	| {readonly choice: string; readonly answers?: readonly QuestionAnswer[]; readonly isLasting?: boolean}
	| 'cancelled';

async function answerOf(ask: Ask, settling: Settling): Promise<Answered> {
	if (ask.questions !== undefined) return answersOf(ask, ask.questions, settling);
	const options = optionsOf(ask);
	const outcome = await askUser(callOfAsk(ask, settling, contentOf(ask)), options, settling);
	if (outcome?.outcome === 'cancelled') return 'cancelled';
	if (outcome?.outcome !== 'selected') return {choice: refusalOf(ask)};
	if (outcome.optionId === rejectAlways) return {choice: refusalOf(ask), isLasting: true};
	const isOffered = options.some(({optionId}) => optionId === outcome.optionId);
	return {choice: isOffered ? outcome.optionId : refusalOf(ask)};
}

/** Asks several questions one after another. */
async function answersOf(ask: Ask, questions: readonly Question[], settling: Settling): Promise<Answered> {
	const answers: QuestionAnswer[] = [];
	for (const question of questions) {
		const toolCall = {...callOfAsk(ask, settling, []), title: question.title};
		const outcome = await askUser(toolCall, questionOptions(question), settling);
		if (outcome?.outcome === 'cancelled') return 'cancelled';
		answers.push(outcome?.outcome === 'selected' ? questionAnswer(outcome.optionId) : {});
	}
	const isAnswered = answers.some(({options}) => options !== undefined);
	return isAnswered ? {choice: questionChoices.answer, answers} : {choice: refusalOf(ask)};
}

async function askUser(
	toolCall: AskedCall,
	options: PermissionOption[],
	{editor, calls, signal}: Settling,
): ReturnType<Editor['ask']> {
	const {toolCallId: id, title, content} = toolCall;
	calls.asking(id, {title, content});
	try {
		return await editor.ask({toolCall, options}, signal);
	} finally {
		calls.asked(id);
	}
}

type AskedCall = ToolCallUpdate & {readonly title: string; readonly content: ToolCallContent[]};

/**
Returns the tool call that shows a question. A question that does not belong to a call of this session gets a new tool
call.
*/
function callOfAsk({id, callId, child, title}: Ask, {calls}: Settling, content: ToolCallContent[]): AskedCall {
	const call = callId === undefined || child !== undefined ? undefined : calls.callOf(callId);
	return {
		toolCallId: call ?? `ask:${id}`,
		title: child === undefined ? title : permissionTexts.ofChild(child.title, title),
		status: 'pending',
		...(call === undefined && {kind: 'other' as const}),
		content,
		_meta: {inkpod: {ask: id, ...(child !== undefined && {child: child.id})}},
	};
}

function contentOf(ask: Ask): ToolCallContent[] {
	const {detail, note, shows = 'text'} = ask;
	const rule = ruleOf(ask);
	return [
		...(detail === '' ? [] : [shows === 'markdown' ? plain(detail) : fenced(detail, languages[shows])]),
		...(note === undefined ? [] : [fenced(note)]),
		...(rule === undefined ? [] : [fenced(permissionTexts.writesRule(rule))]),
	];
}

const languages = {command: 'sh', diff: 'diff', text: ''} as const;

const noAnswer = 'none';

/**
Returns the options for a question that the model asks. An editor has no text field for an answer, so the user has to
type it as a later message.
*/
function questionOptions({options = []}: Question): PermissionOption[] {
	return [
		...options.map((name, index): PermissionOption => ({optionId: `option-${index}`, name, kind: 'allow_once'})),
		{optionId: noAnswer, name: permissionTexts.noAnswer, kind: 'reject_once'},
	];
}

/** Returns the answer for an option. */
function questionAnswer(optionId: string): QuestionAnswer {
	const [, index] = /^option-(\d)$/.exec(optionId) ?? [];
	return index === undefined ? {} : {options: [Number(index)]};
}

/**
The id of the option that rejects the same question for the rest of the session. Only the ACP server knows this option.
*/
const rejectAlways = 'reject_always';

/**
Returns the options of a question. `allow_always` covers only exactly this text. The function leaves out choices that
would also allow other commands, because an editor may choose the first option of a kind without showing it to the user.
It also leaves out the list of changes, because an editor cannot mark several options.
*/
function optionsOf({choices, callId}: Ask): PermissionOption[] {
	const offered = choices.filter(({choice}) => !choice.endsWith('_alike') && choice !== 'some');
	const options = offered.map((choice): PermissionOption => ({
		optionId: choice.choice,
		name: choice.label,
		kind: kindOf(choice),
	}));
	const sorted = options.toSorted((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind));
	if (callId === undefined) return sorted;
	return [...sorted, {optionId: rejectAlways, name: permissionTexts.rejectAlways, kind: 'reject_always'}];
}

const order: readonly PermissionOptionKind[] = ['allow_once', 'allow_always', 'reject_once', 'reject_always'];

function kindOf({choice, refuses}: AskChoice): PermissionOptionKind {
	if (refuses === true) return 'reject_once';
	return saved.has(choice) ? 'allow_always' : 'allow_once';
}

/** The choices that are saved on disk: a rule for exactly this text, and trust in exactly these contents. */
const saved: ReadonlySet<string> = new Set(['always', 'trust']);

/** Returns the rule that the choice "Always" saves. The question shows it. */
function ruleOf({choices}: Ask): string | undefined {
	return choices.find(({choice}) => choice === 'always')?.rule;
}

/** Returns the choice that refuses. Every question has such a choice. */
function refusalOf({choices}: Ask): string {
	return choices.find(({refuses}) => refuses === true)?.choice ?? '';
}
