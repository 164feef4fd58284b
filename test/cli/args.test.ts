import {describe, expect, it} from 'vitest';
import {parseLaunch} from '../../src/cli/args.ts';

const start = {session: {kind: 'new'}, readOnly: false, addDirs: []};

describe('parseLaunch', () => {
	it.each([
		['reads no arguments as a chat', [], {command: 'chat', prompt: '', ...start}],
		[
			'joins words to one prompt',
			['explain', '@src/a.ts'],
			{command: 'chat', prompt: 'explain @src/a.ts', ...start},
		],
		[
			'reads limits of model calls and of cost',
			['-p', '--max-turns', '20', '--max-cost', '2.50', 'hello'],
			{command: 'print', prompt: 'hello', format: 'text', ...start, maxTurns: 20, maxCost: 2.5},
		],
		[
			'reads --model-exact',
			['--model-exact', 'hello'],
			{command: 'chat', prompt: 'hello', ...start, isExact: true},
		],
		['reads acp', ['acp'], {command: 'acp', start: {command: 'chat', prompt: '', ...start}}],
		[
			'reads acp with the options of all sessions',
			['acp', '--model', 'offline', '--read-only'],
			{command: 'acp', start: {command: 'chat', prompt: '', ...start, model: 'offline', readOnly: true}},
		],
		[
			'reads the login that an editor appends to acp',
			['acp', 'login', 'openai'],
			{command: 'login', provider: 'openai'},
		],
		['reads login with a provider', ['login', 'openai'], {command: 'login', provider: 'openai'}],
		['reads logout with a provider', ['logout', 'openai'], {command: 'logout', provider: 'openai'}],
		[
			'reads -p with a prompt as print mode in text format',
			['-p', 'hello'],
			{command: 'print', prompt: 'hello', format: 'text', ...start},
		],
		[
			'reads a subcommand’s name after -p as a prompt',
			['-p', 'sessions'],
			{command: 'print', prompt: 'sessions', format: 'text', ...start},
		],
		[
			'reads an output format',
			['-p', '--output-format', 'stream-json'],
			{command: 'print', prompt: '', format: 'stream-json', ...start},
		],
		['reads -c as the latest session', ['-c'], {command: 'chat', prompt: '', ...start, session: {kind: 'latest'}}],
		['reads -r alone as the picker', ['-r'], {command: 'chat', prompt: '', ...start, session: {kind: 'pick'}}],
		[
			'reads -r and an id as that session',
			['-r', '01JX'],
			{command: 'chat', prompt: '', ...start, session: {kind: 'id', id: '01JX'}},
		],
		[
			'reads -r and a word that is not an id as the picker and a prompt',
			['-r', 'hello'],
			{command: 'chat', prompt: 'hello', ...start, session: {kind: 'pick'}},
		],
		[
			'reads -r and an id in small letters as that session',
			['-r', '01jxabcd'],
			{command: 'chat', prompt: '', ...start, session: {kind: 'id', id: '01jxabcd'}},
		],
		[
			'reads -r, an id and a prompt',
			['-r', '01JXABCD', 'go', 'on'],
			{command: 'chat', prompt: 'go on', ...start, session: {kind: 'id', id: '01JXABCD'}},
		],
		[
			'reads --fork as a fork of the latest session',
			['--fork'],
			{command: 'chat', prompt: '', ...start, session: {kind: 'latest'}, fork: true},
		],
		[
			'reads --fork and -r with an id as a fork of that session',
			['--fork', '-r', '01JX', 'go'],
			{command: 'chat', prompt: 'go', ...start, session: {kind: 'id', id: '01JX'}, fork: true},
		],
		[
			'reads --fork in print mode',
			['-p', '-c', '--fork', 'go'],
			{command: 'print', prompt: 'go', format: 'text', ...start, session: {kind: 'latest'}, fork: true},
		],
		['reads --inline', ['--inline'], {command: 'chat', prompt: '', ...start, inline: true}],
		['reads --screen-reader', ['--screen-reader'], {command: 'chat', prompt: '', ...start, screenReader: true}],
		['trust', ['--trust', 'hi'], {command: 'chat', prompt: 'hi', ...start, trust: true}],
		[
			'approval',
			['--approval', 'accept-edits', 'hi'],
			{command: 'chat', prompt: 'hi', ...start, approval: 'accept-edits'},
		],
		[
			'reads --approval in print mode',
			['-p', '--approval=auto', 'hi'],
			{command: 'print', prompt: 'hi', format: 'text', ...start, approval: 'auto'},
		],
		[
			'reads --trust in print mode',
			['-p', '--trust', 'hi'],
			{command: 'print', prompt: 'hi', format: 'text', ...start, trust: true},
		],
		[
			'reads the options of the scope',
			['--cwd', 'x', '--read-only', '--add-dir', 'a', '--add-dir', 'b'],
			{command: 'chat', prompt: '', ...start, cwd: 'x', readOnly: true, addDirs: ['a', 'b']},
		],
		['reads everything after -- as the prompt', ['--', '-r', 'x'], {command: 'chat', prompt: '-r x', ...start}],
		[
			'reads the name of an object’s own method as a prompt',
			['constructor'],
			{command: 'chat', prompt: 'constructor', ...start},
		],
		[
			'reads sessions with another directory',
			['sessions', '--cwd', 'x', '--manifest', 'y.toml'],
			{command: 'sessions', json: false, all: false, needs: false, cwd: 'x', manifest: 'y.toml'},
		],
		['sessions', ['sessions', '--json'], {command: 'sessions', json: true, all: false, needs: false}],
		[
			'reads records of another directory since a time',
			['records', 'calls', '--json', '--in', 'x', '--since', '2026-11-30T12:00Z'],
			{command: 'records', kind: 'calls', since: '2026-11-30T12:00:00.000Z', all: false, cwd: 'x'},
		],
		['records', ['records', 'costs', '--json', '--all'], {command: 'records', kind: 'costs', all: true}],
		['verify', ['verify', '01JX'], {command: 'verify', id: '01JX'}],
		['reads repair', ['repair', '01JX'], {command: 'repair', id: '01JX'}],
		[
			'reads redact',
			['redact', '01JX', '--text', '-', '--everywhere'],
			{command: 'redact', id: '01JX', unwanted: {kind: 'text'}, isTrial: false, isEverywhere: true},
		],
		[
			'reads redact with a pattern',
			['redact', '01JX', '--pattern', 'sk-.*', '--dry-run'],
			{
				command: 'redact',
				id: '01JX',
				unwanted: {kind: 'pattern', source: 'sk-.*'},
				isTrial: true,
				isEverywhere: false,
			},
		],
		[
			'reads verify with --requests',
			['verify', '01JX', '--requests'],
			{command: 'verify', id: '01JX', requests: true},
		],
		['reads sign', ['sign', '01JX'], {command: 'sign', id: '01JX'}],
		['reads sign with a key', ['sign', '01JX', '--key', 'k.pub'], {command: 'sign', id: '01JX', key: 'k.pub'}],
		[
			'reads verify with signers',
			['verify', '01JX', '--signers', 's'],
			{command: 'verify', id: '01JX', signers: 's'},
		],
		[
			'context',
			['context', '01JX', '--cwd', '/p'],
			{command: 'context', id: '01JX', json: false, request: false, cwd: '/p'},
		],
		[
			'reads context with --request',
			['context', '01JX', '--request'],
			{command: 'context', id: '01JX', json: false, request: true},
		],
		[
			'notify',
			['notify', '01JX', 'it', 'is done'],
			{command: 'notify', id: '01JX', text: 'it is done', run: false},
		],
		[
			'reads notify with --run',
			['notify', '--run', '01JX', 'done'],
			{command: 'notify', id: '01JX', text: 'done', run: true},
		],
		['config', ['config', '--json', '--cwd', 'a'], {command: 'config', json: true, cwd: 'a'}],
		['doctor', ['doctor', '--json', '--model', 'offline'], {command: 'doctor', json: true, model: 'offline'}],
		[
			'reads attach as a chat on another terminal’s session',
			['attach'],
			{command: 'chat', prompt: '', attach: {}, ...start},
		],
		[
			'reads attach with an id and --no-socket',
			['attach', '01JX', '--no-socket'],
			{command: 'chat', prompt: '', attach: {id: '01JX'}, noSocket: true, ...start},
		],
		['--help', ['--help'], {command: 'help'}],
		['reads --help with the options of a subcommand', ['sessions', '--json', '--help'], {command: 'help'}],
		['--version', ['--version'], {command: 'version'}],
		['-v', ['-v'], {command: 'version'}],
	])('%s', (_name, argv, launch) => {
		const parsed = parseLaunch(argv);
		expect(parsed.ok ? parsed.launch : parsed.sentence).toEqual(launch);
	});

	it.each([
		['an unknown flag', ['--frobnicate'], /'--frobnicate'.*inkpod --help/],
		['a flag without its value', ['--model'], /--model/],
		['an unknown format', ['-p', '--output-format', 'xml'], /"xml".*text, json or stream-json/],
		['a format without print mode', ['--output-format', 'json'], /Add -p/],
		['an unknown mode', ['--approval', 'yolo'], /"yolo".*ask, accept-edits, plan or auto/],
		['-c and -r', ['-c', '-r', '01JX'], /not both/],
		['-p -r without id', ['-p', '-r'], /session id after -r/],
		['verify without id', ['verify'], /one session id/],
		['sign without id', ['sign'], /one session id/],
		['--key in a chat', ['hi', '--key', 'k'], /inkpod sign/],
		['context without id', ['context'], /one session id/],
		['repair without id', ['repair'], /one session id/],
		['redact without a text', ['redact', '01JX'], /one of --text -/],
		['redact with two texts', ['redact', '01JX', '--text', '-', '--item', '01JY'], /one of --text -/],
		['redact with a secret as an argument', ['redact', '01JX', '--text', 'sk-1'], /Other programs can see/],
		['repair with two ids', ['repair', '01JX', '01JY'], /one session id/],
		['verify with an empty id', ['verify', ''], /one session id/],
		['verify with a blank id', ['verify', ' '], /one session id/],
		['context with an empty id', ['context', ''], /one session id/],
		['notify with an empty id', ['notify', '', 'text'], /needs a session id/],
		['attach with an empty id', ['attach', ''], /at most one session id/],
		['--request in a chat', ['--request'], /inkpod context/],
		['--requests in a chat', ['hi', '--requests'], /inkpod verify/],
		['notify without text', ['notify', '01JX', ' '], /a session id or prefix, and text/],
		['--run of a chat', ['--run', 'go'], /only works with inkpod notify/],
		['--run of another subcommand that opens a chat', ['attach', '--run'], /only works with inkpod notify/],
		['a replay in the server', ['replay', '01JX', '--bg'], /--bg cannot be combined/],
		['an option of one action', ['--no-browser'], /--no-browser only works with inkpod mcp login/],
		['an option of several actions', ['--project'], /--project only works with inkpod mcp\./],
		['--json of a chat', ['--json'], /--json needs a subcommand, such as inkpod sessions/],
		['config with a word', ['config', 'x'], /takes no arguments \(got x\)/],
		['doctor with a word', ['doctor', 'who'], /takes no arguments \(got who\)/],
		['attach with two ids', ['attach', '01JX', '01JY'], /one session id/],
		['attach and --fork', ['attach', '--fork'], /cannot be combined/],
		['attach and -c', ['attach', '-c'], /cannot be combined/],
		['a limit of no calls', ['--max-turns', '0'], /Invalid --max-turns/],
		['a limit of no cost', ['--max-cost', '0.00'], /Invalid --max-cost/],
		['a cost with a currency', ['--max-cost', '$2'], /such as 2\.50/],
		['records without a kind', ['records', '--json'], /needs a kind: sessions, messages, /],
		['records of an unknown kind', ['records', 'turns', '--json'], /Invalid kind "turns"\. Use sessions, /],
		['records without --json', ['records', 'calls'], /Add --json/],
		['records since an unknown time', ['records', 'calls', '--json', '--since', 'ever'], /Invalid --since "ever"/],
		['records of one directory and of all', ['records', 'calls', '--json', '--in', 'x', '--all'], /not both/],
		['sessions with an argument', ['sessions', 'x'], /no arguments/],
	])('explains in one sentence: %s', (_name, argv, sentence) => {
		const parsed = parseLaunch(argv);
		expect(parsed.ok).toBe(false);
		if (parsed.ok) return;
		expect(parsed.sentence).toMatch(sentence);
		expect(parsed.sentence).not.toContain('\n');
	});
});

describe('bundles and replays', () => {
	const command = (...argv: readonly string[]) => {
		const parsed = parseLaunch(argv);
		return parsed.ok ? parsed.launch : parsed.sentence;
	};

	it('are files with a slash or the end of a tar archive, and everything else is an id', () => {
		expect(command('verify', 'a.tgz')).toEqual({command: 'verifyBundle', file: 'a.tgz'});
		expect(command('verify', './a')).toEqual({command: 'verifyBundle', file: './a'});
		expect(command('verify', './a', '--signers', 's')).toEqual({
			command: 'verifyBundle',
			file: './a',
			signers: 's',
		});
		expect(command('verify', '01JD')).toEqual({command: 'verify', id: '01JD'});
		expect(command('replay', 'a.tar.gz', '--at', 'X', '--speed', '0.5')).toMatchObject({
			command: 'replay',
			source: 'a.tar.gz',
			isBundle: true,
			at: 'X',
			speed: 0.5,
		});
		expect(command('replay', '01JD')).toMatchObject({source: '01JD', isBundle: false});
	});

	it('need a file for a bundle, a session for a replay, and a speed that is a number', () => {
		expect(command('export', '01JD', '--bundle', '--to', 'a.tar')).toMatchObject({format: 'bundle', to: 'a.tar'});
		expect(command('export', '01JD', '--bundle')).toContain('A bundle needs a file.');
		expect(command('export', '01JD', '--bundle', '--format', 'md')).toContain('not both');
		expect(command('replay')).toContain('needs one session id');
		expect(command('replay', '01JD', '--speed', '0')).toContain('Invalid --speed.');
		expect(command('hello', '--at', 'X')).toContain('--at only works with inkpod replay.');
	});
});
