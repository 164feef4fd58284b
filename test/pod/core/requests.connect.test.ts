import {existsSync} from 'node:fs';
import {expect, it} from 'vitest';
import {scriptedModel} from '../../../src/worker/index.ts';
import {testPod} from '../../helpers/pod.ts';
import {tempProject} from '../../helpers/temp-project.ts';

it('a message opens a connection before its record exists, but a rejected one opens none', async () => {
	const project = await tempProject();
	const connected: boolean[] = [];
	const model = {
		...scriptedModel(() => [{type: 'text', text: 'Yes.'}]),
		connect: () => void connected.push(existsSync(chat.file)),
	};
	const chat = await testPod(project, {
		model,
		hook: async ({text}) => (text === 'no' ? {type: 'cancel', reason: 'No.'} : {type: 'continue'}),
	});
	expect(await chat.run('no')).toMatchObject({accepted: false});
	expect(await chat.run('/unknown')).toMatchObject({accepted: false});
	expect(connected).toEqual([]);
	expect(await chat.run('yes')).toMatchObject({accepted: true});
	await chat.rest();
	expect(connected).toEqual([false]);
});
