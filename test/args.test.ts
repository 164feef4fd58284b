import {describe, expect, it} from 'vitest';
import {parseLaunch} from '../src/args.ts';

const start = {session: {kind: 'new'}, readOnly: false, addDirs: []};

describe('parseLaunch', () => {
	it.each([
		['nothing, a chat', [], {command: 'chat', prompt: '', ...start}],
		['words, one prompt', ['explain', '@src/a.ts'], {command: 'chat', prompt: 'explain @src/a.ts', ...start}],
		[
			'-p with a prompt, print mode as text',
			['-p', 'hello'],
			{command: 'print', prompt: 'hello', format: 'text', ...start},
		],
		[
			'-p with a subcommand’s name, a prompt',
			['-p', 'sessions'],
			{command: 'print', prompt: 'sessions', format: 'text', ...start},
		],
		[
			'a format, that format',
			['-p', '--output-format', 'stream-json'],
			{command: 'print', prompt: '', format: 'stream-json', ...start},
		],
		['-c, the latest session', ['-c'], {command: 'chat', prompt: '', ...start, session: {kind: 'latest'}}],
		['-r alone, the picker', ['-r'], {command: 'chat', prompt: '', ...start, session: {kind: 'pick'}}],
		[
			'-r and an id, that session',
			['-r', '01JX'],
			{command: 'chat', prompt: '', ...start, session: {kind: 'id', id: '01JX'}},
		],
		[
			'-r and a word that is no id, the picker and a prompt',
			['-r', 'hello'],
			{command: 'chat', prompt: 'hello', ...start, session: {kind: 'pick'}},
		],
		[
			'-r and an id in small letters, that session',
			['-r', '01jxabcd'],
			{command: 'chat', prompt: '', ...start, session: {kind: 'id', id: '01jxabcd'}},
		],
		[
			'-r, an id and words',
			['-r', '01JXABCD', 'go', 'on'],
			{command: 'chat', prompt: 'go on', ...start, session: {kind: 'id', id: '01JXABCD'}},
		],
		[
			'--fork, a fork of the latest session',
			['--fork'],
			{command: 'chat', prompt: '', ...start, session: {kind: 'latest'}, fork: true},
		],
		[
			'--fork and -r with an id, a fork of that one',
			['--fork', '-r', '01JX', 'go'],
			{command: 'chat', prompt: 'go', ...start, session: {kind: 'id', id: '01JX'}, fork: true},
		],
		[
			'--fork in print mode',
			['-p', '-c', '--fork', 'go'],
			{command: 'print', prompt: 'go', format: 'text', ...start, session: {kind: 'latest'}, fork: true},
		],
		['inline, without a screen of its own', ['--inline'], {command: 'chat', prompt: '', ...start, inline: true}],
		['screen reader', ['--screen-reader'], {command: 'chat', prompt: '', ...start, screenReader: true}],
		['trust', ['--trust', 'hi'], {command: 'chat', prompt: 'hi', ...start, trust: true}],
		[
			'approval',
			['--approval', 'accept-edits', 'hi'],
			{command: 'chat', prompt: 'hi', ...start, approval: 'accept-edits'},
		],
		[
			'approval in print mode',
			['-p', '--approval=auto', 'hi'],
			{command: 'print', prompt: 'hi', format: 'text', ...start, approval: 'auto'},
		],
		[
			'trust in print mode',
			['-p', '--trust', 'hi'],
			{command: 'print', prompt: 'hi', format: 'text', ...start, trust: true},
		],
		[
			'a scope',
			['--cwd', 'x', '--read-only', '--add-dir', 'a', '--add-dir', 'b'],
			{command: 'chat', prompt: '', ...start, cwd: 'x', readOnly: true, addDirs: ['a', 'b']},
		],
		['after --, everything is prompt', ['--', '-r', 'x'], {command: 'chat', prompt: '-r x', ...start}],
		[
			'a word that every object knows, a prompt',
			['constructor'],
			{command: 'chat', prompt: 'constructor', ...start},
		],
		[
			'sessions elsewhere',
			['sessions', '--cwd', 'x', '--manifest', 'y.toml'],
			{command: 'sessions', json: false, all: false, cwd: 'x', manifest: 'y.toml'},
		],
		['sessions', ['sessions', '--json'], {command: 'sessions', json: true, all: false}],
		['verify', ['verify', '01JX'], {command: 'verify', id: '01JX'}],
		['verify with its requests', ['verify', '01JX', '--requests'], {command: 'verify', id: '01JX', requests: true}],
		[
			'context',
			['context', '01JX', '--cwd', '/p'],
			{command: 'context', id: '01JX', json: false, request: false, cwd: '/p'},
		],
		[
			'context of a request',
			['context', '01JX', '--request'],
			{command: 'context', id: '01JX', json: false, request: true},
		],
		[
			'notify',
			['notify', '01JX', 'it', 'is done'],
			{command: 'notify', id: '01JX', text: 'it is done', run: false},
		],
		[
			'notify that asks for a run',
			['notify', '--run', '01JX', 'done'],
			{command: 'notify', id: '01JX', text: 'done', run: true},
		],
		['doctor', ['doctor', '--json', '--model', 'offline'], {command: 'doctor', json: true, model: 'offline'}],
		['attach, a chat beside another terminal', ['attach'], {command: 'chat', prompt: '', attach: {}, ...start}],
		[
			'attach with an id, with no terminal beside this one',
			['attach', '01JX', '--no-socket'],
			{command: 'chat', prompt: '', attach: {id: '01JX'}, noSocket: true, ...start},
		],
		['--help', ['--help'], {command: 'help'}],
		['--version', ['--version'], {command: 'version'}],
	])('%s', (_name, argv, launch) => {
		expect(parseLaunch(argv)).toEqual({ok: true, launch});
	});

	it.each([
		['an unknown flag', ['--frobnicate'], /'--frobnicate'.*inkpod --help/],
		['a flag without its value', ['--model'], /--model/],
		['an unknown format', ['-p', '--output-format', 'xml'], /"xml".*text, json or stream-json/],
		['a format without print mode', ['--output-format', 'json'], /Add -p/],
		['an unknown mode', ['--approval', 'yolo'], /"yolo".*ask, accept-edits or auto/],
		['-c and -r', ['-c', '-r', '01JX'], /not both/],
		['-p -r without id', ['-p', '-r'], /session id after -r/],
		['verify without id', ['verify'], /one session id/],
		['context without id', ['context'], /one session id/],
		['verify with an empty id', ['verify', ''], /one session id/],
		['verify with a blank id', ['verify', ' '], /one session id/],
		['context with an empty id', ['context', ''], /one session id/],
		['notify with an empty id', ['notify', '', 'text'], /needs a session id/],
		['attach with an empty id', ['attach', ''], /at most one session id/],
		['context as a body in JSON', ['context', 'A', '--json', '--request'], /not both/],
		['--request in a chat', ['--request'], /inkpod context/],
		['--requests in a chat', ['hi', '--requests'], /inkpod verify/],
		['notify without text', ['notify', '01JX', ' '], /a session id or prefix, and a text/],
		['--run of a chat', ['--run', 'go'], /only works with inkpod notify/],
		['doctor with a word', ['doctor', 'who'], /takes no arguments \(got who\)/],
		['attach with two ids', ['attach', '01JX', '01JY'], /one session id/],
		['attach and --fork', ['attach', '--fork'], /cannot be combined/],
		['attach and -c', ['attach', '-c'], /cannot be combined/],
		['sessions with an argument', ['sessions', 'x'], /no arguments/],
	])('explains in one sentence: %s', (_name, argv, sentence) => {
		const parsed = parseLaunch(argv);
		expect(parsed.ok).toBe(false);
		if (parsed.ok) return;
		expect(parsed.sentence).toMatch(sentence);
		expect(parsed.sentence).not.toContain('\n');
	});
});
