import type {Ask, Question, QuestionAnswer} from '../../protocol.ts';
import {questionChoices} from '../../protocol/question-choices.ts';
import {questionLimits} from '../../protocol/questions.ts';
import type {Answer} from '../../permissions/approval/asks.ts';
import {fieldsOf, valueOf, type Field} from './elicited-fields.ts';
import {inertLine} from './inert-text.ts';
import {elicitTexts} from './texts.ts';

/** Shows a card. Resolves with `undefined` if the signal is aborted first. */
export type AskUser = (question: Omit<Ask, 'id'>, signal: AbortSignal) => Promise<Answer | undefined>;

/** What the server gets: the values of its fields, or that the user declined or did not answer. */
export type ElicitResult =
	| {readonly action: 'accept'; readonly content?: Record<string, unknown>}
	| {readonly action: 'decline' | 'cancel'};

export type Elicited = {
	readonly message: string;
	readonly mode?: unknown;
	readonly url?: unknown;
	readonly requestedSchema?: unknown;
};

/**
Creates the function that asks the user for a server: a form is a card with questions, and an address is shown but never
opened. A server has one open card at a time. Further requests are cancelled. `onOpen` learns about the card.
*/
export function createElicitation(
	server: string,
	ask: AskUser,
	signal: AbortSignal,
	onOpen: (isOpen: boolean) => void,
): (request: Elicited) => Promise<ElicitResult> {
	let isOpen = false;
	return async request => {
		if (isOpen) return {action: 'cancel'};
		isOpen = true;
		onOpen(true);
		try {
			return request.mode === 'url'
				? await askAboutAddress(server, request, {ask, signal})
				: await askForm(server, request, {ask, signal});
		} finally {
			isOpen = false;
			onOpen(false);
		}
	};
}

type Asking = {readonly ask: AskUser; readonly signal: AbortSignal};

async function askAboutAddress(server: string, {message, url}: Elicited, {ask, signal}: Asking): Promise<ElicitResult> {
	if (typeof url !== 'string' || url.length > maxAddress) return {action: 'cancel'};
	const answer = await ask(
		{
			title: elicitTexts.address(server),
			detail: `${message.slice(0, maxMessage)}\n\n${url}`,
			choices: [
				{choice: 'allow', label: elicitTexts.opened},
				{choice: 'deny', label: elicitTexts.decline, refuses: true},
			],
		},
		signal,
	);
	if (answer === undefined) return {action: 'cancel'};
	return {action: answer.choice === 'allow' ? 'accept' : 'decline'};
}

async function askForm(server: string, request: Elicited, {ask, signal}: Asking): Promise<ElicitResult> {
	const fields = fieldsOf(request.requestedSchema);
	if (fields === undefined || fields.length > maxFields) return {action: 'cancel'};
	const message = request.message.slice(0, maxMessage);
	const content: Record<string, unknown> = {};
	const cards = Math.max(1, Math.ceil(fields.length / questionLimits.questions));
	for (let card = 0; card < cards; card++) {
		const from = card * questionLimits.questions;
		const some = fields.slice(from, from + questionLimits.questions);
		const title = elicitTexts.form(server) + (cards === 1 ? '' : ` (${card + 1}/${cards})`);
		const end = await askFields({server, title, message, fields: some}, {ask, signal});
		if (end.action !== 'accept') return end;
		Object.assign(content, end.content);
	}
	return {action: 'accept', content};
}

type Form = {
	readonly server: string;
	readonly title: string;
	readonly message: string;
	readonly fields: readonly Field[];
};

/** Asks on one card, again until the values fit. */
async function askFields({server, title, message, fields}: Form, {ask, signal}: Asking): Promise<ElicitResult> {
	let problems: ReadonlyMap<Field, string> = new Map();
	for (let attempt = 0; attempt < maxAttempts; attempt++) {
		const detail = [message, ...[...problems].map(([{question}, problem]) => `${question.title}: ${problem}`)];
		const questions = questionsOf({server, message, fields, problems});
		const answer = await ask(cardOf(title, detail.join('\n'), questions), signal);
		if (answer === undefined) return {action: 'cancel'};
		if (answer.choice !== questionChoices.answer) return {action: 'decline'};
		const read = readAnswers(fields, answer.answers ?? []);
		if (read.problems.size === 0) return {action: 'accept', content: read.content};
		problems = read.problems;
	}
	return {action: 'cancel'};
}

/** Bounds of what a card shows, in UTF-16 units, and how often a form is asked until its values fit. */
const maxMessage = 4000;
const maxAddress = 4000;
const maxAttempts = 5;
/** A longer form is for a web page. */
const maxFields = 32;

/** A screen shows one question after another, so each says who asks, and the first one why. */
function questionsOf({
	server,
	message,
	fields,
	problems,
}: Omit<Form, 'title'> & {readonly problems: ReadonlyMap<Field, string>}): readonly Question[] {
	return fields.map((field, index) => {
		const problem = problems.get(field);
		const parts = [
			`${server}: ${index === 0 ? inertLine(message, 200) : field.question.title}`,
			...(problem === undefined ? [] : [problem]),
			...(index === 0 ? [field.question.title] : []),
		];
		return {...field.question, title: parts.join(' · ').slice(0, questionLimits.title).toWellFormed()};
	});
}

function cardOf(title: string, detail: string, questions: readonly Question[]): Omit<Ask, 'id'> {
	return {
		title,
		detail,
		...(questions.length > 0 && {questions: [...questions]}),
		choices: [
			{choice: questionChoices.answer, label: elicitTexts.answer},
			{choice: questionChoices.none, label: elicitTexts.decline, refuses: true},
		],
	};
}

function readAnswers(fields: readonly Field[], answers: readonly QuestionAnswer[]) {
	const content: Record<string, unknown> = {};
	const problems = new Map<Field, string>();
	for (const [index, field] of fields.entries()) {
		const read = valueOf(field, answers[index]);
		if (!read.ok) problems.set(field, read.problem);
		else if (read.value !== undefined) content[field.name] = read.value;
	}
	return {content, problems};
}
