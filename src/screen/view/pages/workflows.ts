import type {WorkflowInfo} from '../../../pod/protocol.ts';
import {besideLine, blankLine, columnOf, exampleLines, namedLine, sectionLines} from './page-lines.ts';
import type {PageLine, TextPage} from '../../model/pages/text-page.ts';
import {sanitizeLine} from '../../../text/sanitize.ts';
import type {Span} from '../../../text/span.ts';
import {isCommandName} from '../../model/commands/commands.ts';
import {
	hiddenByCommand,
	knowledgeFiles,
	modelInvokesToo,
	noWorkflows,
	overrides,
	pageTitles,
	requires,
	workflowSections,
	workflowSources,
} from '../../model/pages/texts.ts';

/**
Returns the page that lists all workflows: those that you can invoke, those that only the model can invoke, and broken
ones with the reason.
*/
export function workflowsPage(workflows: readonly WorkflowInfo[]): TextPage {
	const whole = workflows.filter(({error}) => error === undefined);
	const sections: ReadonlyArray<readonly [title: string, entries: readonly WorkflowInfo[]]> = [
		[workflowSections.available, whole.filter(({userInvocable}) => userInvocable)],
		[workflowSections.model, whole.filter(({userInvocable, modelInvocation}) => !userInvocable && modelInvocation)],
		[workflowSections.disabled, whole.filter(isDisabled)],
		[workflowSections.broken, workflows.filter(({error}) => error !== undefined)],
	];
	const column = columnOf(workflows.map(({slug}) => nameOf(slug)));
	const filled = sections.filter(([, entries]) => entries.length > 0);
	const lines = filled.flatMap(([title, entries]) => {
		return sectionLines(
			title,
			entries.flatMap(entry => entryLines(entry, column)),
		);
	});
	const hasOwn = workflows.some(({source}) => source !== 'shipped');
	return {kind: 'text', title: pageTitles.workflows, top: 0, lines: hasOwn ? lines : [...lines, ...none]};
}

const none: readonly PageLine[] = [
	blankLine,
	{spans: [{text: noWorkflows}]},
	blankLine,
	...exampleLines(['---', 'description: Review a change', 'requires: [style]', '---', 'Read the change. $ARGUMENTS']),
	blankLine,
	{spans: [{text: knowledgeFiles}]},
];

function entryLines(entry: WorkflowInfo, column: number): PageLine[] {
	const {slug, description, error, userInvocable, remarks = [], shadows = []} = entry;
	const broken = (reason: string): Span => ({text: `× ${sanitizeLine(reason)}`, style: 'error'});
	const head = error === undefined ? {text: sanitizeLine(description)} : broken(error);
	const isShadowed = error === undefined && userInvocable && isCommandName(slug);
	const warnings = [
		...remarks.map(sanitizeLine),
		...shadows.map(file => overrides(sanitizeLine(file))),
		...(isShadowed ? [hiddenByCommand] : []),
	];
	return [
		namedLine(nameOf(slug), column, [head]),
		besideLine(column, [
			{
				text: factsOf(entry).map(sanitizeLine).join(' · '),
				style: 'dim',
			},
		]),
		...warnings.map(text => besideLine(column, [{text: `▲ ${text}`, style: 'warn'}])),
	];
}

function isDisabled({userInvocable, modelInvocation}: WorkflowInfo): boolean {
	return !userInvocable && !modelInvocation;
}

function factsOf({requires: required, file, source, userInvocable, modelInvocation, error}: WorkflowInfo): string[] {
	return [
		...(required.length === 0 ? [] : [requires(required.map(slug => `#${slug}`))]),
		...(error === undefined && userInvocable && modelInvocation ? [modelInvokesToo] : []),
		...(source === 'shipped' ? [] : [file]),
		...(source === 'project' ? [] : [workflowSources[source]]),
	];
}

function nameOf(slug: string): string {
	return `  /${sanitizeLine(slug)}`;
}
