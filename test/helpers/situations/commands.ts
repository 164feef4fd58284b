import {createItems} from '../items.ts';
import type {Situation} from './situation.ts';

export const commands: {readonly [name: string]: () => Situation} = {
	'side-answer'() {
		const make = createItems();
		const origin = {kind: 'btw', question: 'why a WeakMap?', model: 'anthropic/claude-sonnet-4-5'};
		const text =
			'[Answer to the side question: why a WeakMap?]\nIts entries end with their keys.\n\nSo no cleanup.';
		return {
			items: [
				make.user('add a cache'),
				make.assistant('Done.'),
				make.request(),
				make.end(),
				make.system(text, origin),
			],
		};
	},
	'shell-command'() {
		const make = createItems();
		const shell = (
			command: string,
			output: string,
			exitCode?: number,
			cut?: {readonly bytes: number; readonly totalBytes: number},
		) =>
			make.system(
				`[Shell: ${command}]\n${output}${exitCode === undefined ? '[stopped by the person]' : `[exit code ${exitCode}]`}`,
				{
					kind: 'shell',
					command,
					...(exitCode !== undefined && {exitCode}),
					bytes: output.length,
					totalBytes: output.length,
					...cut,
					truncated: cut !== undefined,
				},
			);
		return {
			items: [
				shell(
					'npm test',
					'> demo@1.0.0 test\n> node --test\n\n✔ adds (0.4ms)\n✖ subtracts (1.2ms)\n[exit code 0]\n',
					1,
				),
				shell('true', '', 0),
				make.user('why does it fail?'),
				make.assistant('It adds where it should subtract.'),
				make.request(),
				make.end(),
				shell('for n in 1 2; do\n  echo $n\ndone', '1\n2\n', 0),
				shell('seq 20000', '1\n2\n[...truncated, 108885 bytes of 108894 dropped here]\n20000\n', 0, {
					bytes: 9,
					totalBytes: 108_894,
				}),
				shell('npm run dev', 'listening on http://localhost:3000\n'),
			],
		};
	},
	'failed-commands'() {
		const make = createItems();
		const failed = (id: string, content: string) =>
			make.item('tool_result', {
				callId: id,
				summary: 'exit 1',
				content: `${content}[exit 1]`,
				isError: true,
				ms: 900,
				details: {command: {bytes: content.length, exitCode: 1}},
			});
		const passed = Array.from({length: 9}, (_, index) => `\u001b[32m✔\u001b[39m passes ${index}\n`).join('');
		const frames = Array.from({length: 9}, (_, index) => `      at step${index} (node:internal/test:${index}:1)\n`);
		return {
			items: [
				make.user('run the checks'),
				make.call('1', 'bash', {command: 'npm test'}),
				make.call('2', 'bash', {command: './check.sh'}),
				make.call('3', 'bash', {command: 'seq 12; false'}),
				make.request('tool_calls'),
				failed(
					'1',
					`${passed}\u001b[31m✖\u001b[39m adds\nℹ fail 1\n\n✖ failing tests:\n\ntest at a.test.js:2:1\n` +
						`\u001b[31m✖\u001b[39m adds\n  AssertionError: 3 !== 4\n\n      at a.test.js:2:27\n${frames.join('')}`,
				),
				failed('2', `npm notice new\n${passed}Error: no value for port\n${passed}`),
				failed('3', Array.from({length: 12}, (_, index) => `${index + 1}\n`).join('')),
			],
		};
	},
	'ends-of-commands'() {
		const make = createItems();
		const ended = (callId: string, summary: string, content: string, command: object, isError: boolean) =>
			make.item('tool_result', {
				callId,
				summary,
				content,
				isError,
				ms: 900,
				details: {command: {bytes: content.length, ...command}},
			});
		const bash = (id: string, command: string) => make.call(id, 'bash', {command});
		return {
			items: [
				make.user('run them all'),
				bash('1', 'sleep 1000'),
				bash('2', 'kill -9 $$'),
				bash('3', 'npm run dev'),
				bash('4', 'grep -q nothing a.txt'),
				make.call('5', 'mcp__files__read_text_file', {path: 'notes.md', head: 2}),
				make.call('6', 'mcp__issues__create', {repository: {id: 7}}),
				make.call('7', 'glob', {pattern: '**/*.md', path: 'docs'}),
				make.call('8', 'workflow', {slug: 'review', arguments: 'the parser'}),
				make.request('tool_calls'),
				ended('1', 'timed out after 120 s and was stopped', 'waiting\n', {timedOut: true}, true),
				ended('2', 'ended by signal SIGKILL', '', {signal: 'SIGKILL'}, true),
				ended('3', 'running in background (b1)', 'listening\n', {background: true, id: 'b1'}, false),
				ended('4', 'no output', '', {exitCode: 1}, false),
				make.result('5', '2 lines', '# Notes\nRemember.\n'),
				make.result('6', 'The server said no.', 'The server said no.', true),
				make.result('7', '2 files', 'docs/a.md\ndocs/b.md\n'),
				make.result('8', 'invoked', 'invoked'),
			],
			status: 'running',
		};
	},
};
