import type {ToolResult} from '../../../src/pod/protocol.ts';
import {createItems} from '../items.ts';
import type {Situation} from './situation.ts';

export const calls: {readonly [name: string]: () => Situation} = {
	tools() {
		const make = createItems();
		return {
			items: [
				make.user('fix it'),
				make.call('1', 'read_file', {path: 'src/a.ts', offset: 10}),
				make.call('2', 'bash', {command: 'npm test -- --run src/a.test.ts'}),
				make.call('3', 'edit_file', {
					path: 'src/a.ts',
					edits: [{old: 'width + height', new: 'width * height'}],
				}),
				make.request('tool_calls'),
				make.result('2', 'exit 1', 'FAIL src/a.test.ts\nexpected 1\nreceived 2\nat line 3\nat line 4\n', true),
				make.result('1', '3 lines', '10\tlet a;\n11\tlet b;\n12\tlet c;'),
				make.result(
					'3',
					'2 edits',
					'--- a/src/a.ts\n+++ b/src/a.ts\n@@ -8,4 +8,5 @@\n' +
						' export function area(width: number, height: number) {\n-\treturn width + height;\n' +
						'+\tif (width < 0) throw new RangeError();\n+\treturn width * height;\n }\n \n' +
						'@@ -98,3 +99,3 @@ describe\n \n--- a comment that looks like a header\n' +
						'+// a comment\n \n',
				),
				make.call('4', 'write_file', {path: 'src/new.ts', content: 'export {};\n'}),
				make.call('5', 'bash', {command: 'true'}),
				make.request('tool_calls'),
				make.result('4', 'created', '--- /dev/null\n+++ b/src/new.ts\n@@ -0,0 +1 @@\n+export {};\n'),
				make.result('5', 'exit 0', ''),
				make.assistant('Fixed.'),
				make.request(),
				make.end(),
			],
		};
	},
	'interrupted-turn'() {
		const make = createItems();
		return {
			items: [
				make.user('count to a million'),
				make.assistant('1, 2, 3', 'aborted'),
				make.call('1', 'bash', {command: 'seq 1000000'}),
				make.request('aborted'),
				make.end('cancelled', 'stopped by the user'),
				make.item('tool_result', {
					callId: '1',
					summary: '[Interrupted by user]',
					content: '[Interrupted by user]',
					isError: false,
					ms: 0,
					details: {interrupted: ' by user'},
				}),
				make.system('The user stopped the previous turn. Their next request follows.', {
					kind: 'interrupt',
					cause: 'user',
				}),
				make.user('never mind'),
				make.assistant('All right, I wi'),
			],
			status: 'paused',
		};
	},
	'tool-states'() {
		const make = createItems();
		const bash = (id: string, command: string) => make.call(id, 'bash', {command});
		const items = [
			make.user('do four things'),
			bash('done', 'ls'),
			bash('asked', 'rm -rf build'),
			bash('runs', 'npm test'),
			make.request('tool_calls'),
			make.result('done', 'exit 0', 'a.ts\nb.ts\n'),
		];
		const live = make.result('runs', '', '> demo@1.0.0 test\n> node --test\n\n✔ adds\n✔ subtracts\n✔ multiplies\n');
		return {
			items,
			tail: [live, make.call('comes', 'write_file', '{"path":"src/new.ts","content":"exp')],
			status: 'running',
			asks: [{id: 'a', callId: 'asked', title: 'Run it?', detail: 'rm -rf build', choices: []}],
		};
	},
	'stopped-and-denied'() {
		const make = createItems();
		const bash = (id: string, command: string) => make.call(id, 'bash', {command});
		const of = (
			callId: string,
			summary: string,
			content: string,
			details: NonNullable<ToolResult['details']>,
			more: Partial<ToolResult> = {},
		) => make.item('tool_result', {callId, summary, content, isError: false, ms: 40, details, ...more});
		const denied = (callId: string, by: string, reason?: string) =>
			of(
				callId,
				`Denied (${by})`,
				`This call was denied by ${by}; it was not run.`,
				{denied: {by, ...(reason !== undefined && {reason})}},
				{isError: true},
			);
		const [paused, quiet, served, ended] = [
			bash('paused', 'npm test'),
			bash('quiet', 'sleep 100'),
			bash('served', 'npm run dev'),
			bash('ended', 'npm run build'),
		];
		return {
			items: [
				make.user('do all of it'),
				bash('closed', 'make all'),
				bash('no', 'npm publish'),
				bash('why', 'git push'),
				bash('ruled', 'sudo reboot'),
				make.call('hooked', 'write_file', {path: 'a.ts', content: ''}),
				make.call('nobody', 'edit_file', {path: 'b.ts', edits: []}),
				served,
				ended,
				make.request('tool_calls'),
				of(
					'closed',
					'[Interrupted: inkpod ended during the call]',
					'one\ntwo\nthree\nfour\nfive\n[Interrupted: inkpod ended during the call]',
					{command: {bytes: 24}, interrupted: ': inkpod ended during the call'},
					{ms: 61_000},
				),
				denied('no', 'user'),
				denied('why', 'user', 'Not before the tests pass.'),
				denied('ruled', 'rule', 'sudo * in the user’s config.toml'),
				denied('hooked', 'hook', 'Not today.'),
				denied('nobody', 'unattended'),
				of('served', 'running in background (qy4261)', 'The command runs in the background as qy4261.', {
					command: {background: true, id: 'qy4261', bytes: 0},
				}),
				of('ended', 'running in background (ab12cd)', 'The command runs in the background as ab12cd.', {
					command: {background: true, id: 'ab12cd', bytes: 0},
				}),
				paused,
				quiet,
				make.request('tool_calls'),
				of(
					'paused',
					'interrupted',
					'> demo@1.0.0 test\n✔ adds\n✔ subtracts\n✔ multiplies\n✔ divides\n',
					{command: {bytes: 60}},
					{partialOf: paused.id, ms: 12_300},
				),
				of('quiet', 'interrupted', '', {command: {bytes: 0}}, {partialOf: quiet.id, ms: 12_300}),
				make.end('paused'),
			],
			status: 'paused',
			background: [{id: 'qy4261', call: served.id, command: 'npm run dev', since: 0}],
		};
	},
	'coding-turn'() {
		const make = createItems();
		const answer = (
			callId: string,
			summary: string,
			content: string,
			details: NonNullable<ToolResult['details']>,
			isError = false,
			ms = 40,
		) => make.item('tool_result', {callId, summary, content, isError, ms, details});
		const edit = (callId: string, line: string, next: string) =>
			answer(
				callId,
				'1 edit',
				`--- a/src/area.ts\n+++ b/src/area.ts\n@@ -1,3 +1,3 @@\n` +
					` export function area(width: number, height: number) {\n-\t${line}\n+\t${next}\n }\n`,
				{
					changed: [
						{
							path: 'src/area.ts',
							real: '/project/src/area.ts',
							before: '0'.repeat(64),
							after: '1'.repeat(64),
						},
					],
				},
			);
		const edits = (old: string, now: string) => ({path: 'src/area.ts', edits: [{old, new: now}]});
		return {
			items: [
				make.user('the area is wrong, fix it and run the tests'),
				make.call('1', 'grep', {pattern: 'area\\(', path: 'src', glob: '*.ts'}),
				make.call('2', 'read_file', {path: 'src/area.ts', offset: 1, limit: 3}),
				make.request('tool_calls'),
				make.result(
					'1',
					'2 matches in 2 files',
					'src/area.ts:1:export function area(width: number, height: number) {\nsrc/room.ts:9:\treturn area(a, b);\n',
				),
				answer(
					'2',
					'3 lines',
					'1\texport function area(width: number, height: number) {\n2\t\treturn width + height;\n3\t}\n',
					{
						read: {
							path: 'src/area.ts',
							real: '/project/src/area.ts',
							sha256: '0'.repeat(64),
							first: 1,
							last: 3,
							totalLines: 40,
							whole: false,
						},
					},
				),
				make.call('3', 'edit_file', edits('width + height', 'width * width')),
				make.request('tool_calls'),
				edit('3', 'return width + height;', 'return width * width;'),
				make.call('4', 'bash', {command: 'npm test -- src/area.test.ts'}),
				make.request('tool_calls'),
				answer(
					'4',
					'exit code 1',
					'✖ multiplies\n  expected 6\n  received 4\n  at src/area.test.ts:4\n  at node:internal\n',
					{command: {exitCode: 1, bytes: 90}},
					true,
					2300,
				),
				make.call('5', 'edit_file', edits('width * width', 'width * height')),
				make.request('tool_calls'),
				edit('5', 'return width * width;', 'return width * height;'),
				make.call('6', 'bash', {command: 'set -e\nnpm test -- src/area.test.ts\nnpm run lint'}),
				make.request('tool_calls'),
				answer('6', 'exit code 0', '✔ multiplies\n', {command: {exitCode: 0, bytes: 15}}, false, 4100),
				make.assistant('It multiplies now, and the tests pass.'),
				make.request(),
				make.end(),
			],
		};
	},
};
