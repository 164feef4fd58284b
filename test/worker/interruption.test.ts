import {describe, expect, test} from 'vitest';
import {stamp, type Item} from '../../src/worker/index.ts';
import {mayHaveRun} from '../../src/worker/interruption.ts';
import {interruption, originRules, resumableCalls} from '../../src/pod/history/reader.ts';
import {countedClock} from '../helpers/clock.ts';

const clock = countedClock();
const user = stamp(clock, {type: 'message', role: 'user', text: 'go'});
const call = (callId: string) => stamp(clock, {type: 'tool_call', callId, name: 't', arguments: '{}'});
const result = (callId: string) =>
	stamp(clock, {type: 'tool_result', callId, summary: '', content: '', isError: false, ms: 0});
const request = stamp(clock, {
	type: 'request',
	model: 'm',
	usage: {},
	requestHash: '',
	startedAt: '',
	endedAt: '',
	stop: 'tool_calls',
});
const end = (outcome: 'finished' | 'paused' | 'cancelled' | 'error') => stamp(clock, {type: 'run_end', outcome});
const told = (run: boolean) =>
	stamp(clock, {
		type: 'message',
		role: 'system',
		text: 'x',
		origin: {kind: 'notice', about: 'notification', ...(run && {run})},
	});

describe('the calls that a resume runs', () => {
	const [a, b] = [call('a'), call('b')];
	test.each<[string, readonly Item[], readonly Item[]]>([
		['of an answer that was committed whole', [user, a, b, request, result('b')], [a]],
		['of an answer that the process died in', [user, a], [a]],
		['but none of an older answer', [user, a, request, b, request, end('paused')], [b]],
		['but none before the person’s last words', [user, a, request, end('finished'), user, end('paused')], []],
		['whatever was told meanwhile', [user, a, request, end('paused'), told(false)], [a]],
	])('are those without a result, %s', (_name, items, open) => {
		expect(resumableCalls(items)).toEqual(open);
	});
});

test.each<[string, readonly Item[], boolean]>([
	['of a run without an end', [], true],
	['of a run that failed', [end('error')], true],
	['that a pause stopped', [end('paused')], false],
	['that was asked about after the death, and paused', [end('error'), end('paused')], true],
])('a call %s, may have run: %s', (_name, after, expected) => {
	const one = call('a');
	expect(mayHaveRun([user, one, request, ...after], one, originRules)).toBe(expected);
});

test('a notification, begins a run only when a run is to answer it', () => {
	const ended = [user, end('finished')];
	expect([interruption([...ended, told(false)]), interruption([...ended, told(true)])]).toEqual([undefined, 'died']);
});
