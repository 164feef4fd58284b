import type {Ask, Question, QuestionAnswer} from '../../protocol.ts';
import {questionLimits} from '../../protocol/questions.ts';
import {questionChoices} from '../../protocol/question-choices.ts';
import type {Answer} from '../../permissions/approval/asks.ts';
import {inertLine} from './scrubber.ts';
import {elicitTexts} from './texts.ts';
import {z} from 'zod';
import {isRecord} from '../../ground/values/is-record.ts';

/** Shows a card. Resolves with `undefined` if the signal is aborted first. */
export type AskUser = (question: Omit<Ask, 'id'>, signal: AbortSignal) => Promise<Answer | undefined>;

/** The answer for the server: the values of its fields, or that the user declined or did not answer. */
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
Creates the function that asks the user a question of a server. The function shows a form as a card with questions. The
function shows a web address, but never opens it. A server has at most one open card, and its other requests are
cancelled meanwhile. `onOpen` is called when the card opens and closes.
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

/** Returns the fields of a form, or `undefined` if MCP does not allow this form. */
export function fieldsOf(schema: unknown): readonly Field[] | undefined {
	const read = formSchema.safeParse(isRecord(schema) ? schema : {});
	if (!read.success) return undefined;
	const {properties = {}, required = []} = read.data;
	return Object.entries(properties).map(([name, field]) => fieldOf(name, field, required.includes(name)));
}

/** Reads the answer to a field. If there is no answer, returns the default of the field. */
export function valueOf({schema, options, isRequired, question}: Field, answer: QuestionAnswer | undefined): ReadValue {
	const chosen = (answer?.options ?? []).map(index => options[index]).filter(value => value !== undefined);
	const text = answer?.text?.trim() ?? '';
	if (chosen.length === 0 && text === '') {
		if (schema.default !== undefined) return {ok: true, value: schema.default};
		return isRequired ? {ok: false, problem: elicitTexts.missing} : {ok: true, value: undefined};
	}
	if (question.options !== undefined) {
		if (schema.type === 'array') return itemsOf(chosen, schema);
		return chosen.length === 1 ? {ok: true, value: chosen[0]} : {ok: false, problem: elicitTexts.chooseOne};
	}
	return typedValue(schema, text);
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

/** Asks for the fields on one card. Asks again until the values fit, at most `maxAttempts` times. */
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

/**
The maximum lengths of a message and of an address on a card, in UTF-16 code units, and the maximum number of attempts.
*/
const maxMessage = 4000;

const maxAddress = 4000;

const maxAttempts = 5;

/** The maximum number of fields. A server can show a longer form on a web page. */
const maxFields = 32;

/**
Returns the questions of a form. A screen shows them one after another, so each question contains the name of the
server, and the first question also contains its message.
*/
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

/** A field of a server's form, and the question that asks for its value. */
type Field = {
	readonly name: string;
	readonly question: Question;
	readonly isRequired: boolean;
	/** The values of the options. */
	readonly options: readonly unknown[];
	readonly schema: FieldSchema;
};

type FieldSchema = z.infer<typeof fieldSchema>;

/** The primitive schemas of MCP (2025-11-25, “Elicitation”). Unknown keys are ignored. */
const fieldSchema = z.object({
	type: z.enum(['string', 'number', 'integer', 'boolean', 'array']),
	title: z.string().optional(),
	description: z.string().optional(),
	default: z.unknown().optional(),
	enum: z.array(z.string()).optional(),
	enumNames: z.array(z.string()).optional(),
	oneOf: z.array(z.object({const: z.string(), title: z.string().optional()})).optional(),
	items: z
		.object({
			enum: z.array(z.string()).optional(),
			anyOf: z.array(z.object({const: z.string(), title: z.string().optional()})).optional(),
		})
		.optional(),
	minimum: z.number().optional(),
	maximum: z.number().optional(),
	minLength: z.number().optional(),
	maxLength: z.number().optional(),
	minItems: z.number().optional(),
	maxItems: z.number().optional(),
	format: z.string().optional(),
});

const formSchema = z.object({
	properties: z.record(z.string(), fieldSchema).optional(),
	required: z.array(z.string()).optional(),
});

type Option = {readonly value: unknown; readonly label: string};

function fieldOf(name: string, schema: FieldSchema, isRequired: boolean): Field {
	const all = optionsOf(schema);
	// If there are more options than a card has keys, the question lists the options, and the user types the answer.
	const options = all.length <= questionLimits.options ? all : [];
	const typed = all.length > 0 && options.length === 0 ? all.map(({label}) => label) : [];
	const title = [
		inertLine(schema.title ?? name, 120),
		...[schema.description ?? '', hintOf(schema, isRequired), typed.join(', ')]
			.map(text => inertLine(text, 300))
			.filter(text => text !== ''),
	].join(' · ');
	return {
		name,
		isRequired,
		schema,
		options: options.map(({value}) => value),
		question: {
			title: title.slice(0, questionLimits.title).toWellFormed(),
			...(options.length > 0 && {
				options: options.map(({label}) => inertLine(label === '' ? '""' : label, questionLimits.option)),
				free: false,
			}),
			...(schema.type === 'array' && {multiple: true}),
		},
	};
}

function optionsOf({type, enum: values, enumNames = [], oneOf, items}: FieldSchema): readonly Option[] {
	if (type === 'boolean')
		return [
			{value: true, label: elicitTexts.yes},
			{value: false, label: elicitTexts.no},
		];
	const titled = oneOf ?? items?.anyOf;
	if (titled !== undefined) return titled.map(({const: value, title = value}) => ({value, label: title}));
	return (values ?? items?.enum ?? []).map((value, index) => ({value, label: enumNames[index] ?? value}));
}

function hintOf(schema: FieldSchema, isRequired: boolean): string {
	const {type, format, minimum, maximum} = schema;
	const range = minimum === undefined && maximum === undefined ? '' : ` ${minimum ?? ''}…${maximum ?? ''}`;
	return [
		type === 'number' || type === 'integer' ? `${type}${range}` : (format ?? ''),
		isRequired ? '' : elicitTexts.optional,
		schema.default === undefined ? '' : elicitTexts.default(JSON.stringify(schema.default)),
	]
		.filter(text => text !== '')
		.join(', ');
}

type ReadValue = {readonly ok: true; readonly value: unknown} | {readonly ok: false; readonly problem: string};

function itemsOf(chosen: readonly unknown[], {minItems = 0, maxItems = Infinity}: FieldSchema): ReadValue {
	if (chosen.length < minItems) return {ok: false, problem: elicitTexts.atLeast(minItems)};
	return chosen.length > maxItems
		? {ok: false, problem: elicitTexts.atMost(maxItems)}
		: {ok: true, value: [...chosen]};
}

function typedValue(schema: FieldSchema, text: string): ReadValue {
	const {type, minimum = -Infinity, maximum = Infinity, minLength = 0, maxLength = Infinity} = schema;
	if (type === 'number' || type === 'integer') {
		const number = Number(text);
		if (!Number.isFinite(number) || (type === 'integer' && !Number.isInteger(number)))
			return {ok: false, problem: type === 'integer' ? elicitTexts.integer : elicitTexts.number};
		if (number < minimum) return {ok: false, problem: elicitTexts.atLeast(minimum)};
		return number > maximum ? {ok: false, problem: elicitTexts.atMost(maximum)} : {ok: true, value: number};
	}
	const options = optionsOf(schema);
	const words = type === 'array' ? text.split(',').map(word => word.trim()) : [text];
	const values = words.map(word => options.find(({value, label}) => value === word || label === word)?.value);
	if (options.length > 0 && values.includes(undefined)) return {ok: false, problem: elicitTexts.noOption};
	if (type === 'array') return itemsOf(options.length > 0 ? values : words, schema);
	if (options.length > 0) return {ok: true, value: values[0]};
	const {length} = Array.from(text);
	if (length < minLength || length > maxLength)
		return {ok: false, problem: elicitTexts.length(minLength, Number.isFinite(maxLength) ? maxLength : undefined)};
	return formatFits(schema.format, text)
		? {ok: true, value: text}
		: {ok: false, problem: elicitTexts.format(schema.format ?? '')};
}

function formatFits(format: string | undefined, text: string): boolean {
	if (format === 'email') return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text);
	if (format === 'uri') return URL.canParse(text);
	if (format === 'date') return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
	if (format === 'date-time') return /^\d{4}-\d{2}-\d{2}T/.test(text) && !Number.isNaN(Date.parse(text));
	return true;
}
