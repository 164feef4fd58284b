import {markdownOf, narrowDetails, type Task, type ToolDetails} from '../../../pod/protocol.ts';
import {lineRows, type Row} from '../../spans/row.ts';
import {sanitizeLine} from '../../../text/sanitize.ts';
import type {Span, Style} from '../../../text/span.ts';
import {taskSigns} from '../../../transcript/lists/task-signs.ts';
import type {BlockOf} from '../../../transcript/block.ts';
import {markdownRows} from '../../markdown/stream.ts';
import {hiddenCharacters, noAnswer, planDecisions} from '../../../transcript/texts.ts';
import {cutMiddle, noteRows} from './long-text.ts';
import {bodyLayout, type RenderContext} from './render.ts';

/**
Returns the special body of a call: questions with their answers, a list of tasks, or a plan. Returns `undefined` for
other calls. The choice depends on the tool's definition and the details of the result, never on texts.
*/
export function ownRows(block: BlockOf<'tool'>, context: RenderContext): readonly Row[] | undefined {
	const {answers, tasks, plan} = detailsOf(block);
	if (answers !== undefined) return answerRows(answers, context);
	if (tasks !== undefined) return context.view === 'detail' ? tasks.flatMap(task => taskRows(task, context)) : [];
	const markdown = shownMarkdown(block);
	if (markdown === undefined) return undefined;
	// While the card waits for the decision, the card shows the whole plan.
	if (block.result === undefined && context.phase === 'asking') return [];
	return [...planRows(markdown, context), ...(plan === undefined ? [] : decisionRows(plan, context))];
}

/**
Tells whether the normal view shows the special body of a call. A list of tasks is left out, because it has its own
region on the screen.
*/
export function hasOwnRows(block: BlockOf<'tool'>): boolean {
	const {answers, tasks} = detailsOf(block);
	return tasks === undefined && (answers !== undefined || shownMarkdown(block) !== undefined);
}

function detailsOf({result}: BlockOf<'tool'>): ToolDetails {
	return result?.details === undefined ? {} : narrowDetails(result.details);
}

function shownMarkdown({call, result, open}: BlockOf<'tool'>): string | undefined {
	return call === undefined || open || result?.isError === true ? undefined : markdownOf(call);
}

function answerRows(answers: NonNullable<ToolDetails['answers']>, context: RenderContext): readonly Row[] {
	return answers.flatMap(({title, answer}) =>
		lineRows(
			[
				{text: `${sanitizeLine(title)} `, style: 'dim'},
				answer === undefined ? {text: noAnswer, style: 'dim'} : {text: `→ ${sanitizeLine(answer)}`},
			],
			bodyLayout(context),
		),
	);
}

function taskRows({text, state}: Task, context: RenderContext): readonly Row[] {
	const {glyph, style} = taskSigns[state];
	return lineRows([{text: `${glyph} `, style}, taskText(text, style)], bodyLayout(context));
}

function taskText(text: string, style: Style): Span {
	return style === 'info' ? {text: sanitizeLine(text)} : {text: sanitizeLine(text), style: 'dim'};
}

function planRows(markdown: string, context: RenderContext): readonly Row[] {
	const layout = bodyLayout(context);
	const {head, hidden} = cutMiddle(markdown);
	const rows = markdownRows(head, layout);
	return hidden === 0 ? rows : [...rows, ...noteRows(hiddenCharacters(hidden), layout)];
}

function decisionRows(plan: NonNullable<ToolDetails['plan']>, context: RenderContext): readonly Row[] {
	const text = planDecisions[plan.outcome](plan.mode, sanitizeLine(plan.reason ?? ''));
	const style = plan.outcome === 'accepted' ? 'ok' : 'dim';
	return lineRows([{text, style}], bodyLayout(context));
}
