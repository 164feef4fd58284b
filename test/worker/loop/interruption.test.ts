import {describe, expect, it} from 'vitest';
import {stamp, type Item} from '../../../src/worker/index.ts';
import {mayHaveRun} from '../../../src/worker/loop/interruption.ts';
import {interruption, originRules, resumableCalls} from '../../../src/pod/ground/history/reader.ts';
import {countedClock} from '../../helpers/clock.ts';

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
const notification = (run: boolean) =>
	stamp(clock, {
		type: 'message',
		role: 'system',
		text: 'x',
		origin: {kind: 'notice', about: 'notification', ...(run && {run})},
	});

describe('the calls that a resume runs', () => {
	const [a, b] = [call('a'), call('b')];
	it.each<[string, readonly Item[], readonly Item[]]>([
		['of an answer that was committed completely', [user, a, b, request, result('b')], [a]],
		['of an answer during which the process died', [user, a], [a]],
		['of the last answer only', [user, a, request, b, request, end('paused')], [b]],
		['after the user’s last message only', [user, a, request, end('finished'), user, end('paused')], []],
		['even when a notification arrived later', [user, a, request, end('paused'), notification(false)], [a]],
	])('are the unanswered calls %s', (_name, items, open) => {
		expect(resumableCalls(items)).toEqual(open);
	});
});

describe('a call without a result', () => {
	it.each<[string, readonly Item[], boolean]>([
		['its run has no end', [], true],
		['its run failed', [end('error')], true],
		['its run was paused', [end('paused')], false],
		['its run failed, and a later one was paused', [end('error'), end('paused')], true],
	])('may have run (or not) when %s: %s', (_name, after, expected) => {
		const one = call('a');
		expect(mayHaveRun([user, one, request, ...after], one, originRules)).toBe(expected);
	});
});

describe('a notification', () => {
	it('starts a run only when it asks for an answer', () => {
		const ended = [user, end('finished')];
		expect([interruption([...ended, notification(false)]), interruption([...ended, notification(true)])]).toEqual([
			undefined,
			'died',
		]);
	});
});
