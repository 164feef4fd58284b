import {stat} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {createRunningChildren} from '../../../../src/pod/family/children/running-children.ts';
import {countedClock} from '../../../helpers/clock.ts';
import {fakePod} from '../../../helpers/fake-app.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

it('a child that is opened again opens only after its last pod has closed', async () => {
	const project = await tempProject();
	const order: string[] = [];
	const closing = Promise.withResolvers<void>();
	const children = createRunningChildren({
		parent: {id: 'parent', dir: join(project.dir, 'parent')},
		clock: countedClock(),
		onChange() {},
		onRequest() {},
		onOtherModel() {},
		async openPod(_, session) {
			order.push('open');
			const pod = fakePod();
			return {
				ok: true,
				pod: {
					...pod,
					async send(method) {
						await closing.promise;
						await session.close();
						order.push('closed');
						return pod.send(method);
					},
				},
			};
		},
	});
	const spec = {
		child: '01JD8XK3Q2AAAAAAAAAAAAAAAA',
		title: 'Look',
		task: 'Look',
		model: 'scripted/demo',
		context: 'fresh',
		scope: {pwd: project.dir, writable: false},
	} as const;
	const first = children.of(spec);
	expect(await children.open(first, [])).toBeUndefined();
	const rested = children.rest(first);
	const again = children.open(children.of(spec), []);
	// Without the wait, the second pod would open within these reads of the disk.
	for (let turn = 0; turn < 100; turn++) await stat(project.dir);
	closing.resolve();
	await rested;
	expect(await again).toBeUndefined();
	expect(order).toEqual(['open', 'closed', 'open']);
});
