import {dirname} from 'node:path';
import {describe, expect, it} from 'vitest';
import {flatten, type PodClient} from '../../../src/pod/protocol.ts';
import {promptFiles} from '../../../src/pod/disk/prompt-history/prompt-files.ts';
import {testPod} from '../../helpers/pod.ts';
import {tempProject} from '../../helpers/temp-project.ts';
import {answer, says, eventModel} from '../../helpers/event-model.ts';

async function promptsOf(pod: PodClient, scope: 'project' | 'others'): Promise<string[]> {
	const {prompts} = await pod.prompts({text: '', scope, limit: 10});
	return prompts.map(({segments}) => flatten(segments));
}

describe('the prompts of a chat', () => {
	it('can be recalled in another session of the project', async () => {
		const project = await tempProject();
		const first = await testPod(project, {model: eventModel(answer(says('ok')))});
		await first.run('remember me');
		await first.rest();
		await first.pod.send({method: 'shell', command: 'true'});
		await first.pod.send({method: 'shutdown'});
		const second = await testPod(project, {model: eventModel(answer(says('ok')))});
		expect(await promptsOf(second.pod, 'others')).toEqual(['!true', 'remember me']);
		await second.run('and me');
		await expect.poll(async () => promptsOf(second.pod, 'project')).toEqual(['and me', '!true', 'remember me']);
		expect(await promptsOf(second.pod, 'others')).toEqual(['!true', 'remember me']);
	});

	it('are not stored in print mode, nor when a message was refused', async () => {
		const project = await tempProject();
		const print = await testPod(project, {model: eventModel(answer(says('ok'))), attended: false});
		await print.run('from a script');
		await print.rest();
		await print.pod.send({method: 'shutdown'});
		const chat = await testPod(project, {model: eventModel(answer(says('ok')))});
		await chat.run('/no-such-workflow');
		await chat.pod.send({method: 'shutdown'});
		expect(await promptFiles(dirname(print.session.dir))).toEqual([]);
	});
});

describe('the commands and workflows of a chat', () => {
	it('are known in other sessions of the project, the most used one first', async () => {
		const project = await tempProject();
		const first = await testPod(project, {model: eventModel(answer(says('ok')))});
		await first.run('hello');
		await first.rest();
		expect(await first.pod.used('model')).toEqual(['model']);
		await first.pod.used('context');
		await first.pod.used('context');
		await first.pod.send({method: 'shutdown'});
		const second = await testPod(project, {model: eventModel(answer(says('ok')))});
		expect(await second.pod.used(undefined)).toEqual(['context', 'model']);
		expect(await promptsOf(second.pod, 'others')).toEqual(['hello']);
	});

	it('are not stored in print mode', async () => {
		const project = await tempProject();
		const print = await testPod(project, {model: eventModel(answer(says('ok'))), attended: false});
		await print.run('from a script');
		await print.rest();
		expect(await print.pod.used('model')).toEqual([]);
	});
});
