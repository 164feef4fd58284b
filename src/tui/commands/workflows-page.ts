import type {WorkflowInfo} from '../../pod/protocol.ts';
import type {PageLine, TextPage} from '../overlay/page.ts';
import {sanitizeLine} from '../text/sanitize.ts';
import {pad, width} from '../text/width.ts';
import type {Span} from '../text/span.ts';
import {isCommandName} from './commands.ts';

/** All workflows: what a person may invoke, what only the model may, and what is broken and why. */
export function workflowsPage(workflows: readonly WorkflowInfo[]): TextPage {
	const whole = workflows.filter(({error}) => error === undefined);
	const sections: ReadonlyArray<readonly [title: string, entries: readonly WorkflowInfo[]]> = [
		['To be invoked with /name', whole.filter(({userInvocable}) => userInvocable)],
		['For the model only', whole.filter(({userInvocable, modelInvocation}) => !userInvocable && modelInvocation)],
		['For nobody, as their files say', whole.filter(({userInvocable, modelInvocation}) => !userInvocable && !modelInvocation)],
		['Broken', workflows.filter(({error}) => error !== undefined)],
	];
	const column = Math.min(widest, Math.max(0, ...workflows.map(({slug}) => width(nameOf(slug))))) + 2;
	const lines = sections.filter(([, entries]) => entries.length > 0).flatMap(([title, entries]) => [blank, {spans: [{text: title, style: 'heading'}]} satisfies PageLine, ...entries.flatMap(entry => entryLines(entry, column))]);
	return {title: 'Workflows', top: 0, lines: lines.length === 0 ? none : lines};
}

/** Cells of the first column; a longer name pushes its own description only. */
const widest = 26;
const blank: PageLine = {spans: []};

const none: readonly PageLine[] = [
	blank,
	{spans: [{text: 'There is none yet. A workflow is a file .inkpod/workflows/NAME.md:'}]},
	blank,
	...['---', 'description: Review a change', 'requires: [style]', '---', 'Read the change. $ARGUMENTS'].map((text): PageLine => ({lead: {text: '  │ ', style: 'dim'}, spans: [{text, style: 'code'}]})),
	blank,
	{spans: [{text: 'What it requires is beside it, in .inkpod/knowledge/style.md, and is sent with it.'}]},
];

function entryLines(entry: WorkflowInfo, column: number): PageLine[] {
	const {slug, description, error, userInvocable, remarks = [], shadows = []} = entry;
	const rest: Span = {text: ' '.repeat(column + 2)};
	const below = (spans: readonly Span[]): PageLine => ({lead: rest, spans});
	const head: PageLine = {lead: {text: `${pad(nameOf(slug), column)}  `, style: 'accent'}, spans: [{text: sanitizeLine(description)}]};
	return [
		error === undefined ? head : {...head, spans: [{text: `✗ ${sanitizeLine(error)}`, style: 'error'}]},
		below([{text: factsOf(entry).map(fact => sanitizeLine(fact)).join(' · '), style: 'dim'}]),
		...remarks.map(remark => below([{text: `▲ ${sanitizeLine(remark)}`, style: 'warn'}])),
		...shadows.map(file => below([{text: `▲ takes the place of ${sanitizeLine(file)}`, style: 'warn'}])),
		...(error === undefined && userInvocable && isCommandName(entry.slug) ? [below([{text: '▲ a command has this name: a space before it invokes the workflow', style: 'warn'}])] : []),
	];
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
