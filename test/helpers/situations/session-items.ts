import type {Item} from '../../../src/pod/protocol.ts';
import {createItems} from '../items.ts';
import type {Situation} from './situation.ts';

export const sessionItems: {readonly [name: string]: () => Situation} = {
	'plain-chat'() {
		const make = createItems();
		return {
			items: [
				make.setup(),
				make.user('What is a monad?\nBriefly, please.'),
				make.reasoning('A classic question.\nKeep it short.', 2300),
				make.assistant(
					'# Monads\n\nA **monad** is a `type` with *two* operations:\n\n' +
						'1. `of`, which wraps a value\n2. `chain`, which goes on with it\n   - never twice\n' +
						'   - [x] always in order\n\n| law | says |\n|:--|--:|\n' +
						'| left identity | `of(a).chain(f)` is `f(a)` |\n' +
						'| associativity | brackets do not matter |\n\n```ts\n' +
						'const twice = (n: number) => [n, n];\n[1, 2].flatMap(twice); // 1, 1, 2, 2\n```\n\n' +
						'> Quoted &amp; kept.\n\nSee [the docs](https://example.org/monads) or ' +
						'https://example.org.',
				),
				make.request(),
				make.end(),
			],
		};
	},
	'another-model-answered'() {
		const make = createItems();
		const pair = {asked: 'openai/gpt-5', answered: 'gpt-4.1\u001b[31m\nmini'};
		const setup = {...make.setup(), model: pair.asked};
		const user = make.user('Is it?');
		const request = {...make.sent(), model: pair.asked};
		const answered = {model: pair.answered, fingerprint: 'fp_1', region: 'eu', id: 'resp_1'};
		return {
			items: [
				setup,
				user,
				request,
				make.assistant('It is.'),
				{...make.answered(request), answered},
				make.system('Asked for gpt-5, answered by gpt-4.1 mini', {
					kind: 'notice',
					about: 'answered',
					sent: false,
					...pair,
				}),
				make.end(),
				make.system('Asked for gpt-5, answered by gpt-4.1 mini: accepted for this session', {
					kind: 'notice',
					about: 'answered_accepted',
					sent: false,
					...pair,
				}),
			],
		};
	},
	'auto-read-after-compaction'() {
		const make = createItems();
		const early = [
			make.user('fix the parser'),
			make.reasoning('Where is it?'),
			make.assistant('I look for it.'),
			make.call('1', 'read_file', {path: 'src/parse.ts'}),
			make.request('tool_calls'),
			make.result('1', '400 lines', 'a\nb\n'),
			make.assistant('Fixed.'),
			make.request(),
			make.end(),
		];
		const kept = make.user('and now the tests');
		const compaction = make.item('compaction', {
			summary:
				'The person asked to fix the parser in src/parse.ts.\n' +
				'It lost the last token; that was fixed.\nThey want tests next.',
			firstKept: kept.id,
			keptIds: [early[0]!.id],
			refs: ['docs/grammar.md', 'src/token.ts'],
			refused: [{path: 'src/old.ts', reason: 'there is no such file'}],
			summarised: 5,
			before: 81_000,
			after: 9500,
			model: 'scripted/demo',
			usage: {},
		});
		const again = (path: string, range: {first: number; last: number} | undefined, body: string) =>
			make.system(
				`[Auto-read file: ${path}${range === undefined ? '' : `:${range.first}-${range.last}`}]\n${body}`,
				{
					kind: 'auto_read',
					path,
					...(range && {range}),
					bytes: body.length,
					totalBytes: 12_000,
					lines: body.replace(/\n$/, '').split('\n').length,
					truncated: false,
					sha256: '0'.repeat(64),
					mtimeMs: 0,
					compaction: compaction.id,
				},
			);
		return {
			items: [
				...early,
				kept,
				compaction,
				again(
					'src/parse.ts',
					{first: 40, last: 45},
					'export function parse(text: string) {\n\tconst tokens = lex(text);\n' +
						'\tconst tree = [];\n\tfor (const token of tokens) tree.push(token);\n' +
						'\treturn tree;\n}',
				),
				again('test/parse.test.ts', undefined, 'test("nothing", () => {});\n'),
				make.assistant('I write the tests.'),
				make.request(),
				make.end(),
			],
		};
	},
	notices() {
		const make = createItems();
		return {
			items: [
				make.setup(),
				make.system('[Instructions: AGENTS.md]\nUse tabs.\nTest behaviour.\n', {
					kind: 'instructions',
					path: 'AGENTS.md',
					truncated: false,
				}),
				make.system(
					'The end of the session was torn: 2 items were lost.\nThe bytes are kept beside the file.',
					{kind: 'notice', about: 'session'},
				),
				make.user('hello'),
				make.reasoning('The person greets me.\nI greet back.', 800),
				make.assistant('Hello.'),
				make.item('request', {
					model: 'local/small',
					usage: {},
					requestHash: '0'.repeat(64),
					startedAt: '2026-01-01T00:00:00.000Z',
					endedAt: '2026-01-01T00:00:01.000Z',
					stop: 'length',
				}),
				make.end('limit'),
				make.item('context', {op: 'drop', ids: ['i4', 'i5']}),
				make.item('rewind', {to: 'i6'}),
			],
		};
	},
	rewound() {
		const make = createItems();
		const first = [
			make.setup(),
			make.user('what is in @src/a.ts?'),
			make.assistant('A **constant**.'),
			make.request(),
			make.end(),
		];
		const file = make.file('src/b.ts', 'export const b = 2;\n');
		return {
			items: [
				...first,
				make.user('', [
					{type: 'text', text: 'and in '},
					{type: 'file_ref', path: 'src/b.ts', outcome: {item: file.id}},
				]),
				file,
				make.reasoning('Two files.'),
				make.call('1', 'edit_file', {path: 'src/b.ts', edits: [{old: '2', new: '3'}]}),
				make.request('tool_calls'),
				make.result(
					'1',
					'1 edit',
					'--- a/src/b.ts\n+++ b/src/b.ts\n@@ -1 +1 @@\n-export const b = 2;\n+export const b = 3;\n',
				),
				make.assistant('A `constant` too:\n\n```ts\nexport const b = 3;\n```\n'),
				make.request(),
				make.end(),
				make.item('rewind', {to: first.at(-1)!.id}),
				make.user('never mind'),
				make.assistant('As you like.'),
				make.request(),
				make.end(),
			],
		};
	},
	'unknown-system-item'() {
		const make = createItems();
		return {
			items: [
				make.system('A title that nobody knows\none\ntwo\nthree\nfour\nfive'),
				make.system('only a title'),
				make.system(''),
			],
		};
	},
	'questions-and-plan'() {
		const make = createItems();
		const sha256 = 'a'.repeat(64);
		const result = (id: string, summary: string, details: Record<string, unknown>) => ({
			...make.result(id, summary, 'for the model'),
			details,
		});
		const tasks = [
			{text: 'read the parser', state: 'done'},
			{text: 'write the lexer', state: 'in_progress'},
		];
		return {
			items: [
				make.user('plan a new parser'),
				make.system('[Plan mode] Plan mode is on.', {kind: 'plan', state: 'on'}),
				make.call('a', 'ask', {questions: [{title: 'Which grammar?'}, {title: 'By when?'}]}),
				result('a', '1 of 2 answered', {
					answers: [{title: 'Which grammar?', answer: 'PEG'}, {title: 'By when?'}],
				}),
				make.call('b', 'plan', {plan: '# A new parser\n\n1. Write the `lexer`\n2. Test it'}),
				result('b', 'accepted', {plan: {sha256, outcome: 'accepted', mode: 'accept-edits'}}),
				make.system('[Plan mode] Accepted.', {kind: 'plan', state: 'accepted', sha256, mode: 'accept-edits'}),
				make.call('c', 'tasks', {items: tasks}),
				result('c', '1 of 2 · now: write the lexer', {tasks}),
			],
			status: 'running',
		};
	},
	'unknown-item-origin'() {
		const make = createItems();
		const future = {
			id: 'future',
			at: '2026-01-01T00:00:00.000Z',
			type: 'hologram',
			beam: [1, 2],
		} as unknown as Item;
		return {
			items: [
				make.user('what do you remember?'),
				make.system('[Memory: birthdays]\nAda: 10 December\nAlan: 23 June', {kind: 'memory', of: 'birthdays'}),
				make.system('[File: a.ts]\nof a misshapen origin', {kind: 'file', path: 7}),
				make.assistant('Two birthdays.'),
				make.request(),
				make.end(),
			],
			tail: [future],
			status: 'running',
		};
	},
};
