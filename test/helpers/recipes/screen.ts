import type {Recipe} from './recipe.ts';

/** An origin whose messages have a kind of block of their own. */
export const origin: Recipe = {
	title: 'An origin',
	tests: [],
	changes: {
		'src/pod/protocol/origin.ts': [
			{
				before: "z.object({kind: z.literal('task'), parent: z.string()}),",
				add: "\tz.object({kind: z.literal('dummy'), name: z.string()}),",
			},
		],
		'src/transcript/block.ts': [{before: "notice: 'notice',", add: "\tdummy: 'dummy',"}],
		'src/transcript/system-title.ts': [
			{
				before: 'btw: ({question, model}) => ({',
				add: "\t\tdummy: ({name}) => ({name: named('Dummy', name, ''), facts: []}),",
			},
		],
	},
};

export const block: Recipe = {
	title: 'A kind of block',
	tests: ['test/fixtures/rows.test.ts'],
	changes: {
		'src/transcript/block.ts': [
			{
				before: '/** A child session that no call in the history has started. */',
				add: `	| {
			readonly kind: 'dummy';
			readonly id: string;
			readonly open: boolean;
			readonly item: Message;
			readonly origin?: Origin;
	  }`,
			},
		],
		'src/screen/rows/dummy.ts': `import type {BlockOf} from '../../transcript/block.ts';
import {shortName} from '../../transcript/system-title.ts';
import {textRows} from './parts/long-text.ts';
import {bodyGutter, bodyLayout, type Renderer} from './parts/render.ts';

/** Renders a dummy as its name, with its text below. */
export const dummyRenderer: Renderer<'dummy'> = {
	apart: true,
	folds: true,
	head: block => ({gutter: {text: '◇ ', style: 'dim'}, spans: [{text: dummyWords(block)}]}),
	body: ({item}, context) => textRows(item.text, bodyLayout(context, bodyGutter), () => 'dim'),
};

export function dummyWords(block: BlockOf<'dummy'>): string {
	return shortName(block);
}
`,
		'src/screen/rows/conversation.ts': [
			{before: "import {usageRenderer} from './usage.ts';", add: "import {dummyRenderer} from './dummy.ts';"},
			{before: 'child: childRenderer,', add: '\tdummy: dummyRenderer,'},
		],
		'src/screen/rows/spoken/spoken-block.ts': [
			{before: "import {thinkingWords} from '../thinking.ts';", add: "import {dummyWords} from '../dummy.ts';"},
			{before: 'child: block => ({title:', add: '\tdummy: block => ({title: dummyWords(block)}),'},
		],
		'src/cli/export/parts.ts': [
			{
				before: 'child: ({id, child}, exportContext) =>',
				add: `	dummy: ({id, item}) => [
		{kind: 'dummy', id, title: 'Dummy', sections: [{text: item.text}], isFolded: false},
	],`,
			},
		],
		'src/acp/updates/block-parts.ts': [
			{
				before: 'child: ({id, child: {started, ended}}) => [',
				add: "\tdummy: block => [textPart(block, 'agent_message_chunk')],",
			},
		],
		'test/helpers/situations.ts': [
			{
				before: "import {invocations} from './situations/invocations.ts';",
				add: "import {dummies} from './situations/dummy.ts';",
			},
			{before: '...invocations,', add: '\t...dummies,'},
		],
		'test/helpers/situations/dummy.ts': `import {createItems} from '../items.ts';
import type {Situation} from './situation.ts';

export const dummies: {readonly [name: string]: () => Situation} = {
	dummy() {
		const make = createItems();
		return {items: [make.user('Hello'), make.system('[Dummy: one]\\nIts text.', {kind: 'dummy', name: 'one'})]};
	},
};
`,
	},
};

export const command: Recipe = {
	title: 'A slash command',
	tests: ['test/screen/control/commands/run-command.test.ts', 'test/docs.test.ts'],
	changes: {
		'src/screen/model/commands/commands.ts': [
			{
				before: "quit: {group: 'sessions', sentence: commandTexts.quit},",
				add: "\tdummy: {group: 'sessions', sentence: commandTexts.dummy},",
			},
		],
		'src/screen/model/commands/texts.ts': [
			{before: 'quit: t`Quit (session can be resumed)`,', add: '\tdummy: t`Say hello`,'},
		],
		'src/screen/control/commands/run-command.ts': [
			{
				before: 'async quit(app) {',
				add: `	async dummy(app) {
		showAlert(app, {level: 'info', text: 'Hello.'});
		return undefined;
	},`,
			},
		],
		'test/screen/control/commands/run-command.test.ts': [
			{before: "quit: {sends: {method: 'shutdown'}},", add: "\tdummy: {says: 'Hello.'},"},
		],
		'docs/keys.md': [{before: '| `/quit` |', add: '| `/dummy` | say hello |'}],
	},
};
