import {join} from 'node:path';
import {expect, it} from 'vitest';
import {allowed, testPod} from '../helpers/pod.ts';
import {tempProject} from '../helpers/temp-project.ts';
import {answer, calls, says, eventModel} from '../helpers/event-model.ts';

it('a pod reports what its tools changed, and the requests to each model', async () => {
	const project = await tempProject();
	const model = eventModel(
		answer(calls('c1', 'write_file', {path: 'a.txt', content: 'one\n'})),
		answer(says('Done.')),
	);
	const env = {HOME: join(project.dir, '../home')};
	const told = await testPod(project, {model, env, ...allowed});
	expect(await told.pod.spending()).toEqual({models: []});
	await told.run('write');
	await told.rest();
	expect(await told.pod.changes()).toEqual({
		files: [{path: 'a.txt', diff: '--- /dev/null\n+++ a.txt\n@@ -0,0 +1,1 @@\n+one'}],
		moreFiles: 0,
		git: {kind: 'none'},
	});
	expect(await told.pod.spending()).toMatchObject({models: [{requests: 2}]});
});
