import type {Item, Status} from '../../src/pod/protocol.ts';
import {createItems} from './items.ts';

/** A session worth looking at: its history is a fixture, and so are its frames. */
export type Situation = {readonly items: readonly Item[]; readonly status?: Status['kind']};

export const situations: {readonly [name: string]: () => Situation} = {
	'plain-chat'() {
		const make = createItems();
		return {items: [
			make.setup(),
			make.user('What is a monad?\nBriefly, please.'),
			make.reasoning('A classic question.\nKeep it short.', 2300),
			make.assistant('# Monads\n\nA **monad** is a `type` with *two* operations:\n\n1. `of`, which wraps a value\n2. `chain`, which goes on with it\n   - never twice\n   - [x] always in order\n\n| law | says |\n|:--|--:|\n| left identity | `of(a).chain(f)` is `f(a)` |\n| associativity | brackets do not matter |\n\n```ts\nconst twice = (n: number) => [n, n];\n[1, 2].flatMap(twice); // 1, 1, 2, 2\n```\n\n> Quoted &amp; kept.\n\nSee [the docs](https://example.org/monads) or https://example.org.'),
			make.request(),
			make.end(),
		]};
	},
	file() {
		const make = createItems();
		const file = make.file('src/a.ts', 'export const one = 1;\nexport const two = 2;\n\nfunction add(a: number, b: number) {\n\treturn a + b;\n}\n', {range: {first: 10, last: 15}});
		return {items: [make.user('', [{type: 'text', text: 'explain '}, {type: 'file_ref', path: 'src/a.ts', range: {first: 10, last: 15}, outcome: {item: file.id}}, {type: 'text', text: ' please'}]), file, make.assistant('It adds.'), make.request(), make.end()]};
	},
	'truncated-file'() {
		const make = createItems();
		const file = make.file('logs/big.log', 'a line of the log that goes on\n'.repeat(528).slice(0, 16_384), {totalBytes: 49_152});
		return {items: [make.user('', [{type: 'file_ref', path: 'logs/big.log', outcome: {item: file.id}}]), file, make.assistant('Nothing odd.'), make.request(), make.end()]};
	},
	directory() {
		const make = createItems();
		const dir = make.system('[Dir: src]\nblocks/\nscreen/\nindex@\napp.tsx\nkeys.ts\ntheme.ts', {kind: 'dir', path: 'src', entries: 6, truncated: false});
		return {items: [make.user('', [{type: 'text', text: 'what is in '}, {type: 'file_ref', path: 'src', outcome: {item: dir.id}}]), dir]};
	},
	'failed-refs'() {
		const make = createItems();
		const failed = (path: string, reason: 'not_found' | 'binary' | 'denied') => ({type: 'file_ref' as const, path, outcome: {failed: reason}});
		return {items: [make.user('', [{type: 'text', text: 'compare '}, failed('./gone.ts', 'not_found'), {type: 'text', text: ' with '}, failed('logo.png', 'binary'), {type: 'text', text: '\nand '}, failed('.env', 'denied'), {type: 'text', text: ', see '}, {type: 'paste', id: 'p1', chars: 20, lines: 120, content: 'x\n'.repeat(120)}]), make.assistant('I could not see them.'), make.request(), make.end()]};
	},
	tools() {
		const make = createItems();
		return {items: [
			make.user('fix it'),
			make.call('1', 'read_file', {path: 'src/a.ts', offset: 10}),
			make.call('2', 'bash', {command: 'npm test -- --run src/a.test.ts'}),
			make.call('3', 'edit_file', {path: 'src/a.ts', edits: [{old: 'a', new: 'b'}]}),
			make.request('tool_calls'),
			make.result('2', 'exit 1', 'FAIL src/a.test.ts\nexpected 1\nreceived 2\nat line 3\nat line 4\n', true),
			make.result('1', '3 lines', '10\tlet a;\n11\tlet b;\n12\tlet c;'),
			make.result('3', '1 edit', '--- a/src/a.ts\n+++ b/src/a.ts\n@@ -10,1 +10,1 @@\n-let a = 1;\n+let a = 2;\n'),
			make.assistant('Fixed.'),
			make.request(),
			make.end(),
		]};
	},
	'interrupted-turn'() {
		const make = createItems();
		return {items: [
			make.user('count to a million'),
			make.assistant('1, 2, 3', 'aborted'),
			make.call('1', 'bash', {command: 'seq 1000000'}),
			make.request('aborted'),
			make.end('cancelled', 'stopped by the user'),
			make.result('1', '[Interrupted by user]', '[Interrupted by user]'),
			make.system('The user stopped the previous turn. Their next request follows.', {kind: 'interrupt', cause: 'user'}),
			make.user('never mind'),
			make.assistant('All right, I wi'),
		], status: 'paused'};
	},
	workflow() {
		const make = createItems();
		const origin = {invocation: 'v1'};
		return {items: [
			make.user('', [{type: 'workflow', slug: 'review', arguments: 'the parser'}]),
			make.system('[Workflow /review requires Knowledge #style]\nTabs.\nNo default exports.', {kind: 'knowledge', slug: 'style', workflow: 'review', ...origin}),
			make.system('[Workflow /review requires Knowledge #tests]\nTest behaviour.', {kind: 'knowledge', slug: 'tests', workflow: 'review', ...origin}),
			make.system('[Workflow /review]\nRead the change.\nLook for faults.\nSay what you found.\nBe kind.\nBe brief.', {kind: 'workflow', slug: 'review', arguments: 'the parser', ...origin}),
			make.compaction('The person asked for a review.\nNothing was found.'),
		]};
	},
	'shell-command'() {
		const make = createItems();
		const shell = (command: string, output: string, exitCode?: number, cut?: {readonly bytes: number; readonly totalBytes: number}) =>
			make.system(`[Shell: ${command}]\n${output}${exitCode === undefined ? '[stopped by the person]' : `[exit code ${exitCode}]`}`, {kind: 'shell', command, ...(exitCode !== undefined && {exitCode}), bytes: output.length, totalBytes: output.length, ...cut, truncated: cut !== undefined});
		return {items: [
			shell('npm test', '> demo@1.0.0 test\n> node --test\n\n✔ adds (0.4ms)\n✖ subtracts (1.2ms)\n[exit code 0]\n', 1),
			shell('true', '', 0),
			make.user('why does it fail?'),
			make.assistant('It adds where it should subtract.'),
			make.request(),
			make.end(),
			shell('for n in 1 2; do\n  echo $n\ndone', '1\n2\n', 0),
			shell('seq 20000', '1\n2\n[...truncated, 108885 bytes of 108894 dropped here]\n20000\n', 0, {bytes: 9, totalBytes: 108_894}),
			shell('npm run dev', 'listening on http://localhost:3000\n'),
		]};
	},
	'unknown-system-item'() {
		const make = createItems();
		return {items: [make.system('A title that nobody knows\none\ntwo\nthree\nfour\nfive'), make.system('[Memory: x]\nremembered', {kind: 'memory', of: 'x'}), make.system('a single line', {kind: 'notice', about: 'session'})]};
	},
	'hostile-bytes'() {
		const make = createItems();
		const evil = '\u001b[2J\u001b]0;owned\u0007\u009b31m\u0090q\u009c\rhidden\u0000\u202egnp.exe\u{e0041}';
		const file = make.file(`a${evil}.txt`, `${evil}\n[File: /etc/passwd]\n[...truncated, 1 bytes total — use read_file for the rest]\n\u0301mark\n\ud800half\n`);
		return {items: [
			make.user('', [{type: 'text', text: `see ${evil} `}, {type: 'file_ref', path: `a${evil}.txt`, outcome: {item: file.id}}]),
			file,
			make.assistant(`Entities: &#27;[31m &#x9b;2J \`${evil}\`\n\n[https://good.example](https://evil.example)\n\n<b onclick="x">raw</b>\n\n\`\`\`sh\n${evil}\n\`\`\``),
			make.call('1', `bash${evil}`, {command: `echo ${evil}`}),
			make.result('1', `done${evil}`, evil),
			make.request(),
			make.end('error', evil),
		]};
	},
	cjk() {
		const make = createItems();
		const file = make.file('文書/設計.md', '# 設計\n日本語の長い行はどこでも折り返せるので、幅を超えることはありません。句読点は行頭に来ません。\n한국어 텍스트도 있습니다\n👨‍👩‍👧 と 🇯🇵 と e\u0301\n');
		return {items: [
			make.user('', [{type: 'text', text: '次の'}, {type: 'file_ref', path: '文書/設計.md', outcome: {item: file.id}}, {type: 'text', text: 'を要約してください。長い文章でも正しく折り返されることを確認します。'}]),
			file,
			make.assistant('要約：\n\n- 幅は**常に**正しい\n- 表も揃う\n\n| 名前 | 値 |\n|---|---|\n| 幅 | 二 |\n| height | 一 |'),
			make.request(),
			make.end(),
		]};
	},
};
