import {createItems} from '../items.ts';
import type {Situation} from './situation.ts';

const scope = {pwd: '/p', writable: true};

export const children: {readonly [name: string]: () => Situation} = {
	'child-sessions'() {
		const make = createItems();
		const pod = (id: string, title: string) => make.call(id, 'pod', {task: `${title}, please.`, title});
		const [one, two, three] = [pod('1', 'Count the files'), pod('2', 'Fix the sum'), pod('3', 'Look it up')];
		const started = (call: string | undefined, child: string, title: string) =>
			make.item('child_started', {
				child,
				...(call !== undefined && {call}),
				title,
				task: `${title}, please.`,
				model: 'local/small',
				context: 'fresh',
				scope,
			});
		const ended = (child: string, outcome: 'finished' | 'failed' | 'stopped', ms: number) =>
			make.item('child_ended', {child, outcome, requests: 2, usage: {input: 8000, output: 100}, ms});
		return {
			items: [
				make.user('three things'),
				make.assistant('I split them.'),
				one,
				two,
				three,
				make.request('tool_calls'),
				started(one.id, 'c1', 'Count the files'),
				started(two.id, 'c2', 'Fix the sum'),
				started(three.id, 'c3', 'Look it up'),
				make.result('1', 'finished', 'There are two files:\n- a.ts\n- b.ts\n'),
				ended('c1', 'finished', 12_000),
				make.result('2', 'failed', 'The child session failed: the provider is down.', true),
				ended('c2', 'failed', 3000),
				started(undefined, 'c4', 'Read the \u001B[31mdocs'),
				ended('c4', 'stopped', 600),
				started(undefined, 'c5', 'Write a summary'),
				ended('c6', 'finished', 1000),
			],
			status: 'running',
		};
	},
	'task-of-a-child'() {
		const make = createItems();
		return {
			items: [
				make.setup(),
				make.item('message', {
					role: 'user',
					text: 'Count the files.\nAnswer with a number.',
					origin: {kind: 'task', parent: 'p'},
				}),
				make.assistant('There are 3.'),
				make.request(),
				make.end(),
			],
		};
	},
};
