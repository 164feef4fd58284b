import {mkdir} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {scriptedModel} from '../../../../src/worker/index.ts';
import {reopened, testPod, type TestPod} from '../../../helpers/pod.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

const model = scriptedModel(() => [{type: 'text', text: 'Yes.'}]);

async function say(told: TestPod, text: string): Promise<void> {
	expect(await told.run(text)).toEqual({accepted: true});
	await told.rest();
}

const modes = (told: TestPod) =>
	told.items().flatMap(item => {
		if (item.type !== 'mode') return [];
		const {id: _, at: _at, type: _type, ...mode} = item;
		return [mode];
	});

describe('what the user sets', () => {
	it('is recorded with the next turn, once, and not in a session with default values', async () => {
		const told = await testPod(await tempProject(), {model, mode: {}});
		await say(told, 'One');
		expect(modes(told)).toEqual([]);
		await told.pod.send({method: 'approval', mode: 'accept-edits'});
		await say(told, 'Two');
		await say(told, 'Three');
		expect(modes(told)).toEqual([{approval: 'accept-edits'}]);
		await told.pod.send({method: 'approval', mode: 'ask'});
		await say(told, 'Four');
		expect(modes(told)).toEqual([{approval: 'accept-edits'}, {}]);
	});

	it('includes the start, and the folders that the user adds', async () => {
		const project = await tempProject();
		const more = join(project.dir, '..', 'more');
		await mkdir(more);
		const told = await testPod(project, {model, mode: {readOnly: true, limits: {maxTurns: 4}}});
		expect(await told.pod.send({method: 'add_dir', path: more})).toEqual({accepted: true});
		await say(told, 'One');
		expect(modes(told)).toEqual([{readOnly: true, limits: {maxTurns: 4}, addDirs: [more]}]);
		expect(told.items().findIndex(({type}) => type === 'mode')).toBeGreaterThan(0);
	});

	it('is asked about again where it opens folders', async () => {
		const project = await tempProject();
		const more = join(project.dir, '..', 'more');
		await mkdir(more);
		const first = await testPod(project, {model, mode: {addDirs: [more]}});
		await say(first, 'One');
		await first.pod.send({method: 'shutdown'});
		const told = await testPod(project, {model, mode: {}, askedDirs: [more], session: await reopened(first)});
		await told.until(() => told.status().asks.length > 0);
		const [ask] = told.status().asks;
		expect(ask).toMatchObject({title: 'Let this session read these directories again?', detail: more});
		await told.pod.send({method: 'answer', askId: ask!.id, choice: 'add'});
		await told.until(events =>
			events.some(event => event.type === 'snapshot' && event.session.scope.readRoots.includes(more)),
		);
		await say(told, 'Two');
		expect(modes(told)).toEqual([{addDirs: [more]}]);
	});
});
