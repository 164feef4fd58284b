import {describe, expect, it} from 'vitest';
import {progressOf} from '../../../../src/pod/family/children/progress.ts';
import {stamp, type Draft} from '../../../../src/worker/index.ts';
import {countedClock} from '../../../helpers/clock.ts';

const clock = countedClock();
const make = (draft: Draft) => stamp(clock, draft);
const request = () => make({type: 'request', model: 'm', requestHash: '', startedAt: ''});
const answer = (input: number, output: number) =>
	make({type: 'request_end', request: 'r', usage: {input, output}, endedAt: '', stop: 'end'});
const text = (words: string) => make({type: 'message', role: 'assistant', text: words});
const task = make({type: 'message', role: 'user', text: 'Do it.', origin: {kind: 'task', parent: 'p'}});

describe('the progress of a child', () => {
	it('counts from its task on, and not what it copied from its parent', () => {
		const items = [request(), text('Old.'), answer(100, 50), task, request(), text('New.'), answer(10, 5)];
		const progress = progressOf(items);
		expect(progress.items()).toBe(items.length);
		expect(progress.usage()).toEqual({input: 10, output: 5});
		expect(progress.requests()).toHaveLength(2);
		expect(progress.text()).toBe('New.');
		expect(progressOf(items.slice(0, 3)).hasBegun()).toBe(false);
	});

	it('has the text of the last answer only', () => {
		const progress = progressOf([task, request(), text('First.'), answer(1, 1), request(), text('A.'), text('B.')]);
		expect(progress.text()).toBe('A.\n\nB.');
		expect(progress.end()).toBeUndefined();
	});

	it('names a call by its tool and its main argument, on one line and cut', () => {
		const call = (callId: string, name: string, args: string) =>
			make({type: 'tool_call', callId, name, arguments: args});
		const progress = progressOf([
			task,
			call('a', 'bash', JSON.stringify({command: 'npm test\nrm x'})),
			call('b', 'bash', '{"command":'),
			call('c', 'server__tool', '{}'),
			call('d', 'read_file', JSON.stringify({path: '𝒳'.repeat(500)})),
		]);
		expect(progress.call('a')).toEqual({tool: 'bash', subject: 'npm test'});
		expect(progress.call('b')).toEqual({tool: 'bash', subject: ''});
		expect(progress.call('c')).toEqual({tool: 'server__tool', subject: ''});
		expect(progress.call('d')?.subject).toBe('𝒳'.repeat(50));
		expect(progress.call('x')).toBeUndefined();
	});
});
