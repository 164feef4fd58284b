import {z} from 'zod';
import {en, t} from '../../../language/index.ts';
import {defineTool, type Tool, type ToolOutput} from '../../../worker/index.ts';
import type {Ask, Question, QuestionAnswer, ToolDetails} from '../../protocol.ts';
import {questionLimits} from '../../protocol/questions.ts';
import {questionChoices} from '../../protocol/question-choices.ts';
import type {Answer} from '../../permissions/approval/asks.ts';
import {askFacts, tasksFacts} from '../../protocol/tool-definitions.ts';
import {taskLimits, taskStates, type Task} from '../../protocol/tasks.ts';

type AskToolOptions = {
	/** Shows a card. It is absent if nobody can answer. */
	readonly ask?: (question: Omit<Ask, 'id'>, signal: AbortSignal) => Promise<Answer | undefined>;
};

/** Creates the tool that asks the user. The call contains the questions, and its result contains the answers. */
export function askTool({ask}: AskToolOptions): Tool {
	const texts = askFacts.arguments;
	const question = z.object({
		title: z.string().trim().min(1).max(questionLimits.title),
		options: z
			.array(z.string().trim().min(1).max(questionLimits.option))
			.max(questionLimits.options)
			.optional()
			.describe(texts.options),
		multiple: z.boolean().optional(),
		free: z.boolean().optional().describe(texts.free),
	});
	return defineTool({
		...askFacts,
		input: z.object({
			questions: z.array(question).min(1).max(questionLimits.questions).describe(texts.questions),
		}),
		async execute({questions}, {callId, signal}) {
			if (ask === undefined) return unattended;
			const answer = await ask(cardOf(questions, callId), signal);
			signal.throwIfAborted();
			return outputOf(questions, answer);
		},
	});
}

/**
Creates the tool that keeps the list of tasks. The list is in the call and in its result's details, so the history alone
restores it.
*/
export function tasksTool(): Tool {
	return defineTool({
		...tasksFacts,
		input: z.object({
			items: z
				.array(
					z.object({
						text: z.string().min(1).max(taskLimits.text),
						state: z.enum(taskStates),
					}),
				)
				.max(taskLimits.items),
		}),
		execute: async ({items}) => ({
			summary: summaryOf(items),
			content: `The user sees the list: ${summaryOf(items)}.`,
			details: {tasks: items},
		}),
	});
}

/** Returns the card. A client that does not know questions still shows all of them, and can decline to answer. */
function cardOf(questions: readonly Question[], callId: string): Omit<Ask, 'id'> {
	return {
		callId,
		title: questions.length === 1 ? (questions[0]?.title ?? '') : t`${questions.length} questions`,
		detail: questions.flatMap(({title, options = []}) => [title, ...options.map(text => `- ${text}`)]).join('\n'),
		questions: [...questions],
		choices: [
			{choice: questionChoices.answer, label: t`Answer`},
			{choice: questionChoices.none, label: t`No answer`, refuses: true, reason: true},
		],
	};
}

type Answers = NonNullable<ToolDetails['answers']>;

function outputOf(questions: readonly Question[], answer: Answer | undefined): ToolOutput {
	const given = answer?.choice === questionChoices.answer ? (answer.answers ?? []) : [];
	const answers: Answers = questions.map((question, index) => {
		const text = answerText(question, given[index]);
		return {title: question.title, ...(text !== '' && {answer: text})};
	});
	const count = answers.filter(each => each.answer !== undefined).length;
	const reason = answer?.reason?.trim() ?? '';
	const blocks = answers.map(each => `Question: ${each.title}\nAnswer: ${each.answer ?? en`(no answer)`}`);
	return {
		summary: count === 0 ? en`no answer` : en`${count} of ${questions.length} answered`,
		content: [...blocks, ...(reason === '' ? [] : [en`The user says: ${reason}`])].join('\n\n'),
		details: {answers},
	};
}

function answerText({options = []}: Question, answer: QuestionAnswer | undefined): string {
	const chosen = [...new Set(answer?.options ?? [])].map(index => options[index]).filter(text => text !== undefined);
	return [...chosen, answer?.text?.trim() ?? ''].filter(text => text !== '').join('; ');
}

const denied: ToolDetails['denied'] = {by: 'unattended'};

const unattended: ToolOutput = {
	summary: en`Denied: no one to answer`,
	content: en`Nobody can answer questions here. Decide yourself, and name each decision in your answer.`,
	isError: true,
	details: {denied},
};

function summaryOf(items: readonly Task[]): string {
	if (items.length === 0) return en`no tasks`;
	const done = items.filter(({state}) => state === 'done').length;
	const now = items.find(({state}) => state === 'in_progress');
	if (now === undefined) return en`${done} of ${items.length}`;
	return en`${done} of ${items.length} · now: ${now.text.replaceAll(/\s+/g, ' ')}`;
}
