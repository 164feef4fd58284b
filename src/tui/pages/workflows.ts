import type {WorkflowInfo} from '../../pod/protocol.ts';
import {besideLine, blankLine, columnOf, exampleLines, namedLine, sectionLines} from './text/page-lines.ts';
import type {PageLine, TextPage} from './text/text-page.ts';
import {sanitizeLine} from '../text/sanitize.ts';
import type {Span} from '../text/span.ts';
import {isCommandName} from '../commands/commands.ts';

/** All workflows: those that you may invoke, those that only the model may, and the broken ones with the reason. */
export function workflowsPage(workflows: readonly WorkflowInfo[]): TextPage {
	const whole = workflows.filter(({error}) => error === undefined);
	const sections: ReadonlyArray<readonly [title: string, entries: readonly WorkflowInfo[]]> = [
		['To be invoked with /name', whole.filter(({userInvocable}) => userInvocable)],
		['For the model only', whole.filter(({userInvocable, modelInvocation}) => !userInvocable && modelInvocation)],
		['For nobody, as their files say', whole.filter(isForNobody)],
		['Broken', workflows.filter(({error}) => error !== undefined)],
	];
	const column = columnOf(workflows.map(({slug}) => nameOf(slug)));
	const filled = sections.filter(([, entries]) => entries.length > 0);
	const lines = filled.flatMap(([title, entries]) => {
		return sectionLines(
			title,
			entries.flatMap(entry => entryLines(entry, column)),
		);
	});
	return {kind: 'text', title: 'Workflows', top: 0, lines: lines.length === 0 ? none : lines};
}

const none: readonly PageLine[] = [
	blankLine,
	{spans: [{text: 'There is none yet. A workflow is a file .inkpod/workflows/NAME.md:'}]},
	blankLine,
	...exampleLines(['---', 'description: Review a change', 'requires: [style]', '---', 'Read the change. $ARGUMENTS']),
	blankLine,
	{spans: [{text: 'What it requires is beside it, in .inkpod/knowledge/style.md, and is sent with it.'}]},
];

function entryLines(entry: WorkflowInfo, column: number): PageLine[] {
	const {slug, description, error, userInvocable, remarks = [], shadows = []} = entry;
	const broken = (reason: string): Span => ({text: `✗ ${sanitizeLine(reason)}`, style: 'error'});
	const head = error === undefined ? {text: sanitizeLine(description)} : broken(error);
	const isEclipsed = error === undefined && userInvocable && isCommandName(slug);
	const warnings = [
		...remarks.map(remark => sanitizeLine(remark)),
		...shadows.map(file => `takes the place of ${sanitizeLine(file)}`),
		...(isEclipsed ? ['a command has this name: a space before it invokes the workflow'] : []),
	];
	return [
		namedLine(nameOf(slug), column, [head]),
		besideLine(column, [
			{
				text: factsOf(entry)
					.map(fact => sanitizeLine(fact))
					.join(' · '),
				style: 'dim',
			},
		]),
		...warnings.map(text => besideLine(column, [{text: `▲ ${text}`, style: 'warn'}])),
	];
}

function isForNobody({userInvocable, modelInvocation}: WorkflowInfo): boolean {
	return !userInvocable && !modelInvocation;
}

function factsOf({requires, file, source, userInvocable, modelInvocation, error}: WorkflowInfo): string[] {
	return [
		...(requires.length === 0 ? [] : [`requires ${requires.map(slug => `#${slug}`).join(', ')}`]),
		...(error === undefined && userInvocable && modelInvocation ? ['the model may invoke it too'] : []),
		file,
		...(source === 'user' ? ['yours'] : source === 'skill' ? ['a skill'] : []),
	];
}

function nameOf(slug: string): string {
	return `  /${sanitizeLine(slug)}`;
}
