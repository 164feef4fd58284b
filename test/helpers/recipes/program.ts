import type {Recipe} from './recipe.ts';

export const subcommand: Recipe = {
	title: 'A subcommand',
	tests: ['test/cli/args.test.ts', 'test/language/translate.catalogues.test.ts'],
	changes: {
		'src/cli/subcommands/dummy.ts': `import {subcommand} from '../start/subcommand.ts';
import {noArguments} from '../start/texts.ts';

export const dummy = subcommand({
	name: 'dummy',
	about: 'say hello',
	read: words => (words.length > 0 ? noArguments('dummy', words) : {command: 'dummy'}),
	async run(_launch, {stdout}) {
		const command = await import('../dummy.ts');
		return command.greet(stdout);
	},
});
`,
		'src/cli/subcommands/list.ts': [
			{before: "import {exported} from './export.ts';", add: "import {dummy} from './dummy.ts';"},
			{before: 'doctor,', add: '\tdummy,'},
		],
		'src/cli/dummy.ts': `import type {Output} from './sessions.ts';

/** Implements \`inkpod dummy\`: says hello. */
export async function greet(stdout: Output): Promise<number> {
	stdout.write('Hello.\\n');
	return 0;
}
`,
		'test/cli/args.test.ts': [
			{before: "['reads repair',", add: "\t\t['reads dummy', ['dummy'], {command: 'dummy'}],"},
		],
	},
};

export const provider: Recipe = {
	title: 'A provider of models',
	tests: [
		'test/worker/wires/providers.test.ts',
		'test/worker/wires/load.test.ts',
		'test/pod/config/settings/all-settings.test.ts',
	],
	changes: {
		'src/worker/wires/dialects.ts': [
			{before: '// ai.google.dev/gemini-api/docs/thought-signatures', add: '\tdummy: plain,'},
		],
		'src/worker/wires/providers.ts': [
			{before: 'azure: {', add: "\tdummy: hosted('dummy', 'DUMMY_API_KEY', 'https://api.dummy.example/v1'),"},
		],
		'docs/providers.md': [
			{
				before: '| Azure OpenAI',
				add: '| Dummy | `dummy/…` | `DUMMY_API_KEY` | `https://api.dummy.example/v1` | no |',
			},
			{before: '| `gemini` | any |', add: '| `dummy` | any | nothing | none |'},
		],
		'test/helpers/wire-servers/chat/chat-server.ts': [
			{before: 'gemini: {', add: '\tdummy: {refuses: {unknownField: extraInput}, answers: inField},'},
		],
	},
};
