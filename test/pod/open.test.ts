import {describe, expect, it} from 'vitest';
import type {Feature} from '../../src/pod/core/feature.ts';
import type {PodParts} from '../../src/pod/core/pod-parts.ts';
import {queryNames} from '../../src/pod/protocol/queries.ts';
import type {FeatureMethods} from '../../src/pod/run/controller/controller.ts';
import type {Item} from '../../src/worker/index.ts';
import {answer, calls, eventModel, says} from '../helpers/event-model.ts';
import {swapTool} from '../helpers/played-batch.ts';
import {testPod} from '../helpers/pod.ts';
import {tempProject} from '../helpers/temp-project.ts';

/** The methods that the controller does not answer itself. */
const methods: Record<keyof FeatureMethods, true> = {
	change_mcp: true,
	move_to_background: true,
	start_child: true,
	stop_background: true,
	stop_child: true,
	wake_background: true,
	wake_child: true,
};

async function openedWith(...more: Feature[]) {
	let parts: PodParts | undefined;
	const model = eventModel(answer(calls('c', 'swap', {})), answer(says('done')));
	const features = [
		...more.map(feature => () => feature),
		(pod: PodParts) => {
			parts = pod;
			return {name: 'last'};
		},
	];
	const told = await testPod(await tempProject(), {model, features});
	return {...told, model, parts: parts!};
}

describe('the features of a pod', () => {
	it('have different names, and answer each method and query once', async () => {
		const {pod, parts} = await openedWith();
		const names = parts.features.map(({name}) => name);
		expect(new Set(names).size).toBe(names.length);
		const own = parts.features.flatMap(feature => Object.keys(feature.methods ?? {}));
		expect(own.toSorted()).toEqual(Object.keys(methods));
		const asked = parts.features.flatMap(feature => Object.keys(feature.queries ?? {}));
		expect(new Set(asked).size).toBe(asked.length);
		expect(queryNames.filter(name => typeof pod[name] !== 'function')).toEqual([]);
	});

	it('offer their tools in the order of their list', async () => {
		const {run, rest, model} = await openedWith({name: 'more', tools: [swapTool(() => {})]});
		await run('go');
		await rest();
		expect(model.requests[0]!.tools.map(({name}) => name)).toEqual([
			'read_file',
			'glob',
			'grep',
			'write_file',
			'edit_file',
			'bash',
			'bash_stop',
			'ask',
			'tasks',
			'plan',
			'fetch',
			'pod',
			'swap',
		]);
	});
});

describe('a feature that another program adds', () => {
	it('adds tools, an interceptor, what ends with the session, and a notice at the end', async () => {
		const seen: string[] = [];
		const {pod, run, rest, items, until, status} = await openedWith({
			name: 'more',
			tools: [swapTool(() => seen.push('ran'))],
			interceptors: {
				calls: () => ({
					preToolCall({name}) {
						seen.push(name);
						return {type: 'continue'};
					},
				}),
			},
			running: () => ({lines: ['a thing'], count: lines => `${lines} of more`}),
			setMode: mode => seen.push(mode),
			start: () => seen.push('started'),
			async stop() {
				seen.push('stopped');
				return ['More has ended.'];
			},
		});
		expect(seen).toEqual(['started']);
		await run('go');
		await rest();
		await pod.send({method: 'approval', mode: 'accept-edits'});
		const leaving = pod.send({method: 'leave'});
		await until(() => status().asks.length === 1);
		const [ask] = status().asks;
		expect(ask).toMatchObject({title: 'Quit and stop 1 of more?', detail: 'a thing'});
		await pod.send({method: 'answer', askId: ask!.id, choice: 'allow'});
		expect(await leaving).toEqual({accepted: true});
		await pod.send({method: 'shutdown'});
		expect(seen).toEqual(['started', 'ran', 'swap', 'accept-edits', 'stopped']);
		expect(textOf(items().at(-1))).toContain('More has ended.');
	});

	it('offers other tools with the next request, when its tools have changed', async () => {
		let isThere = false;
		const {run, rest, items} = await openedWith({
			name: 'more',
			changingTools: {
				tools: () => (isThere ? [swapTool(() => {})] : []),
				prepare: async () => {},
				async renew() {
					const before = isThere;
					isThere = true;
					return !before;
				},
			},
			setup: async () => ({hasServers: isThere}),
		});
		await run('go');
		await rest();
		const setups = items().filter(item => item.type === 'setup');
		expect(setups.map(({tools}) => tools.some(({name}) => name === 'swap'))).toEqual([false, true]);
		expect(setups.map(({prompt}) => prompt.includes('mcp__'))).toEqual([false, true]);
	});
});

function textOf(item: Item | undefined): string {
	return item?.type === 'message' ? item.text : '';
}
